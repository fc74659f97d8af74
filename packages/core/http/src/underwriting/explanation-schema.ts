import { z } from 'zod';

const truth = z.enum(['true', 'false', 'undecided']).meta({
  id: 'Truth',
  description: 'Whether it holds; `undecided` while it hangs on a field that was not given.',
});

export const knownValue = z
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
      'What is known: a value, bounds with their ends, one of several words, or null where nobody said. A fact of a host’s own may be any JSON.',
  });

const testShape = {
  fact: z.string().meta({ description: 'Fact, operator and limit as the author of the rules wrote them.' }),
  operator: z.string(),
  limit: knownValue,
  limit_fact: z
    .string()
    .optional()
    .meta({ description: 'Where the limit is another fact: its name; `limit` is then what is known of that.' }),
  field: z.string().meta({ description: 'Request name under which the fact is given.' }),
  label: z.string(),
  unit: z.string().optional(),
  value: knownValue,
  inferred: z
    .literal(true)
    .optional()
    .meta({ description: 'Nobody gave the value: what is known follows from a related field.' }),
  truth,
  text: z.string().meta({ description: 'The same as a sentence.' }),
};

const explainedTest = z
  .object(testShape)
  .meta({ id: 'ExplainedTest', description: 'One test of a rule: what it asks, what the home has, whether it holds.' });

const explainedGroup = z
  .object({
    kind: z.enum(['all', 'any', 'not']),
    truth,
    get children() {
      return z.array(explainedTree);
    },
    truncated: z.literal(true).optional().meta({ description: 'Children are left out of a tree too large to tell.' }),
  })
  .meta({ id: 'ExplainedGroup' });

const explainedTree: z.ZodType<WireTree> = z
  .union([
    explainedGroup,
    z
      .object({ kind: z.literal('test'), ...testShape })
      .meta({ id: 'ExplainedLeaf', description: 'A test, as a node.' }),
  ])
  .meta({ id: 'ExplainedTree', description: 'A condition with the truth of each of its nodes, test by test.' });

const explainedRule = z
  .object({
    rule_id: z.string(),
    kind: z.enum(['rule', 'territory', 'moratorium']),
    outcome: z.enum(['decline', 'refer', 'require', 'inform']),
    code: z.string(),
    message: z.string(),
    program: z.string().nullable().meta({ description: 'The program it belongs to; null for what applies to all.' }),
    truth,
    tests: z
      .array(explainedTest)
      .meta({ description: 'The tests on which its truth rests: those that make it so, or leave it undecided.' }),
    tree: explainedTree.optional().meta({ description: 'The whole condition; a rule’s alone.' }),
  })
  .meta({ id: 'ExplainedRule', description: 'A rule, territory or moratorium, and what it says of the home.' });

/** Why an entry says what it says. */
export const explanationSchema = z
  .object({
    evaluator: z.enum(['compiled', 'reference']),
    decided_by: z.array(explainedRule).meta({
      description: 'Those behind the status and, while it needs information, those that could still change it.',
    }),
    rules: z
      .array(explainedRule)
      .meta({ description: 'Every one that applies where the home stands, each with its whole condition.' }),
  })
  .meta({ id: 'Explanation' });

const fieldChange = z
  .object({
    field: z.string().meta({ description: 'Request name.' }),
    label: z.string(),
    unit: z.string().optional(),
    from: knownValue,
    to: z.union([z.number(), z.string(), z.boolean()]).meta({ description: 'The nearest value that does.' }),
    word: z
      .string()
      .optional()
      .meta({ description: 'Of a set: the word that is meant; from and to say whether the set contains it.' }),
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
      .meta({ description: 'Of a number: all that do as well.' }),
    dates: z
      .array(z.object({ min: z.iso.date(), max: z.iso.date() }))
      .optional()
      .meta({ description: 'Of a date: all that do as well.' }),
    words: z.array(z.string()).optional().meta({ description: 'Of a word: all that do as well, `to` among them.' }),
    text: z.string(),
  })
  .meta({ id: 'FieldChange', description: 'One field to change, as a request would give it.' });

const settled = z.enum(['eligible', 'referral', 'ineligible']);

/** What would change an entry; `reason` is that of the decision. */
export const wouldChangeSchema = <Reason extends z.ZodType>(reason: Reason) =>
  z
    .object({
      aim: z.enum(['eligible', 'not_ineligible']).meta({ description: 'What the ways reach.' }),
      outcome: z.enum(['none_needed', 'ways', 'none_helps', 'not_known']).meta({
        description:
          '`ways`: those given, of as few fields as it takes. `none_helps`: nothing that a person can change does. `none_needed`: it is there already, or what is missing can lead there. `not_known`: see `note`.',
      }),
      ways: z
        .array(
          z.object({
            changes: z.array(fieldChange),
            becomes: z.enum(['eligible', 'referral', 'needs_information', 'ineligible']),
            possible_statuses: z.array(settled),
          }),
        )
        .meta({
          description: 'Each was judged: with every field at its `to`, and no other changed, the status is `becomes`.',
        }),
      blocked_by: z.array(reason).meta({ description: 'What stands in the way of eligible and cannot be changed.' }),
      note: z.string().optional(),
      conservative: z.literal(true).optional().meta({ description: 'A search ran out: fewer changes might do.' }),
    })
    .meta({ id: 'WouldChange', description: 'The fewest changes that would give a better answer.' });

export type WireTest = z.infer<typeof explainedTest>;
export type WireTree =
  | { kind: 'all' | 'any' | 'not'; truth: WireTest['truth']; children: WireTree[]; truncated?: true | undefined }
  | ({ kind: 'test' } & WireTest);
export type WireRule = z.infer<typeof explainedRule>;
export type WireExplanation = z.infer<typeof explanationSchema>;
export type WireChange = z.infer<typeof fieldChange>;
export type WireKnownValue = z.infer<typeof knownValue>;
