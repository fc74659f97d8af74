import { withoutEval } from '@leeward/terms';
import * as z from 'zod';
import { decisionRecordSchema } from '../replay/decision-record.ts';

const ruleMessage = withoutEval(() => z.strictObject({ rule_id: z.string(), code: z.string(), message: z.string() }));

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).optional();

/** The certain or possible bounds of a term. */
const boundsOfTerm = withoutEval(() =>
  z.strictObject({
    min: z.number().optional(),
    max: z.number().optional(),
    one_of: z.array(z.string()).optional(),
    may_exclude: z.array(z.string()).optional(),
    applies: z.literal(true).optional(),
  }),
);
const termsByName = withoutEval(() => z.record(z.string(), boundsOfTerm).optional());

const tierShape = { of: z.string(), rank: z.int(), name: z.string().optional(), program_id: z.string() };

const statusOfTier = z.enum(['eligible', 'referral', 'needs_information', 'ineligible']);

/** The answer of a tier alone. */
const tierAnswer = withoutEval(() =>
  z.strictObject({
    ...tierShape,
    status: statusOfTier,
    reasons: listOf(ruleMessage),
    missing_fields: listOf(z.string()),
  }),
);

/** Empty lists are left out. */
const answer = withoutEval(() =>
  z.strictObject({
    status: z.enum(['eligible', 'referral', 'needs_information', 'ineligible', 'not_offered']),
    /** Statuses that complete information can lead to, from best to worst. Only for `needs_information`. */
    possible_statuses: listOf(z.enum(['eligible', 'referral', 'ineligible'])),
    /** In the order of the verdict. */
    reasons: listOf(ruleMessage),
    requirements: listOf(ruleMessage),
    possible_requirements: listOf(ruleMessage),
    notes: listOf(ruleMessage),
    /** In the order of the rules. */
    terms: termsByName,
    possible_terms: termsByName,
    tier: z.strictObject(tierShape).optional(),
    /** Best first. */
    possible_tiers: listOf(tierAnswer),
    better_tiers: listOf(tierAnswer),
    other_tiers: listOf(tierAnswer),
    /** In alphabetical order. */
    missing_fields: listOf(z.string()),
  }),
);

const conformanceCase = withoutEval(() =>
  z.strictObject({
    id: z.string(),
    /** Purpose of the case. */
    about: z.string(),
    /**
     * `test`: evaluating each test alone is enough. `together`: several tests must be combined. An implementation that does not combine
     * them answers `needs_information`, with these possible statuses and more; that is correct, but less exact.
     */
    reading: z.enum(['test', 'together']),
    /**
     * True if the answer depends on facts that the format takes as independent, although they are not. An implementation may find a
     * stronger answer.
     */
    conservative: z.literal(true).optional(),
    /** Names in `rule_sets`: the versions of one carrier. */
    rule_sets: z.array(z.string()).min(1),
    /** An organization's override of the carrier. */
    override: z.record(z.string(), z.unknown()).optional(),
    /** The home, in the form of a decision record. */
    home: decisionRecordSchema.pick({
      as_of: true,
      effective_date: true,
      home: true,
      counties: true,
      known: true,
      known_at: true,
      evidence: true,
      located: true,
      location: true,
      events: true,
    }),
    expect: answer,
  }),
);

const corpus = withoutEval(() =>
  z.strictObject({
    /** The version of the rule format that the cases are for. */
    rule_format: z.literal(1),
    /** Increases with every added case or note. Answers of one version of the format are never changed or removed. */
    revision: z.int().min(1),
    rule_sets: z.record(z.string(), z.looseObject({})),
    cases: z.array(conformanceCase).min(1),
  }),
);

/** Rule sets, homes, and the answers that every implementation of the rule format must return. */
export type ConformanceCorpus = z.infer<typeof corpus>;
/** A home, the rule sets that decide it, and the answer. */
export type ConformanceCase = z.infer<typeof conformanceCase>;
/** The answer of an implementation, under its names in JSON. */
export type ConformanceAnswer = z.infer<typeof answer>;

/** Reads a corpus. @throws {RangeError} With all faults if the file is not a corpus. */
export function readCorpus(file: unknown): ConformanceCorpus {
  const result = corpus.safeParse(file);
  if (result.success) return result.data;
  const faults = result.error.issues
    .slice(0, 20)
    .map(({ path, message }) => `${path.map((key) => `/${String(key)}`).join('') || '/'}: ${message}`);
  throw new RangeError(`This is not a corpus of the rule format. ${faults.join(' ')}`);
}

/** Keys of an answer, in their order. */
export const answerParts = Object.keys(answer.shape) as readonly (keyof ConformanceAnswer)[];
