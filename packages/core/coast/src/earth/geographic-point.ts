import { CoastError } from '../coast-error.ts';

/** Degrees on WGS84: latitude in [-90, 90], longitude in [-180, 180]. */
export interface GeographicPoint {
  readonly latitude: number;
  readonly longitude: number;
}

export function isPoint(latitude: number, longitude: number): boolean {
  return latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180;
}

/** Throws `invalid_point` with the numbers, and a hint if latitude and longitude seem swapped. */
export function checkPoint(point: GeographicPoint): void {
  const { latitude, longitude } = (point ?? {}) as Partial<GeographicPoint>;
  if (typeof latitude === 'number' && typeof longitude === 'number' && isPoint(latitude, longitude)) return;
  const swapped =
    typeof latitude === 'number' && typeof longitude === 'number' && isPoint(longitude, latitude)
      ? ': they seem to be swapped'
      : '';
  throw new CoastError(
    'invalid_point',
    `latitude ${showValue(latitude)}, longitude ${showValue(longitude)} is not a place on the earth (-90 … 90, -180 … 180)${swapped}`,
  );
}

export function showValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'a circular object';
  }
}
