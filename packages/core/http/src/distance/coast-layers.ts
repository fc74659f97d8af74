import { NEIGHBOUR_LAYER } from '@leeward/coast';
import type { Problem } from '../problem/problem.ts';
import { invalidRequest } from '../problem/problem.ts';
import type { CoastPort } from './coast-port.ts';
import { hasMeanHighWater, MEAN_HIGH_WATER_LAYER } from './mean-high-water.ts';
import { USUAL_LAYER } from './usual-layer.ts';

export const GREAT_LAKES_LAYER = 'great_lakes';

/** The layers a request may name: those of all datasets, but for the one that marks other countries' shores; and mean high water. */
export function coastLayers(coast: CoastPort): string[] {
  const names = new Set(coast.datasets.flatMap(({ layerNames }) => layerNames));
  names.delete(NEIGHBOUR_LAYER);
  if (hasMeanHighWater(coast)) names.add(MEAN_HIGH_WATER_LAYER);
  return [...names];
}

/** The layer that a request names, however it spells it. Throws 422 `unknown_coast`, naming the layers there are. */
export function readCoastLayer(coast: CoastPort, given: string | null | undefined): string {
  const asked = given?.trim() || USUAL_LAYER;
  const layer = coastLayers(coast).find((name) => spelling(name) === spelling(asked));
  if (layer !== undefined) return layer;
  throw unknownCoast(coast, asked);
}

export function unknownCoast(coast: CoastPort, asked: string): Problem {
  const message = `There is no coast ${JSON.stringify(asked)} here; give ${listed(coastLayers(coast))}.`;
  return invalidRequest([{ path: '/coast', code: 'unknown_coast', message }]);
}

function spelling(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '_');
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
