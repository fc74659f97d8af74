import type { Operation } from '@leeward/accounts';
import {
  answersAgain,
  conflict,
  createOperation,
  identifierField,
  invalid,
  nameField,
  organizationField,
  type RuleSetRecord,
  type StoreReader,
  type StoreWriter,
} from '@leeward/accounts/operations';
import { acrossFields } from '@leeward/terms';
import { z } from 'zod';
import { auditStep } from './audit-rule-set.ts';
import { fileOf, filesOf, findRuleSet, ownerOf } from './find-rule-set.ts';
import { inForceOf, lockRegistry, readRegistry, sameIds, writeRegistry } from './registry-record.ts';
import { type ReviewedVersion, readSent, reviewVersion } from './review-version.ts';
import {
  type RuleSetItem,
  ruleSetItem,
  ruleSetItemOf,
  type WholeRuleSetItem,
  wholeRuleSetItem,
  wholeRuleSetItemOf,
} from './rule-set-item.ts';
import type { RegistryCall, RegistryServices } from './services.ts';

const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

export const ruleSetField = z
  .unknown()
  .refine((value) => value === undefined || value === null || isRecord(value), {
    params: { code: 'not_a_rule_set' },
    error: 'must be a rule set: a JSON object.',
  })
  .meta({ description: 'A rule set; of an organization, under the limits for files from strangers.', type: 'object' });

const casesField = z
  .unknown()
  .refine((value) => value === undefined || value === null || Array.isArray(value), {
    params: { code: 'not_cases' },
    error: 'must be cases: a list.',
  })
  .meta({ description: 'Its cases, as in `cases.json`.', type: 'array', items: {} });

const noteField = nameField.nullish().meta({ description: 'Why, in a line; kept with the version.' });

const MAX_BOOK = 100_000;

const bookField = z
  .array(z.looseObject({ state: z.string() }))
  .min(1)
  .max(MAX_BOOK)
  .nullish()
  .meta({
    description:
      'Homes as for underwriting. The review stores only the number of different answers. Distances must be given.',
  });

export const pushRequest = z.strictObject({
  organization_id: organizationField,
  rule_set: ruleSetField,
  cases: casesField.optional(),
  note: noteField,
});

/** Keywords of JSON Schema. */
export const eitherRuleSet = acrossFields({
  someOf: [['rule_set_id', 'rule_set']],
  apart: [['rule_set_id', 'rule_set']],
});

export const proposeRequest = z
  .strictObject({
    organization_id: organizationField,
    rule_set_id: identifierField.nullish().meta({ description: 'A version that is there; or give `rule_set`.' }),
    rule_set: ruleSetField.optional(),
    cases: casesField.optional(),
    book: bookField,
    note: noteField,
  })
  .meta(eitherRuleSet);

interface Sent {
  readonly text: string;
  readonly ruleSet: unknown;
  readonly casesText: string | null;
  readonly cases: unknown;
  readonly book: readonly unknown[] | undefined;
  readonly note: string | null;
}

/** `push` stores a version, `propose` requests its approval. Both review it. */
export function createProposals(services: RegistryServices): {
  readonly push: Operation<RuleSetItem>;
  readonly propose: Operation<WholeRuleSetItem>;
} {
  return {
    push: createOperation(services, {
      name: 'rule_sets.push',
      summary: 'Save a draft of a rule set.',
      request: pushRequest,
      response: ruleSetItem,
      async perform(call, request) {
        const owner = await ownerOf(call, request.organization_id);
        const sent = sentOf(request);
        return ruleSetItemOf(await keep(call, owner, sent, 'draft', undefined), call.atMs);
      },
    }),
    propose: createOperation(services, {
      name: 'rule_sets.propose',
      summary:
        'Propose a version of a rule set: runs its cases, analyses it and compares it with the version in force.',
      takesIdempotencyKey: true,
      request: proposeRequest,
      response: wholeRuleSetItem,
      async perform(call, request) {
        const isKept = typeof request.rule_set_id === 'string';
        const isSent = request.rule_set !== undefined && request.rule_set !== null;
        if (isKept === isSent) {
          throw invalid('/rule_set_id', 'one_of', 'or rule_set: give one of the two.');
        }
        const { reader } = services.store;
        if (!isKept) {
          const owner = await ownerOf(call, request.organization_id);
          const earlier = await earlierProposal(call, reader, owner);
          if (earlier !== undefined) return wholeRuleSetItemOf(earlier, await fileOf(reader, earlier), call.atMs);
          const sent = sentOf(request);
          const proposal = await keep(call, owner, sent, 'proposed', undefined);
          return wholeRuleSetItemOf(proposal, sent.text, call.atMs);
        }
        const record = await findRuleSet(call, reader, request.rule_set_id!);
        const earlier = await earlierProposal(call, reader, record.organization_id);
        if (earlier !== undefined) return wholeRuleSetItemOf(earlier, await fileOf(reader, earlier), call.atMs);
        const text = await fileOf(reader, record);
        const sent: Sent = {
          text,
          ruleSet: JSON.parse(text),
          casesText: record.cases,
          cases: record.cases === null ? undefined : JSON.parse(record.cases),
          book: request.book ?? undefined,
          note: request.note ?? record.note,
        };
        return wholeRuleSetItemOf(await keep(call, record.organization_id, sent, 'proposed', record), text, call.atMs);
      },
    }),
  };
}

function sentOf({ rule_set: ruleSet, cases, book, note }: z.output<typeof proposeRequest>): Sent {
  if (ruleSet === undefined || ruleSet === null) throw invalid('/rule_set', 'required', 'is required.');
  const sent = readSent(ruleSet, '/rule_set');
  const sentCases = cases === undefined || cases === null ? undefined : readSent(cases, '/cases');
  return {
    text: sent.text,
    ruleSet: sent.value,
    casesText: sentCases?.text ?? null,
    cases: sentCases?.value,
    book: book ?? undefined,
    note: note ?? null,
  };
}

/** Made by an earlier request with the same key. */
async function earlierProposal(
  { idempotency, atMs }: RegistryCall,
  reader: StoreReader,
  owner: string | null,
): Promise<RuleSetRecord | undefined> {
  if (idempotency === undefined) return undefined;
  const where = { idempotency_key: idempotency.key, organization_id: owner };
  const [latest] = await reader.list('rule_sets', { where, newestFirst: true, limit: 1 });
  if (latest === undefined) return undefined;
  const earlier = { bodyHash: latest.body_hash, atMs: latest.proposed_at ?? 0 };
  return answersAgain(idempotency, earlier, atMs) ? latest : undefined;
}

/** Repeats the review if the rules in force changed meanwhile. */
async function keep(
  call: RegistryCall,
  owner: string | null,
  sent: Sent,
  status: 'draft' | 'proposed',
  stored: RuleSetRecord | undefined,
): Promise<RuleSetRecord> {
  const { reader } = call.services.store;
  const carrierKey = carrierKeyOf(sent.ruleSet);
  for (;;) {
    const base = inForceOf(await readRegistry(reader, owner), carrierKey);
    const inForce = await filesOf(reader, base);
    const reviewed = await reviewVersion(call, owner, { ...sent, inForce });
    const record = await writeRegistry(call, async (writer) => {
      const registry = await lockRegistry(writer, owner);
      // Two requests with one key may be reviewed concurrently.
      const earlier = await earlierProposal(call, writer, owner);
      if (earlier !== undefined) return earlier;
      if (!sameIds(inForceOf(registry, carrierKey), base)) return undefined;
      return write(call, writer, { owner, base, sent, reviewed, status, stored: stored });
    });
    if (record !== undefined) return record;
  }
}

interface Kept {
  readonly owner: string | null;
  readonly base: readonly string[] | null;
  readonly sent: Sent;
  readonly reviewed: ReviewedVersion;
  readonly status: 'draft' | 'proposed';
  readonly stored: RuleSetRecord | undefined;
}

async function write(call: RegistryCall, writer: StoreWriter, version: Kept): Promise<RuleSetRecord> {
  const { owner, base, sent, reviewed, status, stored } = version;
  const { identity, review } = reviewed;
  const where = { carrier_key: identity.carrier_key, version: identity.version, organization_id: owner };
  const alike = await writer.list('rule_sets', { where });
  const inForce = alike.find((each) => each.status === 'approved');
  if (inForce !== undefined) {
    throw inForce.sha256 === identity.sha256
      ? conflict('/rule_set', 'already_approved', `is approved already, as ${inForce.rule_set_id}.`)
      : conflict(
          '/rule_set/version',
          'version_taken',
          `${identity.version} is approved with other contents: give this one another name.`,
        );
  }
  await refuseOverLimit(call, writer, owner);
  if ((await writer.get('rule_set_files', identity.sha256)) === undefined) {
    await writer.insert('rule_set_files', { sha256: identity.sha256, rule_set: sent.text });
  }
  const { atMs, authority, services } = call;
  const proposal = {
    status,
    base,
    review,
    cases: sent.casesText,
    note: sent.note,
    proposed_by: status === 'proposed' ? authority.actorId : null,
    proposed_at: status === 'proposed' ? atMs : null,
    idempotency_key: call.idempotency?.key ?? null,
    body_hash: call.idempotency?.bodyHash ?? null,
    approved_by: null,
    approved_at: null,
    four_eyes: null,
    updated_at: atMs,
  };
  const mine = stored === undefined ? undefined : await writer.get('rule_sets', stored.rule_set_id);
  let record: RuleSetRecord;
  if (mine !== undefined && (mine.status === 'draft' || mine.status === 'proposed')) {
    record = { ...mine, ...proposal, revision: mine.revision + 1 };
    await writer.replace('rule_sets', record);
  } else {
    const ids = { rule_set_id: services.newId(), organization_id: owner };
    record = { ...ids, ...identity, ...proposal, revision: 1, created_at: atMs };
    await writer.insert('rule_sets', record);
  }
  for (const each of alike) {
    const isOpen = each.status === 'draft' || each.status === 'proposed';
    if (!isOpen || each.rule_set_id === record.rule_set_id) continue;
    await writer.replace('rule_sets', { ...each, status: 'superseded', revision: each.revision + 1, updated_at: atMs });
  }
  const before = mine?.rule_set_id === record.rule_set_id ? mine : undefined;
  const subject = { id: record.rule_set_id, organizationId: owner, before, after: record };
  await auditStep(call, writer, status === 'draft' ? 'rule_sets.push' : 'rule_sets.propose', subject, {
    carrier_key: identity.carrier_key,
    version: identity.version,
    sha256: identity.sha256,
    base,
    failing_cases: review.cases.failures.length,
    unexplained: review.unexplained,
    changes: review.changes.length,
    ...(review.saved && { saved_decisions: review.saved.homes, saved_changed: review.saved.changed }),
    ...(review.book && { book: review.book.homes, book_changed: review.book.changed }),
    ...(sent.note === null ? {} : { note: sent.note }),
  });
  return record;
}

async function refuseOverLimit(call: RegistryCall, writer: StoreWriter, owner: string | null): Promise<void> {
  const limit = call.services.registryLimits.rule_sets;
  if (owner === null || (await writer.count('rule_sets', { organization_id: owner })) < limit) return;
  throw invalid('', 'limit_reached', `An organization has at most ${limit} versions of rule sets.`);
}

/** Unchecked; the review reports faults. */
function carrierKeyOf(ruleSet: unknown): string {
  const carrier = (ruleSet as { carrier?: { key?: unknown } | null } | null)?.carrier;
  return typeof carrier?.key === 'string' ? carrier.key : '';
}
