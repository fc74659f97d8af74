import { METERS_PER_FOOT, METERS_PER_MILE } from '@leeward/terms';
import type { DerivedFact, Field, FieldOf, Relation } from './field.ts';

/** International mile and foot, exact by definition (1959 yard and pound agreement). */
const METERS_PER = { miles: METERS_PER_MILE, feet: METERS_PER_FOOT, meters: 1 } as const;
/** Half the circumference of the Earth. */
const MAX_DISTANCE_METERS = 20_040_000;

/** From the depth of a lot to a day's drive. */
const usualDistanceMeters = { min: 15, max: 250_000 } as const;

/** A distance is looked up from the address, so the missing field is the address; if the location is known, it is the distance. */
function distanceField<const Name extends string>(
  name: Name,
  givenAs: string,
  label: string,
  typical: number,
): FieldOf<Name, number, 'address'> {
  return {
    name,
    requestName: 'address',
    givenAs,
    label,
    unit: 'meters',
    change: { kind: 'never' },
    typical,
    domain: () => ({ kind: 'numbers', min: 0, max: MAX_DISTANCE_METERS, integer: false }),
    usual: usualDistanceMeters,
  };
}

/**
 * Converts to meters, rounded to a tenth of a millimeter, so that equal limits in miles and feet are equal in meters.
 *
 * @example toMeters(2.5, 'miles'); // 4023.36
 */
export function toMeters(value: number, unit: keyof typeof METERS_PER): number {
  return roundTo(value * METERS_PER[unit], 1e4);
}

/** Converts to the decimal with the fewest digits that converts back to the same meters, so a home at 2.5 miles meets that limit exactly. */
export function fromMeters(meters: number, unit: keyof typeof METERS_PER): number {
  const exact = meters / METERS_PER[unit];
  const rounded = roundTo(meters, 1e4);
  for (let parts = 1; parts <= 1e7; parts *= 10) {
    const plain = roundTo(exact, parts);
    if (toMeters(plain, unit) === rounded) return plain;
  }
  return exact;
}

function roundTo(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}

function distanceFact<const Name extends string>(
  name: Name,
  field: string,
  label: string,
  unit: keyof typeof METERS_PER,
): DerivedFact & { readonly name: Name } {
  return {
    name,
    field,
    label,
    unit,
    view: (meters) => fromMeters(meters, unit),
    cuts: (constant) => [toMeters(constant, unit)],
    toField: (constant) => toMeters(constant, unit),
    range: { min: 0, max: MAX_DISTANCE_METERS / METERS_PER[unit], integer: false },
    usual: { min: usualDistanceMeters.min / METERS_PER[unit], max: usualDistanceMeters.max / METERS_PER[unit] },
  };
}

const distances = [
  distanceField('distance_to_tidal_water_meters', 'distance_to_coast_miles', 'distance to tidal water', 80_467.2),
  distanceField('distance_to_ocean_meters', 'distance_to_ocean_miles', 'distance to the open ocean', 96_560.64),
  distanceField(
    'distance_to_mean_high_water_meters',
    'distance_to_mean_high_water_miles',
    'distance to coastal mean high water',
    96_560.64,
  ),
] as const satisfies readonly Field[];

const facts = (['miles', 'feet'] as const).flatMap((unit) => [
  distanceFact(`distance_to_tidal_water_${unit}`, 'distance_to_tidal_water_meters', 'distance to tidal water', unit),
  distanceFact(`distance_to_coast_${unit}`, 'distance_to_tidal_water_meters', 'distance to the coast', unit),
  distanceFact(`distance_to_ocean_${unit}`, 'distance_to_ocean_meters', 'distance to the open ocean', unit),
  distanceFact(
    `distance_to_mean_high_water_${unit}`,
    'distance_to_mean_high_water_meters',
    'distance to coastal mean high water',
    unit,
  ),
]);

const relations = [
  { lower: 'distance_to_tidal_water_meters', higher: 'distance_to_ocean_meters' },
] as const satisfies readonly Relation[];

/**
 * Distances to the shore, for any line: fields that are looked up from an address or a point, the same in miles and feet, and their
 * relation. Spread each member into the vocabulary.
 */
export const shoreDistances = { fields: distances, derivedFacts: facts, relations } as const;
