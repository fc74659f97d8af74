import type { Property, Vocabulary } from '@leeward/engine';
import type { distanceNames } from '@leeward/engine/compiled';
import type { PlaceVersions } from '../answer/answer-versions.ts';
import type { DistanceOdds } from '../distance/distance-odds.ts';
import type { FoundPlace } from '../distance/found-place.ts';
import { MEAN_HIGH_WATER_LAYER } from '../distance/mean-high-water.ts';
import type { PlaceAnswer } from '../distance/place-footprint.ts';
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
  /** For distances of the request: their date and origin. */
  readonly evidence?: NonNullable<Property['evidence']>[string] | undefined;
  /** The nearest shore of a measured distance. */
  readonly shore?: PlaceAnswer | undefined;
  /** The distribution of a measured distance; undefined if the coast states none. */
  readonly odds?: DistanceOdds | undefined;
}

/** The range that rules use: that of their certainty, if they state one and the coast knows it. */
export function rangeAt(
  { min, max, odds }: KnownDistance,
  certainty: number | undefined,
): { readonly min: number; readonly max: number } {
  if (certainty === undefined || !odds) return { min, max };
  const { minMeters, maxMeters } = odds.intervalAt(certainty);
  return { min: minMeters, max: maxMeters };
}

/** For `rangesByCertainty` of a property. Undefined without certainties, and without distances that state probabilities. */
export function rangesByCertainty(
  distances: readonly KnownDistance[],
  certainties: readonly number[],
): Property['rangesByCertainty'] {
  const measured = distances.filter(({ odds }) => odds !== undefined);
  if (certainties.length === 0 || measured.length === 0) return undefined;
  return Object.fromEntries(
    certainties.map((certainty) => [
      String(certainty),
      Object.fromEntries(measured.map((distance) => [distance.fact, rangeAt(distance, certainty)])),
    ]),
  );
}

export interface KnownDistances {
  /** undefined without a place. */
  readonly location: FoundPlace | undefined;
  readonly distances: readonly KnownDistance[];
  /** Without given distances and points. */
  readonly versions?: PlaceVersions;
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
