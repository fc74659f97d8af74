import { CoastError } from '../coast-error.ts';

/** Degrees on WGS84: latitude in [-90, 90], longitude in [-180, 180]. */
export interface GeographicPoint {
  readonly latitude: number;
  readonly longitude: number;
}

export function isPoint(latitude: number, longitude: number): boolean {
  return latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180;
}

/** Throws `invalid_point` with the value, and a hint if latitude and longitude seem swapped. */
export function checkPoint(point: GeographicPoint): void {
  const { latitude, longitude } = (point ?? {}) as Partial<GeographicPoint>;
  if (typeof latitude === 'number' && typeof longitude === 'number' && isPoint(latitude, longitude)) return;
  const received: unknown = point;
  const keys = typeof received === 'object' && received !== null ? Object.keys(received) : [];
  if (!keys.includes('latitude') || !keys.includes('longitude')) {
    throw new CoastError(
      'invalid_point',
      `the point is ${showValue(received).slice(0, 80)}; ${hintFor(received, keys)}`,
    );
  }
  const swapped =
    typeof latitude === 'number' && typeof longitude === 'number' && isPoint(longitude, latitude)
      ? ': they seem to be swapped'
      : '';
  throw new CoastError(
    'invalid_point',
    `latitude ${showValue(latitude)}, longitude ${showValue(longitude)} is not a place on the earth (-90 … 90, -180 … 180)${swapped}`,
  );
}

function hintFor(received: unknown, keys: readonly string[]): string {
  const expected = 'give { latitude, longitude } in degrees';
  if (Array.isArray(received)) return `${expected}, not a list (GeoJSON has longitude first)`;
  if (keys.includes('coordinates')) return `${expected}: the second and the first of its coordinates`;
  if (keys.includes('lat') || keys.includes('lng') || keys.includes('lon'))
    return `${expected}, with exactly these names`;
  return expected;
}

export function showValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'a circular object';
  }
}
