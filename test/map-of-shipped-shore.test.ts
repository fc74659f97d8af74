import { readFileSync } from 'node:fs';
import { buildCoastIndex, createCoast, decodeShoreline } from '@leeward/coast';
import { createMapTiles } from '@leeward/coast-builder/map';
import { coastlineUsFiles } from '@leeward/coastline-us';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { expect, it } from 'vitest';
import { createRandom } from './support/random.ts';

const ZOOM = 10;

/** More polygons than holes around it: polygons of the source may overlap. */
function isOnLand(rings: readonly (readonly { x: number; y: number }[])[], x: number, y: number): boolean {
  let around = 0;
  for (const ring of rings) {
    let isInside = false;
    let area = 0;
    ring.forEach((to, at) => {
      const from = ring[at === 0 ? ring.length - 1 : at - 1]!;
      area += from.x * to.y - to.x * from.y;
      if (from.y > y !== to.y > y && x < from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x))
        isInside = !isInside;
    });
    if (isInside) around += Math.sign(area);
  }
  return around > 0;
}

it.each([
  ['Hawaii', { west: -158.4, south: 21.2, east: -157.6, north: 21.8 }],
  ['Miami', { west: -80.9, south: 25.2, east: -80, north: 26 }],
  ['Maine', { west: -70, south: 43.6, east: -68.6, north: 45.5 }],
])('tiles of %s have the land where the shipped shore has it', (_, box) => {
  const shoreline = decodeShoreline(readFileSync(coastlineUsFiles.osm));
  const coast = createCoast(buildCoastIndex(shoreline));
  const map = createMapTiles({ shoreline, waypoints: [[-66.3, 52]] }, { maxZoom: ZOOM, box });
  const tiles = new Map([...map.tiles()].map(({ z, x, y, bytes }) => [`${z}/${x}/${y}`, bytes]));
  const random = createRandom(45);
  const sides = { land: 0, water: 0 };
  for (let at = 0; at < 400; at++) {
    const longitude = box.west + random() * (box.east - box.west);
    const latitude = box.south + random() * (box.north - box.south);
    const { distanceMeters, side } = coast.nearest({ latitude, longitude });
    if (side === 'unknown' || distanceMeters < 60) continue;
    sides[side]++;
    const column = ((longitude + 180) / 360) * 2 ** ZOOM;
    const row = (0.5 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** ZOOM;
    const bytes = tiles.get(`${ZOOM}/${Math.floor(column)}/${Math.floor(row)}`);
    const rings = bytes && new VectorTile(new PbfReader(bytes)).layers['land']?.feature(0).loadGeometry();
    const isLand = rings !== undefined && isOnLand(rings, (column % 1) * 4096, (row % 1) * 4096);
    expect(isLand, `${latitude}, ${longitude}`).toBe(side === 'land');
  }
  expect(Math.min(sides.land, sides.water)).toBeGreaterThan(30);
});
