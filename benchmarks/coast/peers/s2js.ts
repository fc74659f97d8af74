import type { Shoreline } from '@leeward/coast';
import { s2 } from 's2js';
import { type Peer, timeEach } from './peer.ts';

const EARTH_RADIUS_METERS = 6_371_010;

/** The closest edge of an S2 index in JavaScript. */
export function createS2js({ positions, lineStarts }: Shoreline): Peer {
  const start = performance.now();
  const toPoint = (latitude: number, longitude: number) =>
    s2.Point.fromLatLng(s2.LatLng.fromDegrees(latitude, longitude));
  const index = new s2.ShapeIndex();
  for (let line = 1; line < lineStarts.length; line++) {
    const points = [];
    for (let vertex = lineStarts[line - 1]!; vertex < lineStarts[line]!; vertex++) {
      points.push(toPoint(positions[vertex * 2 + 1]!, positions[vertex * 2]!));
    }
    index.add(new s2.Polyline(points));
  }
  index.build();
  const query = new s2.ClosestEdgeQuery(index);
  query.options.maxResults = 1;
  return {
    name: 's2js',
    finds: 'segment, sphere',
    points: 4,
    buildMs: performance.now() - start,
    run: (points) =>
      timeEach(points, (latitude, longitude) => {
        const place = toPoint(latitude, longitude);
        const found = query.findClosestEdge(new s2.EdgeQueryPointTarget(place));
        return query.project(place, found).distance(place) * EARTH_RADIUS_METERS;
      }),
  };
}
