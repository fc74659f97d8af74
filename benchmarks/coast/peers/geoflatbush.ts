import type { Shoreline } from '@leeward/coast';
import Flatbush from 'flatbush';
import { around } from 'geoflatbush';
import { distance } from 'geokdbush';
import { type Peer, timeEach } from './peer.ts';

/** The nearest vertex on a sphere. */
export function createGeoflatbush({ positions }: Shoreline): Peer {
  const start = performance.now();
  const index = new Flatbush(positions.length / 2);
  for (let at = 0; at < positions.length; at += 2) {
    index.add(positions[at]!, positions[at + 1]!, positions[at]!, positions[at + 1]!);
  }
  index.finish();
  return {
    name: 'geoflatbush',
    finds: 'vertex, sphere',
    points: 20_000,
    buildMs: performance.now() - start,
    run: (points) =>
      timeEach(points, (latitude, longitude) => {
        const [vertex = 0] = around(index, longitude, latitude, 1) as number[];
        return distance(longitude, latitude, positions[vertex * 2]!, positions[vertex * 2 + 1]!) * 1000;
      }),
  };
}
