import type { Shoreline } from '@leeward/coast';
import type { KindedLines } from './line-writer.ts';

/** Waters of one source with the same layers. */
export interface WaterGroup {
  readonly reachMeters: number;
  /** That they are tidal. */
  readonly probability: number;
  /** Gauges and the rivers below them answer; possible ones only lower a minimum. */
  readonly isKnown: boolean;
  /** Number of the source. */
  readonly source: number;
}

interface WaterLine {
  readonly order: number;
  readonly positions: Float64Array;
  readonly groups: readonly number[];
}

const MAX_GROUPS = 32;

/** Merges all waters into one set of lines, near ones behind each other. The kinds of segments are the groups. */
export function mergeWaters(
  knownWaters: readonly Shoreline[],
  possibleWaters: readonly Shoreline[],
): { readonly lines: KindedLines; readonly groups: readonly WaterGroup[] } {
  const groups: WaterGroup[] = [];
  const lines = [...knownWaters, ...possibleWaters]
    .flatMap((water, source) => linesOf(water, groupsOf(water, source, source < knownWaters.length, groups)))
    .sort((one, other) => one.order - other.order);
  if (groups.length > MAX_GROUPS) {
    throw new RangeError(`${groups.length} groups of waters: the coast kernel holds ${MAX_GROUPS}`);
  }
  const lineStarts = new Uint32Array(lines.length + 1);
  lines.forEach((line, at) => {
    lineStarts[at + 1] = lineStarts[at]! + line.groups.length;
  });
  const positions = new Float64Array(lineStarts.at(-1)! * 2);
  for (const [at, line] of lines.entries()) positions.set(line.positions, lineStarts[at]! * 2);
  const ofVertices = lines.flatMap((line) => line.groups);
  const kinds = groups.map((_, number) => ({ mask: 2 ** number, number }));
  return { lines: { positions, lineStarts, kinds, kindOf: (vertex) => ofVertices[vertex]! }, groups };
}

/** The number of a group by its layers, from 1; adds groups to the list. */
function groupsOf(
  { accuracy: { radiusMeters, probabilities } }: Shoreline,
  source: number,
  isKnown: boolean,
  groups: WaterGroup[],
): (layers: number) => number {
  const numbers = new Map([[0, 0]]);
  return (layers) => {
    const ofLayers = (values: readonly number[]) => values.filter((_, layer) => (layers & (1 << layer)) !== 0);
    let number = numbers.get(layers);
    if (number === undefined) {
      const probability = probabilities ? Math.max(0, ...ofLayers(probabilities)) : 1;
      number = groups.push({ reachMeters: Math.min(...ofLayers(radiusMeters)), probability, isKnown, source });
      numbers.set(layers, number);
    }
    return number;
  };
}

function linesOf({ positions, lineStarts, layers }: Shoreline, groupOf: (layers: number) => number): WaterLine[] {
  return Array.from({ length: lineStarts.length - 1 }, (_, line) => {
    const [from, to] = [lineStarts[line]!, lineStarts[line + 1]!];
    return {
      order: zOrder(positions[from * 2]! + 180, positions[from * 2 + 1]! + 90),
      positions: positions.subarray(from * 2, to * 2),
      groups: Array.from(layers.subarray(from, to), groupOf),
    };
  });
}

/** The bits of two numbers below 512 in turn, down to 1/64. */
function zOrder(x: number, y: number): number {
  let order = 0;
  for (let bit = 256; bit >= 1 / 64; bit /= 2) {
    order = order * 4 + (Math.floor(x / bit) % 2) * 2 + (Math.floor(y / bit) % 2);
  }
  return order;
}
