import type { Shoreline } from '@leeward/coast';
import type { Points } from '../points.ts';

/** A search by others over the same coastline. */
export interface Peer {
  readonly name: string;
  /** Result type: `vertex` or `segment`, with the distance formula. */
  readonly finds: string;
  /** Gives a full answer. Its maximum difference from ours is a row. */
  readonly isExact?: boolean;
  /** Maximum distance at which its answers are compared. @default unlimited */
  readonly comparedWithinMeters?: number;
  /** Number of points. Slow peers get few. */
  readonly points: number;
  readonly buildMs: number;
  run(points: Points): Round | Promise<Round>;
  close?(): void;
}

export interface Round {
  /** Per query. */
  readonly microseconds: number;
  readonly meters: Float64Array;
}

export interface Absent {
  readonly name: string;
  readonly absent: string;
}

export type PeerFactory = (shoreline: Shoreline, folder: string) => Peer | Absent | Promise<Peer | Absent>;

export function timeEach(points: Points, nearestMeters: (latitude: number, longitude: number) => number) {
  const { latitudes, longitudes } = points;
  const meters = new Float64Array(latitudes.length);
  const start = performance.now();
  for (let at = 0; at < latitudes.length; at++) meters[at] = nearestMeters(latitudes[at]!, longitudes[at]!);
  return { microseconds: ((performance.now() - start) * 1000) / latitudes.length, meters };
}
