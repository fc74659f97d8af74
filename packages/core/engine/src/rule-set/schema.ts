import { withoutEval } from '@leeward/terms';
import * as z from 'zod';
import { operatorNames } from '../condition/operators.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import { homeVocabulary } from '../vocabulary/home.ts';

/** Outcomes from worst to mildest. */
export const outcomes = ['decline', 'refer', 'require', 'offer', 'inform'] as const;
/** Outcome of a rule that holds, worst first: decline, refer, require, offer, inform. */
export type Outcome = (typeof outcomes)[number];

const comment = z.unknown().optional().meta({ description: 'A note for people; ignored.' });
const facts = factIndex(homeVocabulary).names;

export interface ConditionFile {
  all?: ConditionFile[] | undefined;
  any?: ConditionFile[] | undefined;
  not?: ConditionFile | undefined;
  condition?: string | undefined;
  fact?: string | undefined;
  count?: string | undefined;
  sum?: string | undefined;
  min?: unknown;
  max?: unknown;
  of?: string | undefined;
  where?: ConditionFile | undefined;
  add?: unknown[] | undefined;
  subtract?: unknown[] | undefined;
  multiply?: unknown[] | undefined;
  percent_of?: unknown[] | undefined;
  miles_to?: string | undefined;
  operator?: string | undefined;
  value?: unknown;
  path?: string | undefined;
  params?: Record<string, unknown> | undefined;
  priority?: number | undefined;
  name?: string | undefined;
  $comment?: unknown;
}

/** Combinations of keys are checked in code, for clearer faults. */
export const conditionSchema: z.ZodType<ConditionFile> = withoutEval(() =>
  z
    .strictObject({
      get all() {
        return z.array(conditionSchema).optional().meta({ description: 'All of these must hold.' });
      },
      get any() {
        return z.array(conditionSchema).optional().meta({ description: 'One or more of these must hold.' });
      },
      get not() {
        return conditionSchema.optional().meta({ description: 'This must not hold.' });
      },
      condition: z.string().optional().meta({ description: 'Name of a shared condition of this file.' }),
      fact: z.string().optional().meta({ description: 'The tested fact.', examples: facts }),
      count: z.string().optional().meta({ description: 'The number of items of this list that match "where".' }),
      sum: z
        .string()
        .optional()
        .meta({ description: 'The sum of "of" over the items of this list that match "where".' }),
      min: z.unknown().optional().meta({
        description: 'The minimum of "of" over the items of this list that match "where"; or of some numbers.',
      }),
      max: z.unknown().optional().meta({
        description: 'The maximum of "of" over the items of this list that match "where"; or of some numbers.',
      }),
      of: z.string().optional().meta({ description: 'The number of each item that sum, min and max use.' }),
      get where() {
        return conditionSchema
          .optional()
          .meta({ description: 'Tests of the fields of one item; without it, every item counts.' });
      },
      add: z.array(z.unknown()).optional().meta({ description: 'The sum of some numbers.' }),
      subtract: z.array(z.unknown()).optional().meta({ description: 'The first number minus the second.' }),
      multiply: z.array(z.unknown()).optional().meta({ description: 'The product of some numbers.' }),
      percent_of: z
        .array(z.unknown())
        .optional()
        .meta({ description: 'The first number as a percentage of the second: percentage × number ÷ 100.' }),
      miles_to: z
        .string()
        .optional()
        .meta({ description: 'Miles from the nearest part of the building to an area of this file; 0 inside.' }),
      operator: z.string().optional().meta({ description: 'The comparison.', examples: operatorNames }),
      value: z
        .unknown()
        .optional()
        .meta({ description: 'The value to compare with: a value, a list, { "fact": … }, or an expression.' }),
      path: z
        .string()
        .optional()
        .meta({ description: 'Dotted names of own properties inside a fact that is an object.' }),
      params: z.record(z.string(), z.unknown()).optional(),
      priority: z.number().optional(),
      name: z.string().optional(),
      $comment: comment,
    })
    .meta({ id: 'Condition', description: 'A condition: all, any, not, a shared condition, or a test of a fact.' }),
);

export const ruleSchema = withoutEval(() =>
  z
    .strictObject({
      id: z.string().min(1).max(100).optional().meta({ description: 'Unique in the file.' }),
      outcome: z
        .string()
        .optional()
        .meta({ description: 'Outcome if the rule holds.', enum: [...outcomes] }),
      code: z
        .string()
        .max(100)
        .optional()
        .meta({
          description: 'A registered code, or a custom code x_….',
          anyOf: [{ enum: [...homeVocabulary.codes] }, { pattern: '^x_' }],
        }),
      message: z.string().max(2000).optional().meta({ description: 'Shown to agents; may quote facts in braces.' }),
      terms: z
        .record(z.string(), z.unknown())
        .optional()
        .meta({ description: 'For outcome "offer": the terms under which the home is accepted.' }),
      when: conditionSchema.optional().meta({ description: 'The rule holds if this is true.' }),
      unless: conditionSchema.optional().meta({ description: 'The rule holds if this is false.' }),
      conditions: conditionSchema.optional().meta({ description: 'json-rules-engine form: read as when.' }),
      event: z
        .strictObject({ type: z.string(), params: z.record(z.string(), z.unknown()).optional() })
        .optional()
        .meta({ description: 'json-rules-engine form: the outcome and its code and message.' }),
      name: z.union([z.string(), z.number()]).optional().meta({ description: 'json-rules-engine form: the id.' }),
      priority: z.number().optional().meta({ description: 'Orders reasons, highest first; never changes a status.' }),
      $comment: comment,
    })
    .meta({ id: 'Rule' }),
);

const countySelection = withoutEval(() =>
  z
    .strictObject({
      include: z.array(z.string()).optional().meta({ description: 'Only these counties.' }),
      exclude: z.array(z.string()).optional().meta({ description: 'All counties but these.' }),
      $comment: comment,
    })
    .meta({ id: 'CountySelection' }),
);
const states = z.array(z.string().meta({ description: 'Lower-case abbreviation.' }));
const policyTypes = z.array(z.string().meta({ enum: [...homeVocabulary.policyTypes] }));
const counties = z.record(z.string(), countySelection).meta({ description: 'By state: one of include or exclude.' });
/** Largest rank of a tier. */
const MAX_RANK = 1000;
const instant = z.iso.datetime({ offset: true });

const tierSchema = withoutEval(() =>
  z
    .strictObject({
      of: z.string().min(1).max(100).meta({ description: 'The ladder: programs with the same text form one.' }),
      rank: z
        .int()
        .min(1)
        .max(MAX_RANK)
        .meta({ description: 'Whole number from 1. The lowest rank is the best tier.' }),
      name: z.string().min(1).max(100).optional().meta({ description: 'Shown to agents, such as "Preferred".' }),
      $comment: comment,
    })
    .meta({ id: 'Tier', description: 'Makes the program a tier: the best tier that takes a home is named.' }),
);

export const programSchema = withoutEval(() =>
  z
    .strictObject({
      id: z.string().min(1).max(100),
      policy_types: policyTypes.min(1),
      states: states.min(1),
      counties: counties.optional(),
      tier: tierSchema.optional(),
      rules: z.array(ruleSchema).optional(),
      $comment: comment,
    })
    .meta({ id: 'Program' }),
);

export const moratoriumSchema = withoutEval(() =>
  z
    .strictObject({
      id: z.string().min(1).max(100),
      from: instant.optional().meta({
        description: 'Start, with an offset. Required unless the moratorium has a condition.',
      }),
      until: instant.nullish().meta({ description: 'End (excluded); null while open.' }),
      states: states.optional(),
      counties: counties.optional(),
      policy_types: policyTypes.optional(),
      when: conditionSchema.optional().meta({
        description: 'The moratorium is in force only while this is true: a storm is near, an alert is in force.',
      }),
      unless: conditionSchema.optional().meta({ description: 'Homes for which this is true are exempt.' }),
      message: z
        .string()
        .max(2000)
        .meta({ description: 'Shown to agents; {event} quotes the names of the events of the condition.' }),
      $comment: comment,
    })
    .meta({ id: 'Moratorium' }),
);
export type MoratoriumFile = z.infer<typeof moratoriumSchema>;

export const allowedFindingSchema = withoutEval(() =>
  z
    .strictObject({
      code: z.string().min(1).max(100).meta({ description: 'Code of the finding.' }),
      rule_id: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .meta({ description: 'The rule of the finding; omit it for findings without a rule.' }),
      why: z
        .string()
        .regex(/\S/)
        .max(2000)
        .meta({ description: 'Reason for accepting it; printed in the approval report.' }),
      $comment: comment,
    })
    .meta({ id: 'AllowedFinding' }),
);

const certaintyError = 'give a number above 0.5 and below 1, such as 0.95 for 95 %, or leave certainty out';

/** The zod schema of rule set files. It checks shapes only; `checkRuleSet` checks the rest. */
export const ruleSetSchema = withoutEval(() =>
  z
    .strictObject({
      $schema: z.string().optional(),
      format: z.literal(1),
      carrier: z.strictObject({
        key: z
          .string()
          .regex(/^[a-z][a-z0-9_]{0,63}$/)
          .meta({ description: 'Lower-case letters, digits and underscores.' }),
        name: z.string().min(1).max(200),
        $comment: comment,
      }),
      line: z.string().default('home'),
      version: z.string().min(1).max(100),
      effective: z
        .strictObject({ from: z.iso.date(), until: z.iso.date().nullish(), $comment: comment })
        .meta({ description: 'Range of effective dates: the first date, and the first date after it (null: open).' }),
      certainty: z
        .number({ error: certaintyError })
        .gt(0.5, { error: certaintyError })
        .lt(1, { error: certaintyError })
        .optional()
        .meta({
          description:
            'Certainty with which tests of measured distances are answered, above 0.5 and below 1, such as 0.95. Without it, a distance decides only if its whole range does.',
        }),
      conditions: z.record(z.string(), conditionSchema).optional(),
      outcomes: z
        .record(
          z.string(),
          z.union([z.string().meta({ enum: [...outcomes] }), z.strictObject({ otherwise: z.string() })]),
        )
        .optional()
        .meta({ description: 'json-rules-engine events: the outcome of each event type.' }),
      areas: z
        .record(z.string(), z.unknown())
        .optional()
        .meta({ description: 'Areas by name: polygons, lines and points with within_miles, or lists of ZIP codes.' }),
      rules: z.array(ruleSchema).optional().meta({ description: 'Rules of all programs.' }),
      programs: z.array(programSchema).min(1),
      moratoria: z.array(moratoriumSchema).optional(),
      allow: z
        .array(allowedFindingSchema)
        .optional()
        .meta({ description: 'Accepted findings of the analysis, each with a reason.' }),
      $comment: comment,
    })
    .meta({ id: 'RuleSet', title: 'Leeward rule set, format 1' }),
);
