import * as z from 'zod';
import { withoutEval } from '../schema/zod-schema.ts';

/** In degrees, WGS 84. */
type Position = readonly [longitude: number, latitude: number, ...rest: number[]];
type Polygon = readonly (readonly Position[])[];

/** Ground of a building (RFC 7946). The first ring of a polygon is the outer one, the others are holes. */
export interface GeoJsonFootprint {
  readonly type: 'Polygon' | 'MultiPolygon';
  readonly coordinates: readonly Polygon[] | Polygon;
}

/** A campus fits; a county does not. */
const MAX_EXTENT_DEGREES = 0.25;
const MAX_POSITIONS = 2_000;
/** Radius of a point. */
export const MAX_RADIUS_METERS = 10_000;

/**
 * Returns the polygons of a footprint that `footprintSchema` accepted.
 * @example
 * polygonsOf({ type: 'Polygon', coordinates: rings }); // [rings]
 */
export function polygonsOf({ type, coordinates }: GeoJsonFootprint): readonly Polygon[] {
  return type === 'Polygon' ? [coordinates as Polygon] : (coordinates as readonly Polygon[]);
}

/** For documents: lists of rings, or of polygons. `findFault` checks them. */
const coordinates = z
  .array(z.unknown())
  .meta({ minItems: 1, items: { type: 'array', minItems: 1, items: { type: 'array', minItems: 1 } } });

/** Schema of a footprint. Reports the first fault only. */
export const footprintSchema: z.ZodType<GeoJsonFootprint> = withoutEval(() =>
  z
    .strictObject({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates })
    .superRefine((value, context) => {
      const message = findFault(value as unknown as GeoJsonFootprint);
      if (message !== undefined) context.addIssue({ code: 'custom', message, params: { code: 'invalid_footprint' } });
    })
    .meta({
      id: 'Footprint',
      description: `The ground that a building covers, GeoJSON: a Polygon or MultiPolygon of at most ${MAX_POSITIONS} positions, longitude before latitude, up to ${MAX_EXTENT_DEGREES} degrees wide. Distances then apply to the whole building.`,
      examples: [
        {
          type: 'Polygon',
          coordinates: [
            [
              [-80.1343, 25.7825],
              [-80.134, 25.7825],
              [-80.134, 25.7828],
              [-80.1343, 25.7828],
              [-80.1343, 25.7825],
            ],
          ],
        },
      ],
    }),
) as unknown as z.ZodType<GeoJsonFootprint>;

function findFault(footprint: GeoJsonFootprint): string | undefined {
  const polygons: unknown = footprint.type === 'Polygon' ? [footprint.coordinates] : footprint.coordinates;
  const isListOf = (value: unknown, isItem: (item: unknown) => boolean): value is unknown[] =>
    Array.isArray(value) && value.length > 0 && value.every(isItem);
  const isPosition = (value: unknown) =>
    Array.isArray(value) && value.length >= 2 && value.length <= 4 && value.every((each) => Number.isFinite(each));
  const isRing = (value: unknown) => isListOf(value, isPosition);
  if (!isListOf(polygons, (polygon) => isListOf(polygon, isRing))) {
    return `coordinates of a ${footprint.type} are lists of rings, a ring a list of [longitude, latitude].`;
  }
  const rings = (polygons as Position[][][]).flat();
  const positions = rings.flat();
  if (positions.length > MAX_POSITIONS) return `it has ${positions.length} positions; give at most ${MAX_POSITIONS}.`;
  const short = rings.find((ring) => new Set(ring.map(([x, y]) => `${x} ${y}`)).size < 3);
  if (short !== undefined) return `a ring has ${short.length} positions; give three corners or more.`;
  const odd = positions.find(([longitude, latitude]) => Math.abs(longitude) > 180 || Math.abs(latitude) > 90);
  if (odd !== undefined)
    return `[${odd.slice(0, 2).join(', ')}] is not a [longitude, latitude] in degrees; were they swapped?`;
  for (const axis of [0, 1] as const) {
    const values = positions.map((position) => position[axis]);
    const extent = Math.max(...values) - Math.min(...values);
    if (extent > MAX_EXTENT_DEGREES && !(axis === 0 && extent > 360 - MAX_EXTENT_DEGREES)) {
      return `it reaches over ${extent.toFixed(2)} degrees; give a building, at most ${MAX_EXTENT_DEGREES} degrees wide.`;
    }
  }
  return undefined;
}
