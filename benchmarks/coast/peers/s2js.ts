import type { Shoreline } from '@leeward/coast';
import { s2 } from 's2js';
import { type Absent, type Peer, timeEach } from './peer.ts';

const EARTH_RADIUS_METERS = 6_371_010;

/** S2 in JavaScript: each line projected upon, since its index cannot be built over a million edges in reasonable time. */
export function createS2js({ positions, lineStarts }: Shoreline): Peer | Absent {
  const start = performance.now();
  const lines = Array.from({ length: lineStarts.length - 1 }, (_, line) => {
    const points = [];
    for (let vertex = lineStarts[line]!; vertex < lineStarts[line + 1]!; vertex++) {
      points.push(s2.Point.fromLatLng(s2.LatLng.fromDegrees(positions[vertex * 2 + 1]!, positions[vertex * 2]!)));
    }
    return new s2.Polyline(points);
  });
  return {
    name: 's2js',
    finds: 'segment, sphere',
    points: 4,
    buildMs: performance.now() - start,
    run: (points) =>
      timeEach(points, (latitude, longitude) => {
        const place = s2.Point.fromLatLng(s2.LatLng.fromDegrees(latitude, longitude));
        let nearest = Number.POSITIVE_INFINITY;
        for (const line of lines) nearest = Math.min(nearest, line.project(place)[0].distance(place));
        return nearest * EARTH_RADIUS_METERS;
      }),
  };
}
