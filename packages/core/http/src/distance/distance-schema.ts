import { acrossFields, footprintSchema, MAX_RADIUS_METERS } from '@leeward/terms';
import { z } from 'zod';

const coordinate = (limit: number, what: string) =>
  z
    .number({ error: `give decimal degrees from -${limit} to ${limit}` })
    // `findPlace` checks the range.
    .meta({ minimum: -limit, maximum: limit })
    .nullish()
    .meta({ description: `${what} in decimal degrees, WGS 84.` });

const part = (max: number) => z.string().max(max).nullish();

const unitWords = 'give { "feet": 1000 }, { "miles": 1 } or { "meters": 500 }';
const limit = z.number({ error: 'give a number above 0' }).positive({ error: 'give a number above 0' }).nullish();
const MAX_LIMITS = 10;

/** A distance in one unit. */
const distanceLimit = z
  .strictObject({ feet: limit, miles: limit, meters: limit }, { error: unitWords })
  .superRefine((value, context) => {
    const names = Object.entries(value).flatMap(([name, each]) => (each === null || each === undefined ? [] : [name]));
    if (names.length === 1) return;
    const has = names.length === 0 ? 'no unit' : names.join(' and ');
    const message = `This distance has ${has}; ${unitWords}.`;
    context.addIssue({ code: 'custom', message, params: { code: names.length === 0 ? 'required' : 'several_units' } });
  })
  .meta({
    minProperties: 1,
    ...acrossFields({
      someOf: [['feet', 'miles', 'meters']],
      apart: [
        ['feet', 'miles'],
        ['feet', 'meters'],
        ['miles', 'meters'],
      ],
    }),
  });

/** Fields of a place that go together. `findPlace` checks them. */
export const placeRules = {
  needs: [
    ['lat', 'lng'],
    ['lng', 'lat'],
    ['radius_meters', 'lat'],
  ],
  apart: [
    ['address', 'lat'],
    ['address', 'footprint'],
    ['footprint', 'lat'],
  ],
} as const;

/** The request of `/v1/distance-to-coast`. */
export const distanceRequest = z
  .strictObject({
    address: z
      .union([
        z.string(),
        z.strictObject({ line1: part(500), city: part(200), state: part(100), zipcode: part(20) }).meta({
          id: 'AddressFields',
          description: 'Parts of an address; a ZIP code alone is enough for a coarse place.',
        }),
      ])
      .nullish()
      .meta({ description: 'One line, or its parts.', examples: ['1600 Ocean Dr, Miami Beach FL 33139'] }),
    lat: coordinate(90, 'Latitude'),
    lng: coordinate(180, 'Longitude'),
    radius_meters: z
      .number({ error: `give meters, more than 0 and at most ${MAX_RADIUS_METERS}` })
      .positive()
      .max(MAX_RADIUS_METERS)
      .nullish()
      .meta({
        description: 'The building lies within this radius of lat and lng; the distance is that of the whole circle.',
      }),
    footprint: footprintSchema.nullish(),
    coast: z
      .string()
      .max(100)
      .nullish()
      .meta({
        description:
          'The shore to measure to. `tidal` (default): bays, sounds and estuaries count. `ocean`: the shore of water 3.2 km from land on either side; `ocean_narrow` 1.6 km, `ocean_wide` 10 km. `great_lakes`. `mean_high_water`: the line from which the wind-borne debris region reaches one mile inland. Or a layer of the coastline served here.',
        examples: ['tidal', 'ocean', 'great_lakes', 'mean_high_water'],
      }),
    probability_within: z
      .array(distanceLimit, { error: 'give a list of distances' })
      .max(MAX_LIMITS, { error: `give a list of at most ${MAX_LIMITS}` })
      .nullish()
      .meta({
        description: `Up to ${MAX_LIMITS} distances, each in one unit. The answer has the probability that the shore is within each.`,
        examples: [[{ feet: 1000 }, { miles: 1 }, { meters: 500 }]],
      }),
  })
  .meta({
    id: 'DistanceRequest',
    dependentRequired: { lat: ['lng'], lng: ['lat'] },
    ...acrossFields({ ...placeRules, someOf: [['address', 'lat', 'footprint']] }),
  });

const place = z.object({ lat: z.number(), lng: z.number() });
const footprintPoint = place.extend({
  meters: z.number(),
  coast: place.meta({ description: 'The nearest point of the shore.' }),
});
const inFourUnits = <Value extends z.ZodType>(value: Value) =>
  z.object({ kilometers: value, meters: value, feet: value, miles: value });

export const locationSchema = z
  .object({
    source: z.string().meta({ description: '`coordinates`, or the geocoder that found the place.' }),
    precision: z.enum(['exact', 'rooftop', 'parcel', 'interpolated', 'street', 'zip_centroid', 'city_centroid']),
    error_radius_meters: z.number().meta({
      description: 'The home lies within this radius in 95 % of cases, by measurement.',
    }),
    method: z
      .enum([
        'coordinates',
        'address_point',
        'address_range',
        'between_houses',
        'street',
        'zip_point',
        'city_points',
        'other_geocoder',
      ])
      .meta({
        description:
          '`coordinates`: given in the request. `address_point`: record of the house. `address_range`: range of house numbers. `between_houses`: between known houses. `street`: the street. `zip_point`: the ZIP code. `city_points`: the city. `other_geocoder`: another geocoder, which does not name its method.',
      }),
    detail: z.string().optional().meta({ description: 'The method in words: the range, the neighbours, the record.' }),
    retrieved_at: z.string().optional().meta({
      description: 'Time at which a geocoder on a network returned it; answers are cached for a day.',
    }),
    matched_address: z.string().optional(),
    attribution: z.string().optional(),
  })
  .meta({ id: 'Location', description: 'The method that found the place, and its error.' });

export const datasetSchema = z
  .object({
    name: z.string(),
    version: z.string(),
    accuracy_meters: z
      .number()
      .meta({ description: 'The true shore lies within this distance of the drawn one in 95 % of cases.' }),
    attribution: z
      .string()
      .meta({ description: 'The licence of the data requires this text wherever the data is shown.' }),
  })
  .meta({ id: 'Dataset' });

/** The answer of `/v1/distance-to-coast`. */
export const distanceResponse = z
  .object({
    address: place.meta({ description: 'Decimal degrees of the address.' }),
    coast: place.meta({ description: 'Decimal degrees of the nearest point of the shore.' }),
    distance: z.object({ raw: inFourUnits(z.number()), formatted: inFourUnits(z.string()) }),
    direction_to_coast: z.string(),
    bearing_degrees: z.string(),
    compass_point: z.string(),
    location: locationSchema,
    dataset: datasetSchema,
    range_meters: z.object({ min: z.number(), max: z.number() }).meta({
      description:
        'The true distance lies in this range. It combines the errors of place and shore, each of which holds in 95 % of cases, and tidal rivers that the shore does not show. Not symmetric. Rules use this range.',
    }),
    probability_within: z
      .array(
        z.object({
          feet: z.number().optional(),
          miles: z.number().optional(),
          meters: z.number(),
          probability: z.number().nullable().meta({
            description:
              'Null if the shore has no probabilities: a coastline without calibrated errors, or `mean_high_water` between two layers.',
          }),
        }),
      )
      .optional()
      .meta({
        description:
          'For the distances requested, in their order: the probability that the true distance is at most that. It combines the errors of shore and place. A geocoder’s radius r counts as the circle of 95 % of a normal distribution, so the place varies by r / 2.448 (one standard deviation) along the direction to the shore. For a footprint, the distance is that of its nearest point; a building is anywhere in the circle of `radius_meters`.',
      }),
    decided_by: z.object({ distance: z.string(), min: z.string(), max: z.string() }).optional().meta({
      description:
        'The datasets that determine the distance, its minimum and its maximum. Present if tidal rivers or gauges beyond the shore determine one of them, and for `mean_high_water`.',
    }),
    footprint: z.object({ nearest: footprintPoint, farthest: footprintPoint }).optional().meta({
      description:
        'For a footprint or a radius: its point nearest to the shore, which is that of `address` and `distance`, and its point farthest from the shore. `range_meters` covers every point of it.',
    }),
    on_land: z.boolean().nullable().meta({
      description:
        'Null if the accuracy of the data or of the place does not decide it. False only in the water, farther from the shore than twice its error.',
    }),
    shore: z.string().meta({ description: 'The name of the shore: Atlantic, Gulf, Pacific …' }),
    wind_borne_debris: z
      .object({
        within_one_mile: z
          .boolean()
          .nullable()
          .meta({ description: 'Null if the range spans one mile (1,609.344 m).' }),
      })
      .optional()
      .meta({
        description:
          'With `coast: "mean_high_water"`: the part of the wind-borne debris region that depends on distance. Design wind speed and exposure decide the rest.',
      }),
    coast_definition: z.string().meta({ description: 'The layer that counted as coast.' }),
    warnings: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
  })
  .meta({ id: 'DistanceToCoast' });
/** The answer of `/v1/distance-to-coast`. */
export type DistanceResponse = z.infer<typeof distanceResponse>;
