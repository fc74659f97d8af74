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
  /** The target of the distance, for sentences: `tidal water`. */
  readonly to: string;
  /** Name of the distance in requests. */
  readonly givenAs: (typeof distanceNames)[number][0];
  readonly meters: number;
  /** Range of the distance; equal to `meters` for a distance of the request. */
  readonly min: number;
  readonly max: number;
  /** The shoreline that it was measured to; undefined for a distance of the request. */
  readonly dataset: { readonly name: string; readonly version: string; readonly accuracyMeters: number } | undefined;
}

/** The distances of a home and their sources, for the answer. */
export interface KnownDistances {
  /** Undefined if the place was not looked up, or not found. */
  readonly location: FoundPlace | undefined;
  readonly distances: readonly KnownDistance[];
  /** For lines with such fields. */
  readonly hazards?: KnownHazards;
}

/** Layer, fact, target and request name of each distance. */
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

/** The distances among the fields of a line. */
export function distancesOf({ fields }: Vocabulary): readonly DistanceDefinition[] {
  return distanceDefinitions.filter(([, fact]) => fields.some(({ name }) => name === fact));
}
