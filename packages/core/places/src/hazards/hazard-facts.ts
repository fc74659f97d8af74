import type { FloodArea, Hazards } from './hazards.ts';

/** A value, one of several words, or inclusive bounds. */
export type HazardFact =
  | string
  | boolean
  | number
  | { readonly kind: 'one of'; readonly words: readonly string[] }
  | { readonly kind: 'between'; readonly min: number; readonly max: number };

/** Facts that `hazardFacts` can return. */
export const hazardFactNames: readonly string[] = [
  'flood_zone',
  'special_flood_hazard_area',
  'base_flood_elevation_feet',
  'wind_borne_debris',
];

/**
 * Converts hazards to facts of underwriting. A place in several possible areas gets all their zones; one unknown zone makes the fact
 * unknown.
 * @example
 * hazardFacts({ ...hazards, windBorneDebris: true })['wind_borne_debris']; // true
 */
export function hazardFacts({ floodAreas, windBorneDebris }: Hazards): Readonly<Record<string, HazardFact>> {
  const facts: Record<string, HazardFact> = {};
  const zones = all(floodAreas, ({ zone }) => zone);
  if (zones) facts['flood_zone'] = zones.length === 1 ? zones[0]! : { kind: 'one of', words: zones };
  const special = all(floodAreas, (area) => area.specialFloodHazardArea);
  if (special?.length === 1) facts['special_flood_hazard_area'] = special[0]!;
  const feet = all(floodAreas, (area) => area.baseFloodElevationFeet);
  if (feet) {
    const [min, max] = [Math.min(...feet), Math.max(...feet)];
    facts['base_flood_elevation_feet'] = min === max ? min : { kind: 'between', min, max };
  }
  if (windBorneDebris !== undefined) facts['wind_borne_debris'] = windBorneDebris;
  return facts;
}

/** Undefined without areas, or if one lacks the value. */
function all<Value>(areas: readonly FloodArea[], read: (area: FloodArea) => Value | undefined): Value[] | undefined {
  const values = new Set(areas.map(read));
  return values.size === 0 || values.has(undefined) ? undefined : ([...values] as Value[]);
}
