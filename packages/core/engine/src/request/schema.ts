import { footprintSchema, MAX_RADIUS_METERS, quoteValue, timePatterns, withoutEval } from '@leeward/terms';
import * as z from 'zod';
import { choiceSchema } from '../vocabulary/choice-field.ts';
import { flagSchema } from '../vocabulary/flag-field.ts';
import { listSchemaOf } from '../vocabulary/item-vocabulary.ts';
import { numberSchema } from '../vocabulary/number-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { distanceNames } from './distance-names.ts';

/** @param pattern for documents; the parser checks the value. */
function textSchema(name: string, maxLength: number, pattern?: string): z.ZodType<string | undefined> {
  return z
    .string()
    .max(maxLength)
    .meta(pattern === undefined ? {} : { pattern })
    .nullish()
    .catch((context) => context.value as never)
    .transform((value: unknown, context) => {
      if (value === null || value === undefined) return undefined;
      if (typeof value === 'string' && value.length <= maxLength && value.isWellFormed()) return value;
      const [code, message] =
        typeof value !== 'string'
          ? ['invalid_type', `${name} is ${quoteValue(value)}; give text.`]
          : value.length > maxLength
            ? ['invalid_length', `${name} has ${value.length} characters; give at most ${maxLength}.`]
            : ['invalid_text', `${name} holds broken characters (lone surrogates); give well-formed text.`];
      context.addIssue({ code: 'custom', message, params: { code } });
      return z.NEVER;
    }) as z.ZodType<string | undefined>;
}

/** Geocoders receive the text, so it must be well-formed. */
const addressText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((text) => text.isWellFormed());

const addressParts = withoutEval(() =>
  z
    .strictObject({
      line1: addressText(500).nullish(),
      city: addressText(200).nullish(),
      state: addressText(100).nullish(),
      zipcode: addressText(20).nullish(),
    })
    .meta({ id: 'AddressParts', description: 'An address in parts. A ZIP code alone gives an approximate location.' }),
);
/** An address in parts. Every part is optional. */
export type AddressParts = z.infer<typeof addressParts>;

/** Half the circumference of the Earth. */
export const MAX_DISTANCE = { miles: 12_450, feet: 65_736_000, meters: 20_036_000 } as const;

/** The schema of a line's underwriting requests: lenient in spelling, strict in meaning. */
export function createRequestSchema(vocabulary: Vocabulary): z.ZodObject {
  const shape: Record<string, z.ZodType> = {
    state: textSchema('state', 100).meta({ description: 'State name or abbreviation.', examples: ['tx'] }),
    policy_type: choiceSchema('policy_type', vocabulary.policyTypes, {
      spellings: vocabulary.policyTypeSpellings,
      code: 'unknown_policy_type',
    }).meta({
      description: 'Policy type; empty means all.',
    }),
    county: textSchema('county', 200).meta({
      description: 'County name, with or without the word county. A county of another state gives empty lists.',
      examples: ['harris'],
    }),
  };
  for (const field of vocabulary.fields) if (field.schema) shape[field.requestName] = field.schema;
  for (const list of vocabulary.lists ?? []) shape[list.name] = listSchemaOf(list);
  Object.assign(shape, {
    as_of: textSchema('as_of', 40, timePatterns.instant).meta({
      description: 'Time of the request, ISO 8601 with an offset; default now.',
    }),
    effective_date: textSchema('effective_date', 40, timePatterns.date).meta({
      description: 'Date the policy begins, YYYY-MM-DD.',
    }),
    address: z
      .union([addressText(10_000), addressParts])
      .nullish()
      .meta({ description: 'Address of the home.' }),
    lat: coordinateSchema('lat', coordinateLimits.lat),
    lng: coordinateSchema('lng', coordinateLimits.lng),
    radius_meters: numberSchema('radius_meters', { min: 0, max: MAX_RADIUS_METERS, integer: false }).meta({
      description: 'Radius around lat and lng that contains the building; distances then apply to the whole circle.',
    }),
    footprint: footprintSchema.nullish().transform((footprint) => footprint ?? undefined),
    ...distanceSchemas(vocabulary),
    include_declined: flagSchema('include_declined').meta({
      description: 'False leaves `declined` empty; default true.',
    }),
    include_not_offered: flagSchema('include_not_offered').meta({
      description:
        'True lists in `not_offered` the carriers and policy types that are not offered, with reasons; default false.',
    }),
    explain: flagSchema('explain').meta({ description: 'True adds the evaluation of every rule; default false.' }),
  });
  return withoutEval(() => z.looseObject(shape));
}

function distanceSchemas({ fields }: Vocabulary): Record<string, z.ZodType> {
  const names = distanceNames.filter(([, field]) => fields.some(({ name }) => name === field));
  return Object.fromEntries(
    names.map(([name, , unit, description]) => [
      name,
      numberSchema(name, { min: 0, max: MAX_DISTANCE[unit], integer: false, unit }).meta({ description }),
    ]),
  );
}

/** Maximum absolute values, in degrees. */
export const coordinateLimits = { lat: 90, lng: 180 } as const;

function coordinateSchema(name: 'lat' | 'lng', limit: number): z.ZodType {
  const expectation = `decimal degrees from -${limit} to ${limit}`;
  return z
    .number()
    .min(-limit)
    .max(limit)
    .nullish()
    .catch((context) => context.value as never)
    .transform((value: unknown, context) => {
      if (value === null || value === undefined) return undefined;
      if (typeof value === 'number' && Math.abs(value) <= limit) return value === 0 ? 0 : value;
      const swapped = name === 'lat' && typeof value === 'number' && Math.abs(value) <= 180;
      const message = `${name} is ${quoteValue(value)}; give ${expectation}.${swapped ? ' Are lat and lng swapped?' : ''}`;
      context.addIssue({
        code: 'custom',
        message,
        params: { code: typeof value === 'number' ? 'out_of_range' : 'invalid_type' },
      });
      return z.NEVER;
    })
    .meta({ description: `${name === 'lat' ? 'Latitude' : 'Longitude'} in ${expectation}.` });
}
