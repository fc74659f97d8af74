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
export function checkPoint({ latitude, longitude }: GeographicPoint): void {
  if (typeof latitude === 'number' && typeof longitude === 'number' && isPoint(latitude, longitude)) return;
  const swapped =
    typeof latitude === 'number' && typeof longitude === 'number' && isPoint(longitude, latitude)
      ? ': they seem to be swapped'
      : '';
  throw new CoastError(
    'invalid_point',
    `latitude ${show(latitude)}, longitude ${show(longitude)} is no place on the earth (-90 … 90, -180 … 180)${swapped}`,
  );
}

function show(value: unknown): string {
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
}
