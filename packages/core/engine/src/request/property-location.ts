import { footprintSchema, type GeoJsonFootprint, polygonsOf, quoteValue } from '@leeward/terms';
import { coordinateLimits } from './schema.ts';

/** Position of a building. The building lies within a circle; a footprint is the exact ground that it covers. */
export interface PropertyLocation {
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  /** Radius, in meters, of a circle around the point that contains the whole building. */
  readonly radiusMeters: number;
  /** Ground of the building, within the circle. @default unknown ground somewhere in the circle */
  readonly footprint?: GeoJsonFootprint | undefined;
}

/** Half the circumference of the Earth, in meters. */
const MAX_LOCATION_RADIUS_METERS = 20_040_000;
/** Rounding of a circle that a host computes around its footprint. */
const FOOTPRINT_TOLERANCE_METERS = 1;

/** Locations without faults: properties of one home share them. */
const checked = new WeakSet<PropertyLocation>();

/** Adds a sentence for each fault of a location. */
export function checkLocation(location: PropertyLocation, faults: string[]): void {
  if (typeof location !== 'object' || location === null) {
    faults.push(`location is ${quoteValue(location)}; give { latitude, longitude, radiusMeters }.`);
    return;
  }
  if (checked.has(location)) return;
  const before = faults.length;
  const { latitude, longitude, radiusMeters, footprint } = location;
  for (const [name, value, limit] of [
    ['latitude', latitude, coordinateLimits.lat],
    ['longitude', longitude, coordinateLimits.lng],
  ] as const) {
    if (typeof value === 'number' && Math.abs(value) <= limit) continue;
    const isSwapped = name === 'latitude' && typeof value === 'number' && Math.abs(value) <= coordinateLimits.lng;
    const hint = isSwapped ? ' Are latitude and longitude swapped?' : '';
    faults.push(`location.${name} is ${quoteValue(value)}; give degrees from -${limit} to ${limit}.${hint}`);
  }
  if (!(typeof radiusMeters === 'number' && radiusMeters >= 0 && radiusMeters <= MAX_LOCATION_RADIUS_METERS)) {
    const expected = `meters from 0 to ${MAX_LOCATION_RADIUS_METERS}`;
    faults.push(`location.radiusMeters is ${quoteValue(radiusMeters)}; give ${expected}.`);
  }
  if (footprint !== undefined && faults.length === before) {
    const parsed = footprintSchema.safeParse(footprint);
    if (!parsed.success) faults.push(`location.footprint: ${parsed.error.issues[0]!.message}`);
    else {
      const reach = reachOf(footprint, location);
      if (reach > radiusMeters + FOOTPRINT_TOLERANCE_METERS) {
        const far = `location.footprint reaches ${Math.ceil(reach)} meters from the point`;
        faults.push(`${far}, beyond radiusMeters (${radiusMeters}); the circle has to contain the footprint.`);
      }
    }
  }
  if (faults.length === before) checked.add(location);
}

/** The location of a building with a known ground: the circle around the middle of its bounding box. */
export function locationOfFootprint(footprint: GeoJsonFootprint): PropertyLocation {
  const positions = polygonsOf(footprint).flat(2);
  const first = positions[0]![0];
  const offsets = positions.map(([longitude]) => wrapDegrees(longitude - first));
  const latitudes = positions.map(([, latitude]) => latitude);
  const point = {
    latitude: (Math.min(...latitudes) + Math.max(...latitudes)) / 2,
    longitude: wrapDegrees(first + (Math.min(...offsets) + Math.max(...offsets)) / 2),
  };
  return { ...point, radiusMeters: Math.ceil(reachOf(footprint, point)), footprint };
}

/** Largest meters per degree of latitude on WGS 84, and of longitude at the equator. */
const MAX_METERS_PER_DEGREE = 111_700;

/** Upper bound of the distance from a point to the farthest corner, for buildings. */
function reachOf(
  footprint: GeoJsonFootprint,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
): number {
  let reach = 0;
  for (const [x, y] of polygonsOf(footprint).flat(2)) {
    const north = (y - latitude) * MAX_METERS_PER_DEGREE;
    const nearest = Math.min(Math.abs(y), Math.abs(latitude));
    const east = wrapDegrees(x - longitude) * MAX_METERS_PER_DEGREE * Math.cos((nearest * Math.PI) / 180);
    reach = Math.max(reach, Math.hypot(north, east));
  }
  return reach;
}

/** Returns an equal angle from −180 to below 180 degrees. */
export function wrapDegrees(degrees: number): number {
  return degrees >= -180 && degrees < 180 ? degrees : ((((degrees + 180) % 360) + 360) % 360) - 180;
}
