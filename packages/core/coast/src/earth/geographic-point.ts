import { CoastError } from '../coast-error.ts';

/** A place in degrees on WGS84: latitude in [-90, 90], longitude in [-180, 180]. */
export interface GeographicPoint {
  readonly latitude: number;
  readonly longitude: number;
}

export function isPoint(latitude: number, longitude: number): boolean {
  return latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180;
}

/** Throws `invalid_point`, saying what was received and, where it helps, that the two seem swapped. */
export function checkPoint(point: GeographicPoint): void {
  const { latitude, longitude } = (point ?? {}) as Partial<GeographicPoint>;
  if (typeof latitude === 'number' && typeof longitude === 'number' && isPoint(latitude, longitude)) return;
  const given: unknown = point;
  const keys = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  if (!keys.includes('latitude') || !keys.includes('longitude')) {
    throw new CoastError('invalid_point', `the point is ${showValue(given).slice(0, 80)}; ${wayOut(given, keys)}`);
  }
  const swapped =
    typeof latitude === 'number' && typeof longitude === 'number' && isPoint(longitude, latitude)
      ? ': they seem to be swapped'
      : '';
  throw new CoastError(
    'invalid_point',
    `latitude ${showValue(latitude)}, longitude ${showValue(longitude)} is no place on the earth (-90 … 90, -180 … 180)${swapped}`,
  );
}

/** Names the keys that a point has, and what becomes of the ones that were given. */
function wayOut(given: unknown, keys: readonly string[]): string {
  const wanted = 'give { latitude, longitude } in degrees';
  if (Array.isArray(given)) return `${wanted}, not a list (GeoJSON has longitude first)`;
  if (keys.includes('coordinates')) return `${wanted}: the second and the first of its coordinates`;
  if (keys.includes('lat') || keys.includes('lng') || keys.includes('lon')) return `${wanted}, in these very words`;
  return wanted;
}

/** A value as an error shows it. Never throws. */
export function showValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'an object that holds itself';
  }
}
