import {
  type Coast,
  type CoastAnswerFields,
  type CoastBatch,
  createCoastBatch,
  type GeographicPoint,
} from '@leeward/coast';
import { METERS_PER_MILE } from '@leeward/terms';
import { type CoastPort, changeAnswer, nearestShore, USUAL_LAYER } from './coast-port.ts';

/**
 * The coastal mean high-water line. Codes extend the wind-borne debris region one mile inland where the design wind is 130 mph or more
 * (Florida Building Code, International Building Code). ASCE 7, section 26.12.3.1, requires Exposure D before it: 5,000 feet of open
 * water (section 26.7).
 */
export const MEAN_HIGH_WATER_LAYER = 'mean_high_water';

/** Water 1.6 km from land on either side, open by ASCE 7. */
const OPEN_WATER_LAYER = 'ocean_narrow';

export const DEBRIS_LINE_METERS = METERS_PER_MILE;

/**
 * True with that layer, or with the two that bound it.
 *
 * @example
 * hasMeanHighWater(loadCoastlineUs()); // true
 */
export function hasMeanHighWater({ datasets }: CoastPort): boolean {
  const has = (layer: string) => datasets.some(({ layerNames }) => layerNames.includes(layer));
  return has(MEAN_HIGH_WATER_LAYER) || (has(USUAL_LAYER) && has(OPEN_WATER_LAYER));
}

/**
 * Nearest shore of a layer or of mean high water. Throws the coast's errors.
 *
 * @example
 * nearestCoast(loadCoastlineUs(), { latitude: 25.78, longitude: -80.13 }, 'mean_high_water').distanceMeters;
 */
export function nearestCoast(coast: CoastPort, point: GeographicPoint, definition: string): CoastAnswerFields {
  return isBetweenLayers(coast, definition)
    ? betweenTidalAndOpen(coast, point)
    : nearestShore(coast, point, definition);
}

/**
 * Like `nearestCoast`, for many points.
 *
 * @param usual Computed answers of the layer `tidal` for the same points.
 *
 * @example
 * const batch = createCoastBatch(latitudes.length);
 * nearestCoastOfMany(coast, latitudes, longitudes, batch, 'mean_high_water');
 */
export function nearestCoastOfMany(
  coast: Pick<Coast, 'datasets' | 'nearestMany'>,
  latitudes: Float64Array,
  longitudes: Float64Array,
  batch: CoastBatch,
  definition: string,
  usual?: CoastBatch,
): void {
  const points = { latitudes, longitudes };
  if (!isBetweenLayers(coast, definition)) {
    coast.nearestMany(points, { batch, definition, unanswered: 'mark' });
    return;
  }
  coast.nearestMany(points, { batch, definition: OPEN_WATER_LAYER, unanswered: 'mark' });
  const tidal = usual ?? createCoastBatch(latitudes.length);
  if (!usual) coast.nearestMany(points, { batch: tidal, definition: USUAL_LAYER, unanswered: 'mark' });
  for (let index = 0; index < latitudes.length; index += 1) {
    batch.minimaMeters[index] = Math.min(batch.minimaMeters[index]!, tidal.minimaMeters[index]!);
    batch.tidalRivers[index] = tidal.tidalRivers[index]!;
  }
}

/** True for mean high water if no dataset has the layer. */
export function isBetweenLayers({ datasets }: Pick<CoastPort, 'datasets'>, definition: string): boolean {
  return definition === MEAN_HIGH_WATER_LAYER && !datasets.some(({ layerNames }) => layerNames.includes(definition));
}

/**
 * Bounds mean high water without that layer. OpenStreetMap and GSHHG draw shores at mean high water, but do not mark coastal ones. Open
 * water certainly is coastal, and no coastal water is nearer than tidal water: so the distance is that to open water, and its minimum
 * that to tidal water.
 */
function betweenTidalAndOpen(coast: CoastPort, point: GeographicPoint): CoastAnswerFields {
  const open = nearestShore(coast, point, OPEN_WATER_LAYER);
  const tidal = nearestShore(coast, point, USUAL_LAYER);
  const isNearer = tidal.minMeters < open.minMeters;
  return changeAnswer(open, {
    definition: { layers: [MEAN_HIGH_WATER_LAYER] },
    minMeters: Math.min(tidal.minMeters, open.minMeters),
    decidedBy: { ...open.decidedBy, min: isNearer ? tidal.decidedBy.min : open.decidedBy.min },
    isTidalRiverPossible: tidal.isTidalRiverPossible,
  });
}

/** null if the range spans one mile. */
export function withinDebrisLine({ min, max }: { readonly min: number; readonly max: number }): boolean | null {
  if (max <= DEBRIS_LINE_METERS) return true;
  return min > DEBRIS_LINE_METERS ? false : null;
}
