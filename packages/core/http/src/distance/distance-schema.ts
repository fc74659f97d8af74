import { footprintSchema, MAX_RADIUS_METERS } from '@leeward/terms';
import { z } from 'zod';

const coordinate = (limit: number, what: string) =>
  z
    .number({ error: `give decimal degrees from -${limit} to ${limit}` })
    .nullish()
    .meta({ description: `${what} in decimal degrees, WGS 84.` });

const part = (most: number) => z.string().max(most).nullish();

/** One request for a distance: an address, a point, or the ground that a building covers. Which go together is checked by our own code. */
export const distanceRequest = z
  .strictObject({
    address: z
      .union([
        z.string(),
        z
          .strictObject({ line1: part(500), city: part(200), state: part(100), zipcode: part(20) })
          .meta({ id: 'AddressFields', description: 'Enough of it to find a place; a ZIP alone will do, labelled.' }),
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
      .meta({ description: 'Of lat and lng: the building lies within, and the distance is that of all of it.' }),
    footprint: footprintSchema.nullish(),
    coast: z
      .string()
      .max(100)
      .nullish()
      .meta({
        description:
          'What counts as coast: `tidal` (default: bays, sounds and estuaries count); `ocean`, the shore of water 3.2 km from land on either side; `ocean_narrow` (1.6 km), `ocean_wide` (10 km); `great_lakes`; `mean_high_water`, from which the wind-borne debris region reaches one mile inland; or a layer of the coastline served here.',
        examples: ['tidal', 'ocean', 'great_lakes', 'mean_high_water'],
      }),
  })
  .meta({ id: 'DistanceRequest', dependentRequired: { lat: ['lng'], lng: ['lat'] } });
/** Body of `/v1/distance-to-coast`, as it was read. */
export type DistanceRequest = z.infer<typeof distanceRequest>;

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
      description:
        'The home lies within, in 95 % of cases: as measured, where the place was reckoned. One in twenty does not.',
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
          'How it was found: as given; by a record of the house; on a range of house numbers; between known houses; the street alone; the ZIP code; the city; as another geocoder has it.',
      }),
    detail: z.string().optional().meta({ description: 'The same in words: the range, the neighbours, the record.' }),
    retrieved_at: z.string().optional().meta({
      description: 'When a geocoder on a network gave it; answers are kept for a day.',
    }),
    matched_address: z.string().optional(),
    attribution: z.string().optional(),
  })
  .meta({ id: 'Location', description: 'How the place was found, and how far off it may be.' });

export const datasetSchema = z
  .object({
    name: z.string(),
    version: z.string(),
    accuracy_meters: z.number().meta({ description: 'The true shore lies within, in 95 % of cases.' }),
    attribution: z.string().meta({ description: 'Whom the licence of the data wants named where it is shown.' }),
  })
  .meta({ id: 'Dataset' });

/** Schema of an answer of `/v1/distance-to-coast`: kilometers, feet and miles; degrees. */
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
        'Within what the true distance lies: the errors of place and shore together, each of which holds in 95 % of cases, and tidal rivers that the shore does not show. Not symmetric. Rules take it as it stands.',
    }),
    decided_by: z.object({ distance: z.string(), min: z.string(), max: z.string() }).optional().meta({
      description:
        'Where tidal rivers or gauges beyond the shore tell any of these, and of `mean_high_water`: the datasets of the distance, the least and the greatest.',
    }),
    footprint: z.object({ nearest: footprintPoint, farthest: footprintPoint }).optional().meta({
      description:
        'Of a footprint or a radius: its point that is nearest to the shore, which is that of `address` and `distance`, and the one whose nearest shore is the farthest. `range_meters` holds every point of it.',
    }),
    on_land: z.boolean().nullable().meta({
      description:
        'Null where the data, or the radius of the place, does not tell. False only farther out in the water than twice what the shore may be off.',
    }),
    shore: z.string().meta({ description: 'The name of the shore: Atlantic, Gulf, Pacific …' }),
    wind_borne_debris: z
      .object({
        within_one_mile: z
          .boolean()
          .nullable()
          .meta({ description: 'Null where the range spans one mile (1,609.344 m).' }),
      })
      .optional()
      .meta({
        description:
          'With `coast: "mean_high_water"`: the half of the wind-borne debris region that hangs on distance. Design wind speed and exposure decide the other.',
      }),
    coast_definition: z.string().meta({ description: 'The layer that counted as coast.' }),
    warnings: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
  })
  .meta({ id: 'DistanceToCoast' });
/** Answer of `/v1/distance-to-coast`. */
export type DistanceResponse = z.infer<typeof distanceResponse>;
