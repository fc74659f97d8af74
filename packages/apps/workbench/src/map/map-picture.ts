import { contourRings } from './contour-rings.ts';
import type { Box } from './map-cell.ts';
import type { DegreeLine, MapData } from './map-data.ts';
import { azimuthalEquidistant } from './projections.ts';
import { type Grid, gridOver, type PixelLine, shoreField } from './shore-field.ts';

const EARTH_METERS = 6_371_008.8;
/** Pixels between samples. */
const STEP = 3;

/** Shorter isolines are specks along the middle of narrow land. */
const MIN_RUN = 40;

export type Pixel = readonly [x: number, y: number];

/** North is up; distances from the home are true. */
export interface MapView {
  readonly width: number;
  readonly height: number;
  readonly pixelsPerMeter: number;
  readonly box: Box;
  readonly home: Pixel;
  project(longitude: number, latitude: number): Pixel;
}

/** @param reach Meters from the home, in the middle, to the nearer edges. */
export function mapView(
  home: { readonly lat: number; readonly lng: number },
  size: { readonly width: number; readonly height: number },
  reach: number,
): MapView {
  const { width, height } = size;
  const pixelsPerMeter = Math.min(width, height) / 2 / reach;
  const projection = azimuthalEquidistant(home.lng, home.lat);
  const scale = EARTH_METERS * pixelsPerMeter;
  const perDegree = (EARTH_METERS * Math.PI * pixelsPerMeter) / 180;
  const [high, wide] = [height / 2 / perDegree, width / 2 / perDegree];
  // Meridians converge: a box is widest at the edge that is nearer to the pole.
  const widest = Math.min(89, Math.abs(home.lat) + high);
  const across = Math.min(180, wide / Math.cos((widest * Math.PI) / 180));
  return {
    width,
    height,
    pixelsPerMeter,
    home: [width / 2, height / 2],
    box: {
      west: home.lng - across,
      east: home.lng + across,
      south: Math.max(-89, home.lat - high),
      north: Math.min(89, home.lat + high),
    },
    project: (longitude, latitude) => {
      const [x, y] = projection(longitude, latitude);
      return [width / 2 + scale * x, height / 2 + scale * y];
    },
  };
}

export interface Isoline {
  readonly meters: number;
  readonly path: string;
  /** Runs of points within the picture. */
  readonly runs: readonly (readonly Pixel[])[];
}

export interface MapPaths {
  readonly land: string;
  readonly shore: string;
  readonly rivers: string;
  readonly states: string;
  readonly counties: string;
  readonly isolines: readonly Isoline[];
  isLand(x: number, y: number): boolean;
}

/**
 * Land, lines, and one isoline for each distance, on land only.
 * @param nearest The answer. It counts as a shore even if it is not drawn as one, such as a gauge.
 */
export function drawMap(data: MapData, view: MapView, distances: readonly number[], nearest: Pixel): MapPaths {
  const lines = (list: readonly DegreeLine[]) => list.map((line) => pixelsOf(line, view));
  const draw = (list: readonly PixelLine[]) => list.map((line) => linePath(line, view)).join('');
  const [counted, others, rivers] = [lines(data.counted), lines(data.others), lines(data.rivers)];
  const shores = [...counted, ...others];
  const grid = gridOver(view.width, view.height, STEP);
  const heights = heightsOf(shores, lines(data.closings), grid);
  const answers = [...counted, ...rivers, Float64Array.of(...nearest, ...nearest)];
  const pixels = distances.map((meters) => meters * view.pixelsPerMeter);
  return {
    land: ringsAbove(heights, grid, 0)
      .map((ring) => `${pathOf(ring)}Z`)
      .join(''),
    shore: draw(shores),
    rivers: draw(rivers),
    states: draw(lines(data.states)),
    counties: draw(lines(data.counties)),
    isolines: isolines(heights, answers, grid, pixels).map((runs, index) => ({
      meters: distances[index]!,
      runs,
      path: runs.map(pathOf).join(''),
    })),
    isLand: (x, y) => sampleAt(heights, grid, x, y) > 0,
  };
}

/** Distances to the shore, negative in the water. Land if no shore is in the picture: homes are on land. */
export function heightsOf(shores: readonly PixelLine[], closings: readonly PixelLine[], grid: Grid): Float64Array {
  const { distances, sides } = shoreField(shores, closings, grid);
  return distances.map((distance, at) => (sides[at] || 1) * distance);
}

/**
 * The places on land that are so far from the shore, as runs of points.
 * @param heights Distances to any shore, negative in the water.
 * @param counted The shores to which distances are measured.
 */
export function isolines(
  heights: Float64Array,
  counted: readonly PixelLine[],
  grid: Grid,
  distances: readonly number[],
): readonly Pixel[][][] {
  const toShore = shoreField(counted, [], grid).distances;
  const onLand = toShore.map((distance, at) => (heights[at]! > 0 ? distance : Math.min(0, heights[at]!)));
  return distances.map((distance) =>
    ringsAbove(onLand, grid, distance).flatMap((ring) =>
      // A ring also follows the shores that do not count; there the distance jumps.
      runsWithin(ring, (x, y) => Math.abs(sampleAt(toShore, grid, x, y) - distance) < 1.5 * grid.step),
    ),
  );
}

/** Rings around the samples of at least this value, holes among them. */
function ringsAbove(values: Float64Array, grid: Grid, level: number): Pixel[][] {
  const { step, left, top } = grid;
  return contourRings(values, grid, level).map((ring) =>
    ring.map(([column, row]): Pixel => [left + column * step, top + row * step]),
  );
}

function sampleAt(values: Float64Array, { columns, rows, step, left, top }: Grid, x: number, y: number): number {
  const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, Math.round(value)));
  return values[clamp((y - top) / step, rows) * columns + clamp((x - left) / step, columns)]!;
}

function runsWithin(ring: readonly Pixel[], accepts: (x: number, y: number) => boolean): Pixel[][] {
  const runs: Pixel[][] = [];
  let run: Pixel[] = [];
  for (const point of ring) {
    if (accepts(...point)) {
      if (run.length === 0) runs.push(run);
      run.push(point);
    } else run = [];
  }
  return runs.filter((each) => lengthOf(each) > MIN_RUN);
}

const lengthOf = (points: readonly Pixel[]) =>
  points.reduce(
    (sum, [x, y], at) => sum + (at === 0 ? 0 : Math.hypot(x - points[at - 1]![0], y - points[at - 1]![1])),
    0,
  );

function pixelsOf(line: DegreeLine, { project }: MapView): PixelLine {
  const pixels = new Float64Array(line.length);
  for (let at = 0; at < line.length; at += 2) pixels.set(project(line[at]!, line[at + 1]!), at);
  return pixels;
}

const tenth = (value: number) => Math.round(value * 10) / 10;
const pathOf = (points: readonly Pixel[]) => `M${points.map(([x, y]) => `${tenth(x)} ${tenth(y)}`).join('L')}`;

/** The parts of a line that are in the picture. Points nearer than half a pixel are left out. */
function linePath(line: PixelLine, { width, height }: MapView): string {
  let path = '';
  let isOpen = false;
  let [lastX, lastY] = [0, 0];
  for (let at = 0; at + 3 < line.length; at += 2) {
    const [ax, ay, bx, by] = [line[at]!, line[at + 1]!, line[at + 2]!, line[at + 3]!];
    const isOutside =
      Math.max(ax, bx) < 0 || Math.min(ax, bx) > width || Math.max(ay, by) < 0 || Math.min(ay, by) > height;
    if (isOutside) {
      isOpen = false;
      continue;
    }
    if (!isOpen) path += `M${tenth(ax)} ${tenth(ay)}`;
    else if (Math.hypot(bx - lastX, by - lastY) < 0.5 && at + 5 < line.length) continue;
    isOpen = true;
    [lastX, lastY] = [bx, by];
    path += `L${tenth(bx)} ${tenth(by)}`;
  }
  return path;
}
