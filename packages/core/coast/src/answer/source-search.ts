import { CoastError } from '../coast-error.ts';
import type { CoastIndex } from '../search/coast-index.ts';
import type { ShoreSearch } from '../search/shore-search.ts';
import { type CoastDefinition, layerNamesOf, selectLayers } from '../shoreline/coast-definition.ts';
import { accepts } from '../shoreline/layer-selection.ts';

/** One dataset's part in answering a definition. */
export interface SourceSearch {
  readonly index: CoastIndex;
  /** Its number among the datasets. */
  readonly number: number;
  readonly search: ShoreSearch;
  /** The radius of accuracy of all segments, where one layer is asked for: what layers a segment has need not be looked up then. */
  readonly accuracyMeters: number | undefined;
  /** The radius of accuracy by the layers of a segment (a mask): the smallest of those asked for. */
  readonly accuraciesMeters: Float64Array;
  /** The names of all layers that any segment searched belongs to. */
  readonly shoreLayers: ReadonlySet<string>;
}

/** Prepares a dataset to answer a definition; undefined if it has no shore of it. */
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
    const asked = radiusMeters.filter((_radius, layer) => (layers & selection.any & (1 << layer)) !== 0);
    return Math.min(...asked);
  });
  const isOneLayer = (selection.any & (selection.any - 1)) === 0;
  const accuracyMeters = isOneLayer ? accuraciesMeters[selection.any] : undefined;
  let present = 0;
  for (const layers of index.layerMasks) if (accepts(selection, layers)) present |= layers;
  const shoreLayers = new Set(layerNamesOf(index.header, present));
  return { index, number, search, accuracyMeters, accuraciesMeters, shoreLayers };
}

/** The radius of accuracy of a segment of the dataset, in meters. */
export function accuracyOf({ accuracyMeters, accuraciesMeters, search }: SourceSearch, vertex: number): number {
  return accuracyMeters ?? accuraciesMeters[search.lines.layers[vertex]!]!;
}
