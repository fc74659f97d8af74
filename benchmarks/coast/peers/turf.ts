import type { Shoreline } from '@leeward/coast';
import { multiLineString, nearestPointOnLine, point } from '@turf/turf';
import { type Peer, timeEach } from './peer.ts';

/** Checks each segment on a sphere. */
export function createTurf({ positions, lineStarts }: Shoreline): Peer {
  const start = performance.now();
  const lines: number[][][] = [];
  for (let line = 1; line < lineStarts.length; line++) {
    const coordinates: number[][] = [];
    for (let vertex = lineStarts[line - 1]!; vertex < lineStarts[line]!; vertex++) {
      coordinates.push([positions[vertex * 2]!, positions[vertex * 2 + 1]!]);
    }
    if (coordinates.length > 1) lines.push(coordinates);
  }
  const shore = multiLineString(lines);
  return {
    name: 'turf',
    finds: 'segment, sphere',
    points: 4,
    buildMs: performance.now() - start,
    run: (points) =>
      timeEach(points, (latitude, longitude) => {
        const nearest = nearestPointOnLine(shore, point([longitude, latitude]), { units: 'meters' });
        return nearest.properties.pointDistance;
      }),
  };
}
