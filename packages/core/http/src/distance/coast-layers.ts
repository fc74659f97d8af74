import { NEIGHBOUR_LAYER } from '@leeward/coast';
import type { Problem } from '../problem/problem.ts';
import { invalidRequest } from '../problem/problem.ts';
import { type CoastPort, USUAL_LAYER } from './coast-port.ts';
import { hasMeanHighWater, MEAN_HIGH_WATER_LAYER } from './mean-high-water.ts';

export const GREAT_LAKES_LAYER = 'great_lakes';

/** Layers of all datasets and mean high water, without shores of neighbouring countries. */
export function coastLayers(coast: CoastPort): string[] {
  const names = new Set(coast.datasets.flatMap(({ layerNames }) => layerNames));
  names.delete(NEIGHBOUR_LAYER);
  if (hasMeanHighWater(coast)) names.add(MEAN_HIGH_WATER_LAYER);
  return [...names];
}

/**
 * Accepts any spelling.
 *
 * @throws {Problem} With the error `unknown_coast`, which lists the layers.
 */
export function readCoastLayer(coast: CoastPort, value: string | null | undefined): string {
  const name = value?.trim() || USUAL_LAYER;
  const layer = coastLayers(coast).find((each) => spelling(each) === spelling(name));
  if (layer !== undefined) return layer;
  throw unknownCoast(coast, name);
}

export function unknownCoast(coast: CoastPort, name: string): Problem {
  const message = `There is no coast ${JSON.stringify(name)} here; give ${joinNames(coastLayers(coast))}.`;
  return invalidRequest([{ path: '/coast', code: 'unknown_coast', message }]);
}

function spelling(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '_');
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
