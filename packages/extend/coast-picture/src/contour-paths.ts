import { contours } from 'd3-contour';
import type { MapView } from './map-view.ts';
import type { ShoreSamples } from './sample-shore.ts';

type Ring = readonly (readonly [number, number])[];

/** Rings around all that is at least so high, in pixels, the holes among them. */
export function ringsAbove(samples: ShoreSamples, values: Float64Array, level: number): Ring[] {
  const { columns, rows, toX, toY } = samples;
  // Read by its places alone: to copy it into an array takes longer than to draw the line.
  const contour = contours()
    .size([columns, rows])
    .smooth(true)
    .contour(values as unknown as number[], level);
  return contour.coordinates.flatMap((polygon) =>
    // A sample is the center of its cell.
    polygon.map((ring) => thinned(ring.map(([x = 0, y = 0]) => [toX(x - 0.5), toY(y - 0.5)] as const))),
  );
}

/** Smaller rings are specks: where two works differ by a hair, not where an island is. */
const MIN_PIXELS = 24;

export function isSeen(ring: Ring): boolean {
  let doubled = 0;
  for (let at = 0; at + 1 < ring.length; at++) {
    doubled += ring[at]![0] * ring[at + 1]![1] - ring[at + 1]![0] * ring[at]![1];
  }
  return Math.abs(doubled) / 2 >= MIN_PIXELS;
}

/** Heights are clamped at this distance, because samples far from the shore do not describe its line. */
const CUT_SAMPLES = 3;

/**
 * Heights around the shore, each the mean of its neighbourhood. A straight shore keeps its place, and steps between the
 * two sources become smooth.
 */
export function smoothed({ heights, columns, rows, toX }: ShoreSamples, view: MapView): Float64Array {
  const maxHeight = CUT_SAMPLES * (toX(1) - toX(0)) * view.metersPerPixel;
  const cut = heights.map((height) => Math.max(-maxHeight, Math.min(maxHeight, height)));
  const across = meanOfThree(cut, 1, columns, rows);
  return meanOfThree(across, columns, columns, rows);
}

/** Weights 1, 2, 1 of the samples a stride apart; at the edges the sample itself. */
function meanOfThree(values: Float64Array, stride: number, columns: number, rows: number): Float64Array {
  return values.map((value, at) => {
    const isEdge =
      stride === 1 ? at % columns === 0 || at % columns === columns - 1 : at < columns || at >= columns * (rows - 1);
    return isEdge ? value : (values[at - stride]! + 2 * value + values[at + stride]!) / 4;
  });
}

/** Rings as the data of a path. */
export function ringsPath(rings: readonly Ring[]): string {
  return rings.map((ring) => `M${ring.slice(0, -1).map(pair).join('L')}Z`).join('');
}

/** The runs of rings that are accepted, open. */
export function runsPath(rings: readonly Ring[], accepts: (x: number, y: number) => boolean): string {
  const runs: string[] = [];
  for (const ring of rings) {
    let run: string[] = [];
    for (const point of ring) {
      if (accepts(...point)) run.push(pair(point));
      else {
        if (run.length > 1) runs.push(`M${run.join('L')}`);
        run = [];
      }
    }
    if (run.length > 1) runs.push(`M${run.join('L')}`);
  }
  return runs.join('');
}

/** A tenth of a pixel is finer than any printer. */
function pair([x, y]: readonly [number, number]): string {
  return `${tenth(x)} ${tenth(y)}`;
}

export function tenth(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

const THINNEST_PIXELS = 0.12;

/** Leaves out what lies, within a hair, on the straight line between its neighbours. */
function thinned(ring: Ring): Ring {
  const points: (readonly [number, number])[] = [];
  for (let at = 0; at < ring.length; at++) {
    const here = ring[at]!;
    const before = points.at(-1);
    const after = ring[at + 1];
    if (before !== undefined && after !== undefined && isBetween(before, here, after)) continue;
    points.push(here);
  }
  return points;
}

function isBetween(
  [ax, ay]: readonly [number, number],
  [x, y]: readonly [number, number],
  [bx, by]: readonly [number, number],
): boolean {
  const length = Math.hypot(bx - ax, by - ay);
  if (length > 40) return false;
  const area = Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax));
  return length === 0 || area / length < THINNEST_PIXELS;
}
