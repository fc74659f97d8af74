import { z } from 'zod';

const truth = z.enum(['true', 'false', 'undecided']).meta({
  id: 'Truth',
  description: 'Truth of a condition; `undecided` if it depends on a missing field.',
});

/** A value in an explanation. */
export const knownValueSchema = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.strictObject({ min: z.number(), max: z.number() }),
    z.strictObject({ one_of: z.array(z.union([z.string(), z.number()])) }),
    z.array(z.unknown()),
    z.record(z.string(), z.unknown()),
  ])
  .meta({
    id: 'KnownValue',
    description:
      'A value, inclusive bounds, one of several words, or null if it is unknown. A fact of the host can be any JSON.',
  });

const testShape = {
  fact: z.string().meta({ description: 'Fact, operator and limit as written in the rule.' }),
  operator: z.string(),
  limit: knownValueSchema,
  limit_fact: z
    .string()
    .optional()
    .meta({ description: 'If the limit is another fact: its name. `limit` is then its value.' }),
  field: z.string().meta({ description: 'Request name of the fact.' }),
  label: z.string(),
  unit: z.string().optional(),
  value: knownValueSchema,
  inferred: z
    .literal(true)
    .optional()
    .meta({ description: 'The value was not given; it follows from a related field.' }),
  truth,
  text: z.string().meta({ description: 'The test as a sentence.' }),
};

const explainedTest = z
  .object(testShape)
  .meta({ id: 'ExplainedTest', description: 'One test of a rule, with the value of the home and the result.' });

const explainedGroup = z
  .object({
    kind: z.enum(['all', 'any', 'not']),
    truth,
    get children() {
      return z.array(explainedTree);
    },
    truncated: z
      .literal(true)
      .optional()
      .meta({ description: 'Some children are omitted because the tree is too large.' }),
  })
  .meta({ id: 'ExplainedGroup' });

const explainedTree: z.ZodType<WireTree> = z
  .union([
    explainedGroup,
    z
      .object({ kind: z.literal('test'), ...testShape })
      .meta({ id: 'ExplainedLeaf', description: 'A test as a node of a tree.' }),
  ])
  .meta({ id: 'ExplainedTree', description: 'A condition with the truth of each node.' });

const explainedRule = z
  .object({
    rule_id: z.string(),
    kind: z.enum(['rule', 'territory', 'moratorium']),
    outcome: z.enum(['decline', 'refer', 'require', 'offer', 'inform']),
    code: z.string(),
    message: z.string(),
    program: z
      .string()
      .nullable()
      .meta({ description: 'The program of the rule; null if it applies to all programs.' }),
    truth,
    tests: z.array(explainedTest).meta({ description: 'The tests that decide the truth, or leave it undecided.' }),
    tree: explainedTree.optional().meta({ description: 'The whole condition, for a rule.' }),
  })
  .meta({ id: 'ExplainedRule', description: 'A rule, territory or moratorium, evaluated for the home.' });

/** The explanation of a verdict. */
export const explanationSchema = z
  .object({
    evaluator: z.enum(['compiled', 'reference']),
    decided_by: z.array(explainedRule).meta({
      description:
        'The rules that determine the status and, if it needs information, the rules that could still change it.',
    }),
    rules: z
      .array(explainedRule)
      .meta({ description: 'All rules that apply at the place of the home, each with its whole condition.' }),
    tiers: z
      .array(
        z.object({
          program_id: z.string(),
          status: z.enum(['eligible', 'referral', 'needs_information', 'ineligible']),
          decided_by: z.array(explainedRule),
        }),
      )
      .optional()
      .meta({ description: 'For a carrier with tiers: the rules that decide for each other tier.' }),
  })
  .meta({ id: 'Explanation' });

const fieldChange = z
  .object({
    field: z.string().meta({ description: 'Request name.' }),
    label: z.string(),
    unit: z.string().optional(),
    from: knownValueSchema,
    to: z.union([z.number(), z.string(), z.boolean()]).meta({ description: 'The nearest value that suffices.' }),
    word: z
      .string()
      .optional()
      .meta({ description: 'For a set: the word. `from` and `to` are true if the set contains it.' }),
    ranges: z
      .array(
        z.object({
          min: z.number(),
          max: z.number(),
          min_excluded: z.literal(true).optional(),
          max_excluded: z.literal(true).optional(),
        }),
      )
      .optional()
      .meta({ description: 'For a number: all values that suffice.' }),
    dates: z
      .array(z.object({ min: z.iso.date(), max: z.iso.date() }))
      .optional()
      .meta({ description: 'For a date: all values that suffice.' }),
    words: z.array(z.string()).optional().meta({ description: 'For a word: all values that suffice, including `to`.' }),
    text: z.string(),
  })
  .meta({ id: 'FieldChange', description: 'A change of one field, in the form of a request.' });

const settled = z.enum(['eligible', 'referral', 'ineligible']);

/** @param reason Schema of reasons. */
export const wouldChangeSchema = <Reason extends z.ZodType>(reason: Reason) =>
  z
    .object({
      aim: z.enum(['eligible', 'not_ineligible']).meta({ description: 'The status that the ways reach.' }),
      outcome: z.enum(['none_needed', 'ways', 'none_helps', 'not_known']).meta({
        description:
          '`ways`: the listed changes, with the fewest possible fields. `none_helps`: no change that a person can make suffices. `none_needed`: the status is reached already, or missing fields can lead to it. `not_known`: see `note`.',
      }),
      ways: z
        .array(
          z.object({
            changes: z.array(fieldChange),
            becomes: z.enum(['eligible', 'referral', 'needs_information', 'ineligible']),
            possible_statuses: z.array(settled),
            tier: z.string().optional().meta({ description: 'For a carrier with tiers: program id of the tier.' }),
          }),
        )
        .meta({
          description:
            'Each way has been evaluated: with every field at its `to` and no other change, the status is `becomes`.',
        }),
      blocked_by: z.array(reason).meta({ description: 'Reasons against eligible that cannot be changed.' }),
      note: z.string().optional(),
      conservative: z
        .literal(true)
        .optional()
        .meta({ description: 'The search reached its limit: fewer changes might suffice.' }),
    })
    .meta({ id: 'WouldChange', description: 'Smallest set of changes that would give a better status.' });

export type WireTest = z.infer<typeof explainedTest>;
export type WireTree =
  | { kind: 'all' | 'any' | 'not'; truth: WireTest['truth']; children: WireTree[]; truncated?: true | undefined }
  | ({ kind: 'test' } & WireTest);
export type WireRule = z.infer<typeof explainedRule>;
export type WireExplanation = z.infer<typeof explanationSchema>;
export type WireChange = z.infer<typeof fieldChange>;
export type WireKnownValue = z.infer<typeof knownValueSchema>;
