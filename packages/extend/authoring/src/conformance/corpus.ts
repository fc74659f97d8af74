import { withoutEval } from '@leeward/terms';
import * as z from 'zod';
import { decisionRecordSchema } from '../replay/decision-record.ts';

const said = withoutEval(() => z.strictObject({ rule_id: z.string(), code: z.string(), message: z.string() }));

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).optional();

/** A list without entries is left out. */
const answer = withoutEval(() =>
  z.strictObject({
    status: z.enum(['eligible', 'referral', 'needs_information', 'ineligible', 'not_offered']),
    /** What the status can become once everything is known, from best to worst; left out where it is settled. */
    possible_statuses: listOf(z.enum(['eligible', 'referral', 'ineligible'])),
    /** In the order in which they are told. */
    reasons: listOf(said),
    requirements: listOf(said),
    possible_requirements: listOf(said),
    notes: listOf(said),
    /** In alphabetical order. */
    missing_fields: listOf(z.string()),
  }),
);

const conformanceCase = withoutEval(() =>
  z.strictObject({
    id: z.string(),
    /** What the case is for, in words. */
    about: z.string(),
    /**
     * `test`: each test read by itself gives the answer. `together`: only several tests seen together do; an implementation
     * without that answers `needs_information` with these possible statuses and more, and is sound.
     */
    reading: z.enum(['test', 'together']),
    /** Names in `rule_sets`: the versions of one carrier. */
    rule_sets: z.array(z.string()).min(1),
    /** What is known of the home, in the form of a decision record. */
    home: decisionRecordSchema.pick({ as_of: true, effective_date: true, home: true, counties: true, known: true }),
    expect: answer,
  }),
);

const corpus = withoutEval(() =>
  z.strictObject({
    /** The version of the rule format that the cases are for. */
    rule_format: z.literal(1),
    /** Rises with every case that is added; none is changed or removed within a version of the format. */
    revision: z.int().min(1),
    rule_sets: z.record(z.string(), z.looseObject({})),
    cases: z.array(conformanceCase).min(1),
  }),
);

/** Rule sets, homes, and what any implementation of the rule format answers. */
export type ConformanceCorpus = z.infer<typeof corpus>;
/** One home, the rule sets that judge it, and the answer. */
export type ConformanceCase = z.infer<typeof conformanceCase>;
/** What an implementation answers, in wire names. */
export type ConformanceAnswer = z.infer<typeof answer>;

/** Reads a corpus. Throws a `RangeError` that names every place where the file is none. */
export function readCorpus(file: unknown): ConformanceCorpus {
  const read = corpus.safeParse(file);
  if (read.success) return read.data;
  const faults = read.error.issues
    .slice(0, 20)
    .map(({ path, message }) => `${path.map((key) => `/${String(key)}`).join('') || '/'}: ${message}`);
  throw new RangeError(`This is no corpus of the rule format. ${faults.join(' ')}`);
}

/** What an answer has, in the order in which it is told. */
export const answerParts = Object.keys(answer.shape) as readonly (keyof ConformanceAnswer)[];
