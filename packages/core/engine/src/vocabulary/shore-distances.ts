import type { DerivedFact, Field, FieldOf, Relation } from './field.ts';

/** International mile and foot in metres, exact by definition (1959 yard and pound agreement). */
const METERS_PER = { miles: 1609.344, feet: 0.3048 } as const;
/** Half the girth of the Earth: nothing is farther from a shore. */
const MAX_DISTANCE_METERS = 20_040_000;

/** Where limits on a distance to the shore usually lie: a house lot to a day's drive. */
const usualDistanceMeters = { min: 15, max: 250_000 } as const;

/**
 * A distance is looked up from where the home stands, so what is asked for is its address; the distance itself if the place is
 * known.
 */
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
 * Distances are kept in tenths of a millimetre, so that the same limit written in miles or in feet is
 * the same number of metres.
 */
export function toMeters(value: number, unit: keyof typeof METERS_PER): number {
  return roundTo(value * METERS_PER[unit], 1e4);
}

/**
 * The plainest number of the unit that is the same number of metres: a home given as 2.5 miles from the
 * shore meets a limit of 2.5 miles exactly, in whichever unit either is compared.
 */
export function fromMeters(meters: number, unit: keyof typeof METERS_PER): number {
  const exact = meters / METERS_PER[unit];
  const kept = roundTo(meters, 1e4);
  for (let parts = 1; parts <= 1e7; parts *= 10) {
    const plain = roundTo(exact, parts);
    if (toMeters(plain, unit) === kept) return plain;
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
 * Distances to the shore, for any line that asks for them: fields that are looked up from an address or a point, their
 * views in miles and feet, and what bounds what. Spread each into the vocabulary.
 */
export const shoreDistances = { fields: distances, derivedFacts: facts, relations } as const;
