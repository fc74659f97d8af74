import { itemFields, keptOf, type RuleSetRecord } from '@leeward/accounts/operations';
import { formatInstant } from '@leeward/terms';
import { z } from 'zod';

const signature = z
  .strictObject({
    by: z.string().meta({ description: 'The id of a token, or what the host calls itself.' }),
    at: z.string(),
  })
  .nullable();

export const fourEyesItem = z.enum(['people', 'tokens']).nullable().meta({
  description:
    'Proof of the approval. `people`: two people who signed in. `tokens`: two tokens of different origin, which does not prove two people. null: not approved, or approved without four eyes.',
});

const finding = z
  .looseObject({
    code: z.string(),
    path: z.string().meta({ description: 'JSON Pointer into the rule set, of a case into the cases.' }),
    message: z.string(),
    severity: z.enum(['fault', 'warning', 'note']),
  })
  .meta({ id: 'RuleSetFinding', description: 'A finding of a review, with an example home.' });

const counted = z.record(z.string(), z.int());

export const answerItem = z
  .strictObject({
    status: z.string(),
    codes: z.array(z.string()),
    missing_fields: z.array(z.string()),
    terms: z.record(z.string(), z.unknown()).optional().meta({ description: 'Certain terms by name.' }),
    tier: z.string().optional().meta({ description: 'Program id of the tier.' }),
  })
  .meta({ id: 'CarrierAnswer', description: 'Answer of a carrier for a home, in the form of cases.' });

export const comparedFields = {
  homes: z.int().meta({ description: 'Homes evaluated for the carrier.' }),
  changed: z.int().meta({ description: 'Homes with a different answer for at least one policy type.' }),
  changed_since: z
    .int()
    .meta({ description: 'Homes that the version in force already answers differently from then.' }),
  by_move: counted.meta({ description: 'Changes by old and new status: `eligible to ineligible`.' }),
  by_code: counted.meta({ description: 'Changes by the codes that come and go.' }),
  by_rule: counted.meta({ description: 'Changes by the rules behind them.' }),
  by_state: counted.meta({ description: 'Changes by the state of the home.' }),
  not_judged: z
    .array(z.strictObject({ why: z.string(), homes: z.int(), first: z.string() }))
    .meta({ description: 'Homes that could not be evaluated again, by reason, each with the first home.' }),
};

const comparedItem = z.strictObject(comparedFields).meta({
  id: 'HomesCompared',
  description: 'Number of homes that a version answers differently from the version in force.',
});

export const reviewItem = z
  .strictObject({
    cases: z.strictObject({ run: z.int(), failures: z.array(finding) }),
    findings: z.array(finding).meta({ description: 'Findings of the check and the analysis.' }),
    changes: z
      .array(finding)
      .meta({ description: 'Homes with a different answer from the version in force, and edits.' }),
    omitted: z.int().meta({ description: 'Findings and changes beyond those that are kept.' }),
    unexplained: z
      .strictObject({ fault: z.int(), warning: z.int(), note: z.int() })
      .meta({ description: 'Findings that no allowance of the file explains.' }),
    saved: comparedItem.optional().meta({ description: 'Against saved decisions, where there are any.' }),
    book: comparedItem.optional().meta({ description: 'Against the book that was sent with it.' }),
  })
  .meta({ id: 'RuleSetReview' });

const statuses = ['draft', 'proposed', 'approved', 'in_force', 'replaced', 'withdrawn', 'superseded'] as const;

const versionFields = {
  rule_set_id: z.string(),
  organization_id: z.string().nullable().meta({ description: 'null: of the catalog that everybody is offered.' }),
  carrier_key: z.string(),
  carrier: z.string(),
  version: z.string(),
  effective: z.strictObject({ from: z.string(), until: z.string().nullable() }),
  sha256: z.string().meta({ description: 'SHA-256 of the canonical JSON of the rule set.' }),
  status: z.enum(statuses).meta({ description: '`approved` until its effective date, `in_force` from then on.' }),
  note: z.string().nullable(),
  proposed: signature,
  approved: signature,
  four_eyes: fourEyesItem,
  ...itemFields,
};

export const ruleSetItem = z
  .strictObject(versionFields)
  .meta({ id: 'RuleSetVersion', description: 'A version of a carrier’s rules in the registry.' });

export const wholeRuleSetItem = z
  .strictObject({
    ...versionFields,
    base: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Versions in force when it was reviewed; null: the registry knew none.' }),
    review: reviewItem.nullable(),
    rule_set: z.unknown().meta({ description: 'The file.' }),
    cases: z.unknown().meta({ description: 'Its cases; null: none.' }),
  })
  .meta({ id: 'WholeRuleSetVersion', description: 'A version with its file, cases and review.' });

/** A version in lists, without its file. */
export type RuleSetItem = z.output<typeof ruleSetItem>;
/** With file, cases and review. */
export type WholeRuleSetItem = z.output<typeof wholeRuleSetItem>;

export function ruleSetItemOf(record: RuleSetRecord, atMs: number): RuleSetItem {
  const today = new Date(atMs).toISOString().slice(0, 10);
  const inForce = record.status === 'approved' && record.effective_from <= today;
  return {
    rule_set_id: record.rule_set_id,
    organization_id: record.organization_id,
    carrier_key: record.carrier_key,
    carrier: record.carrier,
    version: record.version,
    effective: { from: record.effective_from, until: record.effective_until },
    sha256: record.sha256,
    status: inForce ? 'in_force' : record.status,
    note: record.note,
    proposed: signatureOf(record.proposed_by, record.proposed_at),
    approved: signatureOf(record.approved_by, record.approved_at),
    four_eyes: record.four_eyes,
    ...keptOf(record),
  };
}

/** @param file JSON text. */
export function wholeRuleSetItemOf(record: RuleSetRecord, file: string, atMs: number): WholeRuleSetItem {
  return {
    ...ruleSetItemOf(record, atMs),
    base: record.base === null ? null : [...record.base],
    review: record.review as WholeRuleSetItem['review'],
    rule_set: JSON.parse(file),
    cases: record.cases === null ? null : JSON.parse(record.cases),
  };
}

export function signatureOf(by: string | null, at: number | null): { by: string; at: string } | null {
  return by === null || at === null ? null : { by, at: formatInstant(at) };
}
