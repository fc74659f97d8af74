import { stateCodes } from '@leeward/places/counties';
import { inclusions, settlements } from '@leeward/quotes';
import { z } from 'zod';
import { financialStrength } from '../financial-strength.ts';

const decimal = (description: string) =>
  z
    .string()
    .regex(/^\d{1,12}(\.\d{1,9})?$/)
    .meta({ description, examples: ['1.045'] });
const amount = (description: string) =>
  z
    .string()
    .regex(/^\d{1,12}\.\d{2}$/)
    .meta({ description, examples: ['25.00'] });
const id = z.string().min(1).max(100).meta({ description: 'Unique among its kind.' });
const code = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/)
  .meta({ description: 'For programs: lower-case letters, digits and underscores.' });
const name = z.string().min(1).max(200);
const comment = z.unknown().optional().meta({ description: 'A note for people; ignored.' });
const point = z.tuple([z.number(), decimal('The factor there.')]);

const territorySchema = z
  .strictObject({
    id,
    counties: z
      .record(z.string(), z.array(z.string().min(1)).min(1))
      .optional()
      .meta({ description: 'County names by state, without the word county.' }),
    zip_prefixes: z
      .array(z.string().regex(/^\d{3,5}$/))
      .min(1)
      .optional()
      .meta({ description: 'First three to five digits of ZIP codes.' }),
    rate: decimal('Premium for every `per` of the base field.'),
    $comment: comment,
  })
  .meta({ description: 'Places of a rate. The first match applies; the last may omit places and match everything.' });

const factorSchema = z
  .strictObject({
    id,
    field: z.string().min(1).max(100).meta({
      description:
        'A field of the quote, or form_type, home_age, roof_age, insured_age, requested_coverages.hurricane.percent.',
    }),
    values: z.record(z.string(), decimal('The factor for this value.')).optional(),
    otherwise: decimal('The factor for values that are not listed.').optional(),
    points: z
      .array(point)
      .min(2)
      .optional()
      .meta({ description: 'Factors at some numbers, interpolated between them.' }),
    bands: z.array(point).min(1).optional().meta({ description: 'Factors from each number on.' }),
    missing: decimal('Factor if the field is missing. Only optional fields can be missing.').optional(),
    $comment: comment,
  })
  .meta({ description: 'Multiplies the premium: one of values, points and bands.' });

const chargeSchema = z.strictObject({
  code,
  name,
  amount: amount('Dollars and cents.').optional(),
  percent: decimal('Percent of the premium.').optional(),
  $comment: comment,
});

const taxSchema = chargeSchema.extend({
  on: z.enum(['premium', 'premium_and_fees']).optional().meta({ description: 'Taxed amount. Default: the premium.' }),
});

const planAmountSchema = z.strictObject({
  code,
  name,
  amount: amount('Dollars and cents.').optional(),
  percent_of_dwelling: decimal('Percent of coverage A.').optional(),
  percent_options: z
    .array(decimal('A percentage that a request may choose.'))
    .min(1)
    .optional()
    .meta({ description: 'With percent_of_dwelling: the percentages that `requested_coverages` may choose.' }),
  inclusion: z.enum(inclusions).optional(),
  settlement: z.enum(settlements).optional(),
  $comment: comment,
});

const programSchema = z.strictObject({
  id,
  form_types: z
    .array(z.string().min(1).max(100))
    .min(1)
    .meta({ description: 'Form types of one line of business: ho3, dp3, wind only …' }),
  states: z.array(z.enum(stateCodes as [string, ...string[]])).min(1),
  base: z.strictObject({
    field: z.string().min(1).max(100).meta({ description: 'Usually dwelling_a.' }),
    per: decimal('Amount of the field that costs the rate once.'),
    $comment: comment,
  }),
  territories: z.array(territorySchema).min(1),
  factors: z.array(factorSchema),
  minimum_premium: amount('Before fees and taxes.'),
  rounding: z.strictObject({
    to: amount('The premium is a multiple of this, before fees and taxes.'),
    mode: z.enum(['half_up', 'up', 'down']),
    $comment: comment,
  }),
  fees: z.array(chargeSchema).optional(),
  taxes: z.array(taxSchema).optional(),
  coverages: z.array(planAmountSchema).optional(),
  deductibles: z.array(planAmountSchema).optional(),
  endorsements: z.array(planAmountSchema).optional(),
  valid_days: z.int().min(1).max(365),
  quote_url: z.string().optional().meta({ description: 'Address of the quote, with {number} for its number.' }),
  $comment: comment,
});

/** `rating-plan.json`. */
export const ratingPlanSchema = z
  .strictObject({
    $schema: z.string().optional(),
    format: z.literal(1),
    carrier: z.strictObject({ key: code, name, financial_strength: financialStrength.optional(), $comment: comment }),
    version: z.string().min(1).max(50),
    effective: z.strictObject({ from: z.iso.date(), until: z.iso.date().nullable(), $comment: comment }),
    programs: z.array(programSchema).min(1),
    $comment: comment,
  })
  .meta({ title: 'Rating plan', description: 'Premiums of one carrier.' });

/** Amounts are decimal texts. */
export type RatingPlanFile = z.infer<typeof ratingPlanSchema>;
export type ProgramFile = RatingPlanFile['programs'][number];

/**
 * JSON Schema (2020-12) of `rating-plan.json`, for editors.
 * @example
 * writeFileSync('rating-plan-1.json', JSON.stringify(ratingPlanJsonSchema()));
 */
export function ratingPlanJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(ratingPlanSchema, { io: 'input' });
  return { $schema, $id: 'https://unpkg.com/@leeward/carriers/schema/rating-plan-1.json', ...schema };
}
