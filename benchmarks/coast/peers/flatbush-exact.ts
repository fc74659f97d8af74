import type { Shoreline } from '@leeward/coast';
import Flatbush from 'flatbush';
import { around } from 'geoflatbush';
import geodesic from 'geographiclib-geodesic';
import type { Points } from '../points.ts';
import { type Peer, type Round, timeEach } from './peer.ts';

/** WGS84, in meters. */
const AXIS = 6_378_137;
const FLATTENING = 1 / 298.257223563;
const SQUARED_ECCENTRICITY = FLATTENING * (2 - FLATTENING);
const RADIANS = Math.PI / 180;
/** Maximum error of geoflatbush's sphere and of chords, up to 2,000 km. */
const SPHERE_MARGIN = 1.012;

/**
 * A full answer from well-kept parts: flatbush and geoflatbush over the boxes of segments, the distance to each candidate in space (chords of
 * earth-centered vertices), and Karney's geodesic to the nearest point. The nearest box gives the radius of the candidates.
 */
export function createFlatbushExact({
  positions,
  lineStarts,
}: Shoreline): Omit<Peer, 'run'> & { run(points: Points): Round } {
  const start = performance.now();
  const nearest = createSearch(positions, lineStarts);
  return {
    name: 'flatbush exact',
    finds: 'segment, ellipsoid: point, distance and azimuth',
    isExact: true,
    points: 20_000,
    buildMs: performance.now() - start,
    run: (points) => timeEach(points, nearest),
  };
}

function createSearch(
  positions: Float64Array,
  lineStarts: Uint32Array,
): (latitude: number, longitude: number) => number {
  const segments: number[] = [];
  for (let line = 1; line < lineStarts.length; line++) {
    for (let vertex = lineStarts[line - 1]!; vertex + 1 < lineStarts[line]!; vertex++) segments.push(vertex);
  }
  const index = new Flatbush(segments.length);
  for (const vertex of segments) {
    const [west, south, east, north] = positions.subarray(vertex * 2, vertex * 2 + 4) as unknown as readonly number[];
    index.add(Math.min(west!, east!), Math.min(south!, north!), Math.max(west!, east!), Math.max(south!, north!));
  }
  index.finish();
  const space = new Float64Array((positions.length / 2) * 3);
  for (let vertex = 0; vertex * 2 < positions.length; vertex++) {
    toSpace(positions[vertex * 2 + 1]!, positions[vertex * 2]!, space, vertex * 3);
  }
  const here = new Float64Array(3);
  let fraction = 0;

  /** Squared, to the chord of a segment. Sets `fraction`. */
  const squaredTo = (vertex: number): number => {
    const at = vertex * 3;
    const x = space[at]!;
    const y = space[at + 1]!;
    const z = space[at + 2]!;
    const alongX = space[at + 3]! - x;
    const alongY = space[at + 4]! - y;
    const alongZ = space[at + 5]! - z;
    const fromX = here[0]! - x;
    const fromY = here[1]! - y;
    const fromZ = here[2]! - z;
    const squared = alongX * alongX + alongY * alongY + alongZ * alongZ;
    const along = squared === 0 ? 0 : (fromX * alongX + fromY * alongY + fromZ * alongZ) / squared;
    fraction = along < 0 ? 0 : along > 1 ? 1 : along;
    const offX = fromX - fraction * alongX;
    const offY = fromY - fraction * alongY;
    const offZ = fromZ - fraction * alongZ;
    return offX * offX + offY * offY + offZ * offZ;
  };

  return (latitude, longitude) => {
    toSpace(latitude, longitude, here, 0);
    const [first = 0] = around(index, longitude, latitude, 1) as number[];
    let best = segments[first]!;
    let bestSquared = squaredTo(best);
    let bestFraction = fraction;
    const reachKilometers = (Math.sqrt(bestSquared) * SPHERE_MARGIN + 10) / 1000;
    for (const segment of around(index, longitude, latitude, Number.POSITIVE_INFINITY, reachKilometers) as number[]) {
      const squared = squaredTo(segments[segment]!);
      if (squared >= bestSquared) continue;
      bestSquared = squared;
      best = segments[segment]!;
      bestFraction = fraction;
    }
    // The point of the chord, on the surface.
    const from = best * 3;
    const x = space[from]! + bestFraction * (space[from + 3]! - space[from]!);
    const y = space[from + 1]! + bestFraction * (space[from + 4]! - space[from + 1]!);
    const z = space[from + 2]! + bestFraction * (space[from + 5]! - space[from + 2]!);
    const { s12 = Number.NaN } = geodesic.Geodesic.WGS84.Inverse(
      latitude,
      longitude,
      Math.atan2(z, Math.hypot(x, y) * (1 - SQUARED_ECCENTRICITY)) / RADIANS,
      Math.atan2(y, x) / RADIANS,
    );
    return s12;
  };
}

function toSpace(latitude: number, longitude: number, out: Float64Array, at: number): void {
  const sine = Math.sin(latitude * RADIANS);
  const radius = AXIS / Math.sqrt(1 - SQUARED_ECCENTRICITY * sine * sine);
  const across = radius * Math.cos(latitude * RADIANS);
  out[at] = across * Math.cos(longitude * RADIANS);
  out[at + 1] = across * Math.sin(longitude * RADIANS);
  out[at + 2] = radius * (1 - SQUARED_ECCENTRICITY) * sine;
}
