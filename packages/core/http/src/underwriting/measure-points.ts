import { BATCH_ANSWERED, type Coast, CoastError, createCoastBatch } from '@leeward/coast';
import type { Vocabulary } from '@leeward/engine';
import { checkPoint } from '@leeward/places';
import { compareCounty, countyCheckOf, type ZipGazetteer } from '@leeward/places/zips';
import { USUAL_LAYER } from '../distance/coast-port.ts';
import type { DistancePorts } from '../distance/distance-ports.ts';
import {
  hasMeanHighWater,
  isBetweenLayers,
  MEAN_HIGH_WATER_LAYER,
  nearestCoastOfMany,
} from '../distance/mean-high-water.ts';
import { distancesOf } from './known-distances.ts';
import { asksForHazards } from './look-up-hazards.ts';

/** Places of many homes, by row. */
export interface PointsToMeasure {
  /** Degrees. */
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** FIPS code of homes with one county; 0 or less for others. */
  readonly counties: Int32Array;
  /** Distances in the requests, in meters, by field; NaN: missing. */
  readonly distances: ReadonlyMap<string, Float64Array>;
  /** Certainties of rule sets: each adds ranges. @default none */
  readonly certainties?: readonly number[];
}

/** Ranges of distances, by row. */
export interface MeasuredPoints {
  /** 1: not measured; `readHome` reports why. */
  readonly isLeft: Uint8Array;
  /** In meters, by field, also for homes with a distance of the request. */
  readonly ranges: ReadonlyMap<string, RangeColumns>;
  /** As `ranges`, for rule sets with a certainty. */
  readonly rangesByCertainty?: ReadonlyMap<number, ReadonlyMap<string, RangeColumns>>;
  /** Homes with a warning, by code. */
  readonly warnings: ReadonlyMap<string, number>;
}

interface RangeColumns {
  readonly minima: Float64Array;
  readonly maxima: Float64Array;
}

/**
 * Measures many points with the ranges and warnings of `readHome`.
 *
 * @returns undefined if the coast has no `nearestMany` or lacks a shore, or if the line has hazard fields
 *
 * @example
 * const measured = measurePoints(points, homeVocabulary, { coast: loadCoastlineUs() });
 */
export function measurePoints(
  { latitudes, longitudes, counties, distances, certainties = [] }: PointsToMeasure,
  vocabulary: Vocabulary,
  { coast, gazetteer, hazards }: DistancePorts,
): MeasuredPoints | undefined {
  const definitions = distancesOf(vocabulary).filter(
    ([layer]) => layer !== MEAN_HIGH_WATER_LAYER || hasMeanHighWater(coast),
  );
  if (!('nearestMany' in coast) || definitions.length === 0 || (hazards && asksForHazards(vocabulary)))
    return undefined;
  const many = coast as Coast;
  const { length } = latitudes;
  const isLeft = new Uint8Array(length);
  for (let row = 0; row < length; row++)
    if (checkPoint({ latitude: latitudes[row]!, longitude: longitudes[row]! })) isLeft[row] = 1;
  const ranges = new Map<string, RangeColumns>();
  const rangesByCertainty = new Map(certainties.map((certainty) => [certainty, new Map<string, RangeColumns>()]));
  const differs = new Uint8Array(length);
  const rivers = new Uint8Array(length);
  const tidal = createCoastBatch(length, { certainties });
  try {
    for (const [layer, fact] of definitions) {
      const batch = layer === USUAL_LAYER ? tidal : createCoastBatch(length, { certainties });
      const isTidalKnown = layer !== USUAL_LAYER && definitions[0]?.[0] === USUAL_LAYER;
      nearestCoastOfMany(many, latitudes, longitudes, batch, layer, isTidalKnown ? tidal : undefined);
      const { statuses, minimaMeters: minima, maximaMeters: maxima, tidalRivers } = batch;
      const givenMeters = distances.get(fact);
      for (let row = 0; row < length; row++) {
        if (statuses[row] !== BATCH_ANSWERED) isLeft[row] = 1;
        if (layer !== MEAN_HIGH_WATER_LAYER) rivers[row]! |= tidalRivers[row]!;
        const meters = givenMeters?.[row];
        if (meters !== undefined && (meters < minima[row]! || meters > maxima[row]!)) differs[row] = 1;
      }
      ranges.set(fact, { minima, maxima });
      // Mean high water between two layers is not a distribution.
      if (isBetweenLayers(many, layer)) continue;
      for (const { certainty, minimaMeters, maximaMeters } of batch.intervals)
        rangesByCertainty.get(certainty)!.set(fact, { minima: minimaMeters, maxima: maximaMeters });
    }
  } catch (error) {
    if (error instanceof CoastError) return undefined;
    throw error;
  }
  const check = gazetteer && countyCheckOf(gazetteer);
  let [riverCount, differsCount, elsewhereCount] = [0, 0, 0];
  for (let row = 0; row < length; row++) {
    if (isLeft[row] === 1) continue;
    riverCount += rivers[row]!;
    differsCount += differs[row]!;
    if (!gazetteer || counties[row]! <= 0) continue;
    const [latitude, longitude] = [latitudes[row]!, longitudes[row]!];
    // Most homes are near a ZIP point of their county.
    if (check!(latitude, longitude, counties[row]!)) continue;
    if (isElsewhere(gazetteer, latitude, longitude, counties[row]!)) elsewhereCount += 1;
  }
  const warnings = new Map([
    ['tidal_river_possible', riverCount],
    ['distance_differs', differsCount],
    ['county_differs', elsewhereCount],
  ]);
  return { isLeft, ranges, rangesByCertainty, warnings };
}

/** Most homes are in the county of the nearest ZIP point. */
function isElsewhere(gazetteer: ZipGazetteer, latitude: number, longitude: number, county: number): boolean {
  const point = { latitude, longitude };
  const fips = String(county).padStart(5, '0');
  if (gazetteer.nearest(point, 1)[0]?.zipPoint.countyFips === fips) return false;
  return compareCounty(gazetteer, point, fips).verdict === 'differs';
}
