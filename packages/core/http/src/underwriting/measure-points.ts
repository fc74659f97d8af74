import { BATCH_ANSWERED, type Coast, CoastError, createCoastBatch } from '@leeward/coast';
import type { Vocabulary } from '@leeward/engine';
import { checkPoint } from '@leeward/places';
import { compareCounty, countyCheckOf, type ZipGazetteer } from '@leeward/places/zips';
import type { DistancePorts } from '../distance/distance-ports.ts';
import { hasMeanHighWater, MEAN_HIGH_WATER_LAYER, nearestCoastOfMany } from '../distance/mean-high-water.ts';
import { USUAL_LAYER } from '../distance/usual-layer.ts';
import { distancesOf } from './known-distances.ts';
import { asksForHazards } from './look-up-hazards.ts';

/** Where many homes stand, by row. */
export interface PointsAsked {
  /** Degrees. */
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** FIPS code as a number, of homes of which one county is given; 0 or less of all others. */
  readonly counties: Int32Array;
  /** Distances that were given, in meters, by the field of the vocabulary; NaN where none was. */
  readonly given: ReadonlyMap<string, Float64Array>;
}

/** Between what the distances of many homes lie, by row. */
export interface MeasuredPoints {
  /** 1: not measured, and to be read by itself, which tells why. */
  readonly isLeft: Uint8Array;
  /** Meters, by the field of the vocabulary; without regard to what was given. */
  readonly ranges: ReadonlyMap<string, { readonly minima: Float64Array; readonly maxima: Float64Array }>;
  /** Homes by the code of a warning, once each; those that are left are not among them. */
  readonly warnings: ReadonlyMap<string, number>;
}

/**
 * Measures many points at once, as `readHome` measures one: the same ranges to the digit, and the same warnings. Undefined where the
 * coast answers one point at a time, lacks a shore, or the line asks for more of a place than distances.
 */
export function measurePoints(
  { latitudes, longitudes, counties, given }: PointsAsked,
  vocabulary: Vocabulary,
  { coast, gazetteer, hazards }: DistancePorts,
): MeasuredPoints | undefined {
  const wanted = distancesOf(vocabulary).filter(
    ([layer]) => layer !== MEAN_HIGH_WATER_LAYER || hasMeanHighWater(coast),
  );
  if (!('nearestMany' in coast) || wanted.length === 0 || (hazards && asksForHazards(vocabulary))) return undefined;
  const many = coast as Coast;
  const { length } = latitudes;
  const isLeft = new Uint8Array(length);
  for (let row = 0; row < length; row++)
    if (checkPoint({ latitude: latitudes[row]!, longitude: longitudes[row]! })) isLeft[row] = 1;
  const ranges = new Map<string, { readonly minima: Float64Array; readonly maxima: Float64Array }>();
  const differs = new Uint8Array(length);
  const rivers = new Uint8Array(length);
  const tidal = createCoastBatch(length);
  try {
    for (const [layer, fact] of wanted) {
      const batch = layer === USUAL_LAYER ? tidal : createCoastBatch(length);
      const isTidalKnown = layer !== USUAL_LAYER && wanted[0]?.[0] === USUAL_LAYER;
      nearestCoastOfMany(many, latitudes, longitudes, batch, layer, isTidalKnown ? tidal : undefined);
      const { statuses, minimaMeters: minima, maximaMeters: maxima, tidalRivers } = batch;
      const believed = given.get(fact);
      for (let row = 0; row < length; row++) {
        if (statuses[row] !== BATCH_ANSWERED) isLeft[row] = 1;
        if (layer !== MEAN_HIGH_WATER_LAYER) rivers[row]! |= tidalRivers[row]!;
        const meters = believed?.[row];
        if (meters !== undefined && (meters < minima[row]! || meters > maxima[row]!)) differs[row] = 1;
      }
      ranges.set(fact, { minima, maxima });
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
  return { isLeft, ranges, warnings };
}

/** Whether the place lies near other counties alone. Most homes are in the county of the very nearest ZIP point. */
function isElsewhere(gazetteer: ZipGazetteer, latitude: number, longitude: number, county: number): boolean {
  const point = { latitude, longitude };
  const fips = String(county).padStart(5, '0');
  if (gazetteer.nearest(point, 1)[0]?.zipPoint.countyFips === fips) return false;
  return compareCounty(gazetteer, point, fips).verdict === 'differs';
}
