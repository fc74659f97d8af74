import { UNITS_PER_METER } from '../earth/ellipsoid.ts';
import { layerNamesOf } from '../shoreline/coast-definition.ts';
import { accepts } from '../shoreline/layer-selection.ts';
import type { CoverageBox } from '../shoreline/shoreline.ts';
import { NOT_BUILT } from './candidate-tree.ts';
import type { CoastIndex } from './coast-index.ts';

/** Statistics of an index. */
export interface IndexDescription {
  readonly name: string;
  readonly version: string;
  readonly attribution: string;
  readonly lines: number;
  readonly segments: number;
  readonly kilometers: number;
  readonly layers: readonly {
    readonly name: string;
    readonly segments: number;
    readonly kilometers: number;
    readonly accuracyMeters: number;
  }[];
  readonly shores: readonly { readonly name: string; readonly kilometers: number }[];
  readonly water: 'left' | 'right' | 'unknown';
  readonly accuracyMethod: string;
  readonly coverage: readonly CoverageBox[];
  readonly tiles: readonly { readonly layers: readonly string[]; readonly cells: number; readonly bytes: number }[];
}

/**
 * Counts segments, lengths and tiles.
 * @example
 * describeIndex(index).kilometers;
 */
export function describeIndex(index: CoastIndex): IndexDescription {
  index.openAll();
  const { header, lines } = index;
  const { vertices, layers, shores } = lines;
  const layerMeters = new Float64Array(header.layerNames.length);
  const layerSegments = new Uint32Array(header.layerNames.length);
  const shoreMeters = new Float64Array(header.shoreNames.length);
  let segments = 0;
  let total = 0;
  for (let vertex = 0; vertex < layers.length; vertex++) {
    const mask = layers[vertex]!;
    if (mask === 0) continue;
    const at = vertex * 3;
    const meters =
      Math.hypot(
        vertices[at + 3]! - vertices[at]!,
        vertices[at + 4]! - vertices[at + 1]!,
        vertices[at + 5]! - vertices[at + 2]!,
      ) / UNITS_PER_METER;
    segments++;
    total += meters;
    shoreMeters[shores[vertex]!]! += meters;
    header.layerNames.forEach((_, layer) => {
      if (!accepts({ any: 1 << layer, none: 0 }, mask)) return;
      layerMeters[layer]! += meters;
      layerSegments[layer]!++;
    });
  }
  return {
    name: header.name,
    version: header.version,
    attribution: header.attribution,
    lines: lines.lineStarts.length - 1,
    segments,
    kilometers: total / 1000,
    layers: header.layerNames.map((name, layer) => ({
      name,
      segments: layerSegments[layer]!,
      kilometers: layerMeters[layer]! / 1000,
      accuracyMeters: header.accuracy.radiusMeters[layer]!,
    })),
    shores: header.shoreNames.map((name, shore) => ({ name, kilometers: shoreMeters[shore]! / 1000 })),
    water: header.water,
    accuracyMethod: header.accuracy.method,
    coverage: header.coverage,
    tiles: index
      .searches()
      .filter((search) => search.isShipped)
      .map(({ selection, tiles }) => ({
        layers: layerNamesOf(header, selection.any),
        cells: tiles.table.reduce((sum, entry) => sum + (entry === NOT_BUILT ? 0 : 1), 0),
        bytes: tiles.byteLength,
      })),
  };
}

/**
 * Formats a description as lines of text.
 * @example
 * console.log(formatIndexDescription(describeIndex(index)));
 */
export function formatIndexDescription(description: IndexDescription): string {
  const text = [
    `${description.name} ${description.version}: ${whole(description.segments)} segments in ${whole(description.lines)} lines, ${whole(description.kilometers)} km`,
    `  ${description.attribution}`,
  ];
  for (const layer of description.layers) {
    text.push(
      `  layer ${layer.name}: ${whole(layer.segments)} segments, ${whole(layer.kilometers)} km, accuracy ${whole(layer.accuracyMeters)} m`,
    );
  }
  for (const shore of description.shores) text.push(`  shore ${shore.name}: ${whole(shore.kilometers)} km`);
  text.push(`  accuracy: ${description.accuracyMethod}`);
  text.push(
    `  water: ${description.water === 'unknown' ? 'side unknown' : `on the ${description.water} of its lines`}`,
  );
  const boxes = description.coverage.map(
    ({ west, south, east, north }) => `longitude ${west} … ${east}, latitude ${south} … ${north}`,
  );
  text.push(`  coverage: ${boxes.length === 0 ? 'the whole world' : boxes.join('; ')}`);
  for (const { layers, cells, bytes } of description.tiles) {
    text.push(`  tiles for ${layers.join('+')}: ${whole(cells)} cells, ${(bytes / 1e6).toFixed(1)} MB`);
  }
  return text.join('\n');
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
