import { AdministrationError, type Operation } from '@leeward/accounts';
import {
  carrierKeyField,
  createOperation,
  identifierField,
  invalid,
  isIdentifier,
  mayReach,
  nameField,
  notFound,
  organizationField,
  pageFields,
  pageOf,
  readPage,
  type SavedDecisionRecord,
} from '@leeward/accounts/operations';
import { formatInstant } from '@leeward/terms';
import { z } from 'zod';
import type { HomesReplayed } from '../rule-set-review.ts';
import { fileOf, filesOf, findRuleSet, ownerOf } from './find-rule-set.ts';
import { eitherRuleSet, ruleSetField } from './propose.ts';
import { inForceOf, readRegistry } from './registry-record.ts';
import { replaySaved, takeTurn } from './replay-homes.ts';
import { readSent } from './review-version.ts';
import { answerItem, comparedFields } from './rule-set-item.ts';
import type { RegistryServices } from './services.ts';

const MAX_CHANGES = 200;

const replayItem = z
  .strictObject({
    ...comparedFields,
    changes: z
      .array(
        z.strictObject({
          id: z.string().meta({ description: 'Id of the saved decision.' }),
          policy_type: z.string(),
          state: z.string(),
          before: answerItem.meta({ description: 'Answer of the version in force.' }),
          after: answerItem.meta({ description: 'Answer of this version.' }),
          answered: answerItem
            .nullable()
            .meta({ description: 'The saved answer; null if the carrier was not evaluated.' }),
          rule_ids: z.array(z.string()),
        }),
      )
      .meta({ description: 'The first of them.' }),
  })
  .meta({ id: 'HomesReplayed', description: 'Homes that a version answers differently from the version in force.' });

const decisionFields = {
  decision_id: z.string(),
  organization_id: z.string().nullable().meta({ description: 'The organization of the request; null without one.' }),
  saved_at: z.string(),
  home: z.looseObject({ state: z.string() }).meta({ description: 'The evaluated home, without address and point.' }),
  effective_date: z.string(),
};

const decisionItem = z
  .strictObject(decisionFields)
  .meta({ id: 'SavedDecision', description: 'A decision that was saved for evaluation with other rules.' });

const caseItem = z
  .strictObject({
    ...decisionFields,
    record: z.looseObject({ format: z.int() }).meta({ description: 'The decision record, as the engine replays it.' }),
    answers: z
      .record(z.string(), z.record(z.string(), answerItem))
      .meta({ description: 'Answers by carrier and policy type. Carriers without an offer are absent.' }),
    case: z
      .unknown()
      .meta({ description: 'The case for `cases.json` of the requested carrier; null without a carrier.' }),
    simplified: z.array(z.string()).meta({ description: 'Facts that a case can represent only approximately.' }),
  })
  .meta({ id: 'WholeSavedDecision' });

type DecisionItem = z.output<typeof decisionItem>;

export interface SavedDecisionOperations {
  readonly list: Operation<{ items: DecisionItem[]; next: string | null }>;
  readonly get: Operation<z.output<typeof caseItem>>;
}

export function createReplay(services: RegistryServices): Operation<HomesReplayed> {
  return createOperation(services, {
    name: 'rule_sets.replay',
    summary: 'List saved decisions that a version answers differently from the version in force.',
    request: z
      .strictObject({
        organization_id: organizationField,
        rule_set_id: identifierField.nullish().meta({ description: 'A version that is there; or give `rule_set`.' }),
        rule_set: ruleSetField.optional(),
        max_changes: z
          .int()
          .min(0)
          .max(10_000)
          .nullish()
          .meta({ description: `Maximum number of changes listed; default ${MAX_CHANGES}.` }),
      })
      .meta(eitherRuleSet),
    response: replayItem as unknown as z.ZodType<HomesReplayed>,
    async perform(call, request) {
      const { reader } = services.store;
      const { rule_set_id: id, rule_set: sent } = request;
      const isSent = sent !== undefined && sent !== null;
      if ((typeof id === 'string') === isSent)
        throw invalid('/rule_set_id', 'one_of', 'or rule_set: give one of the two.');
      let owner: string | null;
      let ruleSet: unknown;
      if (typeof id === 'string') {
        const record = await findRuleSet(call, reader, id);
        owner = record.organization_id;
        ruleSet = JSON.parse(await fileOf(reader, record));
      } else {
        owner = await ownerOf(call, request.organization_id);
        ruleSet = readSent(sent, '/rule_set').value;
      }
      const key = (ruleSet as { carrier?: { key?: unknown } | null }).carrier?.key;
      const ids = typeof key === 'string' ? inForceOf(await readRegistry(reader, owner), key) : null;
      const inForce = await filesOf(reader, ids);
      const maxChanges = request.max_changes ?? MAX_CHANGES;
      return takeTurn(call, owner, () => replaySaved(call, owner, { ruleSet, inForce }, maxChanges));
    },
  });
}

/** The operator sees all. */
export function createSavedDecisionOperations(services: RegistryServices): SavedDecisionOperations {
  return {
    list: createOperation(services, {
      name: 'saved_decisions.list',
      summary: 'List saved decisions, newest first.',
      request: z.strictObject({ organization_id: organizationField, ...pageFields }),
      response: pageOf(decisionItem),
      async perform(call, request) {
        const owner = await ownerOf(call, request.organization_id);
        const where = owner === null ? {} : { organization_id: owner };
        const page = await readPage(call, 'saved_decisions', where, request, true);
        return { items: page.records.map(itemOf), next: page.next };
      },
    }),
    get: createOperation(services, {
      name: 'saved_decisions.get',
      summary: 'Read a saved decision, and the case that it gives for a carrier.',
      request: z.strictObject({
        decision_id: identifierField,
        carrier_key: carrierKeyField.nullish().meta({ description: 'Carrier of the case.' }),
        policy_type: z
          .string()
          .max(40)
          .nullish()
          .meta({ description: 'Policy type of the case. Optional if the request had only one.' }),
        note: nameField.nullish().meta({ description: 'Note of the case.' }),
      }),
      response: caseItem,
      async perform(call, request) {
        const { decision_id: id, carrier_key: carrierKey } = request;
        const decision = isIdentifier(id) ? await services.store.reader.get('saved_decisions', id) : undefined;
        if (decision === undefined || !mayReach(call.authority, decision.organization_id)) throw notFound();
        const item = itemOf(decision);
        const whole = { ...item, record: JSON.parse(decision.record), answers: JSON.parse(decision.answers) };
        if (typeof carrierKey !== 'string') return { ...whole, case: null, simplified: [] };
        const policyType = request.policy_type ?? item.home['policy_type'];
        if (typeof policyType !== 'string') {
          throw invalid('/policy_type', 'required', 'is required: the decision is of all policy types.');
        }
        const note = request.note ?? `Saved ${item.saved_at.slice(0, 10)}, ${decision.decision_id}`;
        const { record, answers } = decision;
        const result = await services.rules.caseOfDecision({ record, answers, carrierKey, policyType, note });
        if (result === undefined) {
          const message = `was not evaluated for ${policyType} in this decision.`;
          throw new AdministrationError('conflict', [{ path: '/carrier_key', code: 'not_asked', message }]);
        }
        return { ...whole, case: result.entry, simplified: [...result.simplified] };
      },
    }),
  };
}

function itemOf({ decision_id, organization_id, at, record }: SavedDecisionRecord): DecisionItem {
  const { home, effective_date } = JSON.parse(record) as Pick<DecisionItem, 'home' | 'effective_date'>;
  return { decision_id, organization_id, saved_at: formatInstant(at), home, effective_date };
}
