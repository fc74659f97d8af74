import { quoteValue, withoutEval } from '@leeward/terms';
import * as z from 'zod';
import { ReplayError } from './replay-error.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const known = withoutEval(() =>
  z.union([
    z.number(),
    z.string(),
    z.strictObject({ min: z.number(), max: z.number() }).refine(({ min, max }) => min <= max, 'min is above max.'),
    z.strictObject({ one_of: z.array(z.string()).min(1) }),
  ]),
);

const recordedRuleSet = withoutEval(() =>
  z.strictObject({
    carrier_key: z.string(),
    /** Null, and no hash, where no version was in force: the carrier was asked and offered nothing. */
    version: z.string().nullable(),
    sha256: hash.nullable(),
    override_sha256: hash.optional(),
    source: z.enum(['catalog', 'organization', 'override']),
    /** Policy types that were asked for. */
    policy_types: z.array(z.string()).min(1),
  }),
);

const hostAnswer = withoutEval(() =>
  z.strictObject({
    fact: z.string(),
    params: z.record(z.string(), z.unknown()),
    policy_type: z.string(),
    county: z.string().nullable(),
    /** Left out: the host did not know. */
    value: z.unknown().optional(),
  }),
);

/**
 * All that a decision rests on, as JSON to be stored. Names are those of requests and rule sets; rule sets
 * stand in it by their hashes alone.
 */
export const decisionRecordSchema = withoutEval(() =>
  z.strictObject({
    format: z.literal(1),
    engine: z.string().regex(/^\d+\.\d+\.\d+/),
    /** `reference` where everything was judged by it. */
    evaluator: z.enum(['compiled', 'reference']),
    line: z.string(),
    as_of: z.string(),
    effective_date: z.string(),
    /** The home as judged, in the form of a normalized request. */
    home: z.record(z.string(), z.unknown()),
    /** FIPS codes of the counties it could be; null: any of the state. */
    counties: z.array(z.string().regex(/^\d{5}$/)).nullable(),
    /** What was known and no request could say: distances, fields within bounds; by field. */
    known: z.record(z.string(), known),
    /** Left out: the home was not given or found to its house. */
    located: z.literal(true).optional(),
    rule_sets: z.array(recordedRuleSet),
    /** What the host's own facts answered. */
    host_facts: z.array(hostAnswer),
    /** SHA-256 over the canonical JSON of the decision. */
    decision_sha256: hash,
  }),
);

/** A record as `recordDecision` writes it, in wire names. */
export type DecisionRecord = z.infer<typeof decisionRecordSchema>;
/** A rule set that was asked, by its hash. */
export type RecordedRuleSet = DecisionRecord['rule_sets'][number];
/** What one of the host's own facts answered; without a `value` where it did not know. */
export type RecordedHostFact = DecisionRecord['host_facts'][number];

/** Checks a record that comes from a store. Throws a `ReplayError` with every fault. */
export function readDecisionRecord(record: unknown): DecisionRecord {
  const read = decisionRecordSchema.safeParse(record);
  if (read.success) return read.data;
  throw new ReplayError(
    'invalid_record',
    read.error.issues.slice(0, 20).map(({ path, message }) => ({
      path: path.map((key) => `/${String(key)}`).join(''),
      message: path.length === 0 ? `This is no decision record: ${message} (${quoteValue(record)}).` : message,
    })),
  );
}
