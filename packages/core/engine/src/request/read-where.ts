import { type Fault, type GeoJsonFootprint, pointer } from '@leeward/terms';
import type { AddressParts } from './schema.ts';

/** Source of distances: an address, a point with an optional radius, or the footprint of a building. */
export interface Location {
  readonly address: string | AddressParts | undefined;
  readonly point: { readonly lat: number; readonly lng: number; readonly radius_meters?: number } | undefined;
  readonly footprint: GeoJsonFootprint | undefined;
}

/**
 * Reads the address, point or footprint of a request. An invalid value counts as present: a wrong `lat` does not hide a missing `lng`.
 *
 * @param value returns the valid value of a field, else undefined
 */
export function readLocation(
  body: Readonly<Record<string, unknown>>,
  value: (name: string) => unknown,
  faults: Fault[],
): Location {
  const has = (name: string) => Object.hasOwn(body, name);
  for (const [present, absent] of [
    ['lat', 'lng'],
    ['lng', 'lat'],
  ] as const) {
    if (!has(present) || has(absent)) continue;
    const message = `${absent} is required when ${present} is given.`;
    faults.push({ path: pointer(absent), code: 'required_with', message });
  }
  if (has('address') && (has('lat') || has('lng'))) {
    const message = 'Give an address, or lat and lng, not both.';
    faults.push({ path: '/address', code: 'address_and_point', message });
  }
  if (has('footprint') && (has('address') || has('lat') || has('lng') || has('radius_meters'))) {
    const message = 'Give a footprint, or an address, or lat and lng, not several of them.';
    faults.push({ path: '/footprint', code: 'footprint_and_point', message });
  }
  if (has('radius_meters') && !has('lat') && !has('lng')) {
    const message = 'radius_meters needs a point; give lat and lng.';
    faults.push({ path: '/radius_meters', code: 'required_with', message });
  }
  const address = has('address') ? (value('address') as string | AddressParts | undefined) : undefined;
  const lat = value('lat') as number | undefined;
  const lng = value('lng') as number | undefined;
  const radius = value('radius_meters') as number | undefined;
  const point =
    lat === undefined || lng === undefined ? undefined : { lat, lng, ...(radius && { radius_meters: radius }) };
  return { address, point, footprint: value('footprint') as GeoJsonFootprint | undefined };
}
