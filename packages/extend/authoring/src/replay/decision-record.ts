import { hazardEventSchema } from '@leeward/engine/events';
import { footprintSchema, quoteValue, withoutEval } from '@leeward/terms';
import * as z from 'zod';
import { ReplayError } from './replay-error.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const knowledge = withoutEval(() =>
  z.union([
    z.number(),
    z.string(),
    z.strictObject({ min: z.number(), max: z.number() }).refine(({ min, max }) => min <= max, 'min is above max.'),
    z.strictObject({ one_of: z.array(z.string()).min(1) }),
  ]),
);

const recordedLocation = withoutEval(() =>
  z.strictObject({
    latitude: z.number(),
    longitude: z.number(),
    radius_meters: z.number(),
    footprint: footprintSchema.optional(),
  }),
);

const recordedEvidence = withoutEval(() =>
  z.strictObject({ as_of: z.string().optional(), source: z.string().optional() }),
);

const recordedRuleSet = withoutEval(() =>
  z.strictObject({
    carrier_key: z.string(),
    /** Null, like the hash, if the carrier had no version in force. */
    version: z.string().nullable(),
    sha256: hash.nullable(),
    override_sha256: hash.optional(),
    source: z.enum(['catalog', 'organization', 'override']),
    policy_types: z.array(z.string()).min(1),
  }),
);

const hostAnswer = withoutEval(() =>
  z.strictObject({
    fact: z.string(),
    params: z.record(z.string(), z.unknown()),
    policy_type: z.string(),
    county: z.string().nullable(),
    /** Absent if the fact was unknown. */
    value: z.unknown().optional(),
  }),
);

/** The schema of a decision record: the whole input of a decision, as JSON. Rule sets are referred to by their hashes. */
export const decisionRecordSchema = withoutEval(() =>
  z.strictObject({
    format: z.literal(1),
    engine: z.string().regex(/^\d+\.\d+\.\d+/),
    /** `reference` if json-rules-engine evaluated all carriers. */
    evaluator: z.enum(['compiled', 'reference']),
    line: z.string(),
    as_of: z.string(),
    effective_date: z.string(),
    /** The home, in the form of a normalized request. */
    home: z.record(z.string(), z.unknown()),
    /** FIPS codes of the possible counties; null for any county of the state. */
    counties: z.array(z.string().regex(/^\d{5}$/)).nullable(),
    /** Values that a request cannot contain, by field: distances, fields within bounds. */
    known: z.record(z.string(), knowledge),
    /**
     * Ranges of measured distances, by certainty and field: rule sets with this certainty use them instead of `known`. Absent if no
     * rule set has a certainty.
     */
    known_at: z
      .record(z.string(), z.record(z.string(), z.strictObject({ min: z.number(), max: z.number() })))
      .optional(),
    /** Dates and origins of values, by field, set or list. Absent if there are none. */
    evidence: z.record(z.string(), recordedEvidence).optional(),
    /** Absent unless the home was located to its house. */
    located: z.literal(true).optional(),
    /** Absent if unknown. */
    location: recordedLocation.optional(),
    /**
     * The events that a rule of these rule sets could match at the time of the decision. Absent if no rule tests events, or
     * if they were unknown.
     */
    events: z.array(hazardEventSchema).optional(),
    /** As in the answer. Absent if the answer did not state them. */
    versions: z
      .strictObject({
        engine: z.string().optional(),
        rules: z.string().optional(),
        coastline: z.string().optional(),
        addresses: z.string().optional(),
      })
      .optional(),
    rule_sets: z.array(recordedRuleSet),
    /** Values of the host's facts. */
    host_facts: z.array(hostAnswer),
    /** SHA-256 over the canonical JSON of the decision. */
    decision_sha256: hash,
  }),
);

/** A record of a decision, under its names in JSON. */
export type DecisionRecord = z.infer<typeof decisionRecordSchema>;
/** A rule set of a decision, by its hash. */
export type RecordedRuleSet = DecisionRecord['rule_sets'][number];
/** The value of a fact of the host; without `value` if it was unknown. */
export type RecordedHostFact = DecisionRecord['host_facts'][number];

/** Checks a record. @throws {ReplayError} With all faults. */
export function readDecisionRecord(record: unknown): DecisionRecord {
  const result = decisionRecordSchema.safeParse(record);
  if (result.success) return result.data;
  throw new ReplayError(
    'invalid_record',
    result.error.issues.slice(0, 20).map(({ path, message }) => ({
      path: path.map((key) => `/${String(key)}`).join(''),
      message: path.length === 0 ? `This is not a decision record: ${message} (${quoteValue(record)}).` : message,
    })),
  );
}
