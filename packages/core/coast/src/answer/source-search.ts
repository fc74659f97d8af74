import { CoastError } from '../coast-error.ts';
import type { CoastIndex } from '../search/coast-index.ts';
import type { ShoreSearch } from '../search/shore-search.ts';
import { type CoastDefinition, layerNamesOf, selectLayers } from '../shoreline/coast-definition.ts';
import { accepts } from '../shoreline/layer-selection.ts';

export interface SourceSearch {
  readonly index: CoastIndex;
  readonly number: number;
  readonly search: ShoreSearch;
  readonly accuracyMeters: number | undefined;
  readonly accuraciesMeters: Float64Array;
  readonly shoreLayers: ReadonlySet<string>;
}

/** Undefined without a shore of the definition. */
export function createSourceSearch(
  index: CoastIndex,
  number: number,
  definition: CoastDefinition,
): SourceSearch | undefined {
  const selection = selectLayers(index.header, definition);
  if (selection === undefined) return undefined;
  let search: ShoreSearch;
  try {
    search = index.search(selection);
  } catch (error) {
    if (error instanceof CoastError && error.code === 'no_shore') return undefined;
    throw error;
  }
  const { radiusMeters } = index.header.accuracy;
  const accuraciesMeters = Float64Array.from({ length: 1 << index.header.layerNames.length }, (_, layers) => {
    const radii = radiusMeters.filter((_radius, layer) => (layers & selection.any & (1 << layer)) !== 0);
    return Math.min(...radii);
  });
  const isOneLayer = (selection.any & (selection.any - 1)) === 0;
  const accuracyMeters = isOneLayer ? accuraciesMeters[selection.any] : undefined;
  let present = 0;
  for (const layers of index.layerMasks) if (accepts(selection, layers)) present |= layers;
  const shoreLayers = new Set(layerNamesOf(index.header, present));
  return { index, number, search, accuracyMeters, accuraciesMeters, shoreLayers };
}

export function accuracyOf({ accuracyMeters, accuraciesMeters, search }: SourceSearch, vertex: number): number {
  return accuracyMeters ?? accuraciesMeters[search.lines.layers[vertex]!]!;
}
