import type { distanceNames, Vocabulary } from '@leeward/engine';
import type { FoundPlace } from '../distance/found-place.ts';
import { MEAN_HIGH_WATER_LAYER } from '../distance/mean-high-water.ts';
import type { KnownHazards } from './look-up-hazards.ts';

export type DistanceFact =
  | 'distance_to_tidal_water_meters'
  | 'distance_to_ocean_meters'
  | 'distance_to_mean_high_water_meters';

/** One distance of a home, and whence it is known. */
export interface KnownDistance {
  readonly fact: DistanceFact;
  /** What the distance is to, for sentences. */
  readonly to: string;
  /** The request field under which a caller gives it. */
  readonly givenAs: (typeof distanceNames)[number][0];
  readonly meters: number;
  /** Between what it lies; both `meters` where the caller gave it. */
  readonly min: number;
  readonly max: number;
  /** The shoreline it was looked up in; undefined where the caller gave it. */
  readonly dataset: { readonly name: string; readonly version: string; readonly accuracyMeters: number } | undefined;
}

/** How a home's distances came about, for the answer. */
export interface KnownDistances {
  /** Where the home was found; undefined where it was not looked for, or not found. */
  readonly location: FoundPlace | undefined;
  readonly distances: readonly KnownDistance[];
  /** Where the line asks for them: what the place is exposed to. */
  readonly hazards?: KnownHazards;
}

/** What each fact is looked up as, is to, and is given as. */
export const distanceDefinitions = [
  ['tidal', 'distance_to_tidal_water_meters', 'tidal water', 'distance_to_coast_miles'],
  ['ocean', 'distance_to_ocean_meters', 'the open ocean', 'distance_to_ocean_miles'],
  [
    MEAN_HIGH_WATER_LAYER,
    'distance_to_mean_high_water_meters',
    'coastal mean high water',
    'distance_to_mean_high_water_miles',
  ],
] as const;

/** One of them: the layer, the field, what it is to, and under which name it is given. */
export type DistanceDefinition = (typeof distanceDefinitions)[number];

/** Those that a line has. */
export function distancesOf({ fields }: Vocabulary): readonly DistanceDefinition[] {
  return distanceDefinitions.filter(([, fact]) => fields.some(({ name }) => name === fact));
}
