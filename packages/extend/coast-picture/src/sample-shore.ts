import { BATCH_ANSWERED, type Coast, createCoastBatch, isCovered, NEIGHBOUR_LAYER } from '@leeward/coast';
import type { MapView } from './map-view.ts';

/** Distances over a picture and beyond its edges, row by row. */
export interface ShoreSamples {
  readonly columns: number;
  readonly rows: number;
  /** To the shore that the definition counts, in metres. */
  readonly distances: Float64Array;
  /** To any shore: above zero on land, below it in the water. */
  readonly heights: Float64Array;
  /** 1 where the data reaches, −1 beyond: nothing is known there, neither land nor water. */
  readonly covered: Float64Array;
  /** From a place among the samples to a pixel. */
  toX(column: number): number;
  toY(row: number): number;
}

export interface SampledCoast {
  readonly coast: Coast;
  readonly definition: string;
  /** One of two sources by the name of its dataset. Undefined if there is only one. */
  readonly alone: (dataset: string) => Coast | undefined;
}

/** Pixels between samples. Straight lines between them are invisible at this distance. */
const USUAL_STEP = 2;
/** Rows of samples between two pauses: a few milliseconds of work. */
const ROWS_AT_ONCE = 2;
/** Samples beyond each edge, so that no line ends within the picture. */
const MARGIN = 3;
/** Beyond the coverage of the data there is no shore of it; what is drawn there lies under a veil. */
const NOWHERE_METERS = 1e7;

/** Samples the coast over the whole picture, so that the picture agrees with its answers. Yields between rows. */
export function* sampleShore(
  { coast, alone, definition }: SampledCoast,
  view: MapView,
  step = USUAL_STEP,
): Generator<void, ShoreSamples> {
  const columns = Math.ceil(view.width / step) + 1 + 2 * MARGIN;
  const rows = Math.ceil(view.height / step) + 1 + 2 * MARGIN;
  const toX = (column: number) => (column - MARGIN) * step;
  const toY = (row: number) => (row - MARGIN) * step;
  const count = columns * rows;
  const latitudes = new Float64Array(count);
  const longitudes = new Float64Array(count);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const point = view.toPoint({ x: toX(column), y: toY(row) });
      latitudes[row * columns + column] = point.latitude;
      longitudes[row * columns + column] = point.longitude;
    }
  }
  const distances = new Float64Array(count);
  const covered = new Float64Array(count);
  const heights = new Float64Array(count);
  for (let start = 0; start < count; start += ROWS_AT_ONCE * columns) {
    yield;
    const end = Math.min(count, start + ROWS_AT_ONCE * columns);
    const points = { latitudes: latitudes.subarray(start, end), longitudes: longitudes.subarray(start, end) };
    const batch = createCoastBatch(end - start);
    coast.nearestMany(points, { batch, definition, unanswered: 'mark' });
    for (let at = start; at < end; at++) {
      const isAnswered = batch.statuses[at - start] === BATCH_ANSWERED;
      distances[at] = isAnswered ? batch.distancesMeters[at - start]! : NOWHERE_METERS;
      covered[at] = isAnswered ? 1 : -1;
    }
    heights.set(heightsOf({ coast, alone }, points.latitudes, points.longitudes), start);
  }
  return { columns, rows, distances, heights, covered, toX, toY };
}

/** Uses all layers, including other countries': land is land for every definition. */
function heightsOf(
  { coast, alone }: Pick<SampledCoast, 'coast' | 'alone'>,
  latitudes: Float64Array,
  longitudes: Float64Array,
): Float64Array {
  const layers = [...new Set(coast.datasets.flatMap(({ layerNames }) => layerNames))];
  const any = {
    layers: layers.filter((layer) => layer !== NEIGHBOUR_LAYER),
    neighbours: layers.includes(NEIGHBOUR_LAYER),
  };
  return latitudes.map((latitude, at) => {
    const longitude = longitudes[at]!;
    // Checked first, because an error per sample beyond the coverage is slow.
    if (!coast.datasets.some(({ coverage }) => isCovered(coverage, latitude, longitude))) return NOWHERE_METERS;
    const point = { latitude, longitude };
    const { distanceMeters, side, dataset } = coast.nearest(point, any);
    // If the sources disagree, draws the one that answers; if neither knows, land.
    const drawn = side === 'unknown' ? (alone(dataset.name)?.nearest(point, any).side ?? side) : side;
    return drawn === 'water' ? -distanceMeters : distanceMeters;
  });
}
