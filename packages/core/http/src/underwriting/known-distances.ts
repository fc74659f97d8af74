import type { Vocabulary } from '@leeward/engine';
import type { distanceNames } from '@leeward/engine/compiled';
import type { FoundPlace } from '../distance/found-place.ts';
import { MEAN_HIGH_WATER_LAYER } from '../distance/mean-high-water.ts';
import type { KnownHazards } from './look-up-hazards.ts';

export type DistanceFact =
  | 'distance_to_tidal_water_meters'
  | 'distance_to_ocean_meters'
  | 'distance_to_mean_high_water_meters';

/** A distance of a home, with its source. */
export interface KnownDistance {
  readonly fact: DistanceFact;
  /** In sentences: `tidal water`. */
  readonly to: string;
  /** Name in requests. */
  readonly givenAs: (typeof distanceNames)[number][0];
  readonly meters: number;
  /** Equal to `meters` for distances of the request. */
  readonly min: number;
  readonly max: number;
  /** undefined for distances of the request. */
  readonly dataset: { readonly name: string; readonly version: string; readonly accuracyMeters: number } | undefined;
}

export interface KnownDistances {
  /** undefined without a place. */
  readonly location: FoundPlace | undefined;
  readonly distances: readonly KnownDistance[];
  /** For lines with such fields. */
  readonly hazards?: KnownHazards;
}

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

export type DistanceDefinition = (typeof distanceDefinitions)[number];

export function distancesOf({ fields }: Vocabulary): readonly DistanceDefinition[] {
  return distanceDefinitions.filter(([, fact]) => fields.some(({ name }) => name === fact));
}
