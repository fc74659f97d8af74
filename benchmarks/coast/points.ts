import type { Shoreline } from '@leeward/coast';
import { createRandom } from '../../test/support/random.ts';

export interface Points {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
}

export type PointKind = 'near' | 'anywhere' | 'mixed';

/** Two boxes of land and sea: the contiguous states and Alaska. */
const ANYWHERE = [
  { west: -125, east: -66, south: 24, north: 50, share: 0.8 },
  { west: -170, east: -130, south: 54, north: 72, share: 0.2 },
];

/** Seeded points: within about 20 km of a shore vertex, anywhere, or alternating. */
export function createPoints(shoreline: Shoreline, count: number, seed: number): Record<PointKind, Points> {
  const random = createRandom(seed);
  const empty = (): Points => ({ latitudes: new Float64Array(count), longitudes: new Float64Array(count) });
  const points = { near: empty(), anywhere: empty(), mixed: empty() };
  const vertices = shoreline.positions.length / 2;
  const scatter = (): number => (random() + random() + random() - 1.5) * 0.2;
  for (let at = 0; at < count; at++) {
    const vertex = Math.floor(random() * vertices);
    points.near.latitudes[at] = shoreline.positions[vertex * 2 + 1]! + scatter();
    points.near.longitudes[at] = Math.max(-180, Math.min(180, shoreline.positions[vertex * 2]! + scatter()));
    const box = random() < ANYWHERE[0]!.share ? ANYWHERE[0]! : ANYWHERE[1]!;
    points.anywhere.latitudes[at] = box.south + random() * (box.north - box.south);
    points.anywhere.longitudes[at] = box.west + random() * (box.east - box.west);
    const from = at % 2 === 0 ? points.near : points.anywhere;
    points.mixed.latitudes[at] = from.latitudes[at]!;
    points.mixed.longitudes[at] = from.longitudes[at]!;
  }
  return points;
}

export function firstPoints({ latitudes, longitudes }: Points, count: number): Points {
  return { latitudes: latitudes.subarray(0, count), longitudes: longitudes.subarray(0, count) };
}

/** One-degree cells that contain points, as boxes. */
export function boxesOf({
  latitudes,
  longitudes,
}: Points): { west: number; south: number; east: number; north: number }[] {
  const cells = new Set<string>();
  latitudes.forEach((latitude, at) => {
    cells.add(`${Math.floor(longitudes[at]!)} ${Math.floor(latitude)}`);
  });
  return [...cells].map((cell) => {
    const [west, south] = cell.split(' ').map(Number);
    return { west: west!, south: south!, east: west! + 0.5, north: south! + 0.5 };
  });
}
