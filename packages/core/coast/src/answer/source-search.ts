import { CoastError } from '../coast-error.ts';
import type { CoastIndex } from '../search/coast-index.ts';
import type { ShoreSearch } from '../search/shore-search.ts';
import { type CoastDefinition, layerNamesOf, selectLayers } from '../shoreline/coast-definition.ts';
import type { AccuracyTable } from '../shoreline/conflation.ts';
import { accepts } from '../shoreline/layer-selection.ts';
import { ErrorDistribution } from './error-distribution.ts';

export interface SourceSearch {
  readonly index: CoastIndex;
  readonly number: number;
  readonly search: ShoreSearch;
  /** By the number that `accuracyKey` returns. */
  readonly radiiMeters: Float64Array;
  readonly maxRadiusMeters: number;
  readonly distributions: readonly ErrorDistribution[];
  /** Keys are classes of the table, else masks of layers. */
  readonly isByClass: boolean;
  readonly shoreLayers: ReadonlySet<string>;
}

/** Undefined without a shore of the definition. */
export function createSourceSearch(
  index: CoastIndex,
  number: number,
  definition: CoastDefinition,
  table: AccuracyTable | undefined,
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
  let present = 0;
  for (const layers of index.layerMasks) if (accepts(selection, layers)) present |= layers;
  const shoreLayers = new Set(layerNamesOf(index.header, present));
  if (table !== undefined) {
    const radiiMeters = Float64Array.from(table.classes, ({ radiusMeters }) => radiusMeters);
    const distributions = table.classes.map(
      ({ errorQuantilesMeters, radiusMeters }) =>
        new ErrorDistribution(table.probabilities, errorQuantilesMeters, radiusMeters),
    );
    const maxRadiusMeters = Math.max(...radiiMeters);
    return { index, number, search, radiiMeters, maxRadiusMeters, distributions, isByClass: true, shoreLayers };
  }
  const { radiusMeters } = index.header.accuracy;
  const radiiMeters = Float64Array.from({ length: 1 << index.header.layerNames.length }, (_, layers) => {
    const radii = radiusMeters.filter((_radius, layer) => (layers & selection.any & (1 << layer)) !== 0);
    return Math.min(...radii);
  });
  const maxRadiusMeters = Math.max(...radiusMeters);
  return { index, number, search, radiiMeters, maxRadiusMeters, distributions: [], isByClass: false, shoreLayers };
}

export function accuracyKey({ isByClass, search }: SourceSearch, vertex: number): number {
  return isByClass ? search.lines.classes[vertex]! : search.lines.layers[vertex]!;
}

export function accuracyOf(source: SourceSearch, vertex: number): number {
  return source.radiiMeters[accuracyKey(source, vertex)]!;
}

/** @param radiusMeters applies without a table. */
export function distributionOf(source: SourceSearch, vertex: number, radiusMeters: number): ErrorDistribution {
  return source.isByClass
    ? source.distributions[accuracyKey(source, vertex)]!
    : ErrorDistribution.ofRadius(radiusMeters);
}
