import { type Coast, type CoastAnswer, type CoastBatch, createCoastBatch, type GeographicPoint } from '@leeward/coast';
import { METERS_PER_MILE } from '@leeward/terms';
import { type CoastPort, nearestShore } from './coast-port.ts';
import { USUAL_LAYER } from './usual-layer.ts';

/**
 * The coastal mean high-water line. The building codes let the wind-borne debris region reach one mile inland of it where the
 * design wind is 130 mph or more: the Florida Building Code and the International Building Code (definition of "wind-borne debris
 * region") of the coastal line as such, ASCE 7 (section 26.12.3.1) where the water before it is open enough for Exposure D, which is
 * 5,000 feet of it or more (section 26.7).
 */
export const MEAN_HIGH_WATER_LAYER = 'mean_high_water';

/** Water that is a mile wide from every shore: open by ASCE 7 beyond doubt. */
const OPEN_WATER_LAYER = 'ocean_narrow';

/** One mile inland of mean high water. */
export const DEBRIS_LINE_METERS = METERS_PER_MILE;

/** Whether a coast can tell: it has the layer, or both from which its bounds are known. */
export function hasMeanHighWater({ datasets }: CoastPort): boolean {
  const has = (layer: string) => datasets.some(({ layerNames }) => layerNames.includes(layer));
  return has(MEAN_HIGH_WATER_LAYER) || (has(USUAL_LAYER) && has(OPEN_WATER_LAYER));
}

/** The nearest shore of a layer that is served, mean high water among them. Throws what the coast throws. */
export function nearestCoast(coast: CoastPort, point: GeographicPoint, definition: string): CoastAnswer {
  return isBetweenLayers(coast, definition)
    ? betweenTidalAndOpen(coast, point)
    : nearestShore(coast, point, definition);
}

/** The same of many points, as `Coast.nearestMany` fills a batch. `known`: what was found of them by the usual layer. */
export function nearestCoastOfMany(
  coast: Pick<Coast, 'datasets' | 'nearestMany'>,
  latitudes: Float64Array,
  longitudes: Float64Array,
  batch: CoastBatch,
  definition: string,
  known?: CoastBatch,
): void {
  if (!isBetweenLayers(coast, definition)) {
    coast.nearestMany(latitudes, longitudes, batch, definition);
    return;
  }
  coast.nearestMany(latitudes, longitudes, batch, OPEN_WATER_LAYER);
  const tidal = known ?? createCoastBatch(latitudes.length);
  if (!known) coast.nearestMany(latitudes, longitudes, tidal, USUAL_LAYER);
  for (let index = 0; index < latitudes.length; index += 1) {
    batch.minimaMeters[index] = Math.min(batch.minimaMeters[index]!, tidal.minimaMeters[index]!);
    batch.tidalRivers[index] = tidal.tidalRivers[index]!;
  }
}

/** Whether mean high water is asked for and no layer draws it. */
function isBetweenLayers({ datasets }: Pick<CoastPort, 'datasets'>, definition: string): boolean {
  return definition === MEAN_HIGH_WATER_LAYER && !datasets.some(({ layerNames }) => layerNames.includes(definition));
}

/**
 * Where no layer draws the line itself. Shores are drawn at mean high water, by OpenStreetMap as by GSHHG; which of them are coastal
 * in the sense of the code is what is not known: open water surely is, and nothing nearer than any tidal water can be. So the
 * distance is that to open water, and the interval begins where tidal water may.
 */
function betweenTidalAndOpen(coast: CoastPort, point: GeographicPoint): CoastAnswer {
  const open = nearestShore(coast, point, OPEN_WATER_LAYER);
  const tidal = nearestShore(coast, point, USUAL_LAYER);
  const isNearer = tidal.minMeters < open.minMeters;
  return {
    ...open,
    definition: { layers: [MEAN_HIGH_WATER_LAYER] },
    minMeters: Math.min(tidal.minMeters, open.minMeters),
    decidedBy: { ...open.decidedBy, min: isNearer ? tidal.decidedBy.min : open.decidedBy.min },
    isTidalRiverPossible: tidal.isTidalRiverPossible,
  };
}

/** Whether a home lies within the line, by the range of its distance; null where that spans it. */
export function withinDebrisLine({ min, max }: { readonly min: number; readonly max: number }): boolean | null {
  if (max <= DEBRIS_LINE_METERS) return true;
  return min > DEBRIS_LINE_METERS ? false : null;
}
