import { buildCoastIndex, createCoast, encodeCoastIndex, openCoastIndex, type Shoreline } from '@leeward/coast';
import { VectorTile } from '@mapbox/vector-tile';
import type { Position } from 'geojson';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import { createMapTiles, type MapTile, type MapTileOptions } from './map-tiles.ts';
import { shorelineOfIndex } from './shoreline-of-index.ts';

function shorelineOf(lines: readonly (readonly Position[])[], more: Partial<Shoreline> = {}): Shoreline {
  const count = lines.reduce((sum, line) => sum + line.length, 0);
  let start = 0;
  return {
    name: 'test',
    version: '1',
    attribution: '',
    layerNames: ['tidal'],
    shoreNames: ['sea'],
    water: 'right',
    accuracy: { radiusMeters: [10], method: '' },
    coverage: [],
    positions: Float64Array.from(lines.flat(2)),
    lineStarts: Uint32Array.from([0, ...lines.map((line) => (start += line.length))]),
    layers: new Uint16Array(count).fill(1),
    shores: new Uint8Array(count),
    ...more,
  };
}

/** A star-shaped island with a rough shore, counterclockwise. */
function island(longitude: number, latitude: number, degrees: number, seed: number): Position[] {
  const random = createRandom(seed);
  const ring = Array.from({ length: 400 }, (_, at) => {
    const direction = (at / 400) * 2 * Math.PI;
    const radius = degrees * (0.6 + 0.1 * Math.sin(5 * direction) + 0.02 * random());
    return [longitude + radius * Math.cos(direction), latitude + radius * Math.sin(direction)];
  });
  return [...ring, ring[0]!];
}

const tilesOf = (shoreline: Shoreline, options?: MapTileOptions): MapTile[] => [
  ...createMapTiles({ shoreline }, options).tiles(),
];

/** By the deepest tile at a place: which of `land` and `water` contain it, by even and odd. */
function layersAt(tiles: readonly MapTile[], z: number, [longitude = 0, latitude = 0]: Position): string[] {
  const size = 2 ** z;
  const column = ((longitude + 180) / 360) * size;
  const sine = Math.sin((latitude * Math.PI) / 180);
  const row = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size;
  const tile = tiles.find((each) => each.z === z && each.x === Math.floor(column) && each.y === Math.floor(row));
  if (tile === undefined) return [];
  const { layers } = new VectorTile(new PbfReader(tile.bytes));
  const place = { x: (column % 1) * 4096, y: (row % 1) * 4096 };
  return ['land', 'water'].filter((name) => {
    const layer = layers[name];
    if (layer === undefined) return false;
    let crossings = 0;
    for (let feature = 0; feature < layer.length; feature++) {
      for (const ring of layer.feature(feature).loadGeometry()) {
        ring.forEach((to, at) => {
          const from = ring[at === 0 ? ring.length - 1 : at - 1]!;
          const isCrossed = from.y > place.y !== to.y > place.y;
          if (isCrossed && place.x < from.x + ((place.y - from.y) / (to.y - from.y)) * (to.x - from.x)) crossings++;
        });
      }
    }
    return crossings % 2 === 1;
  });
}

function expectSidesOfCoast(shoreline: Shoreline, center: Position, degrees: number, z: number): void {
  const tiles = tilesOf(shoreline, { maxZoom: z });
  const coast = createCoast(buildCoastIndex(shoreline));
  const random = createRandom(7);
  let compared = 0;
  for (let at = 0; at < 300; at++) {
    const longitude = center[0]! + (random() - 0.5) * 2 * degrees;
    const latitude = center[1]! + (random() - 0.5) * 2 * degrees;
    const { distanceMeters, side } = coast.nearest({ latitude, longitude });
    if (distanceMeters < 40) continue;
    compared++;
    const layers = layersAt(tiles, z, [longitude, latitude]);
    if (side === 'land') expect(layers).toEqual(['land']);
    // Tiles without land are left out.
    else expect(layers.filter((layer) => layer === 'land')).toEqual([]);
  }
  expect(compared).toBeGreaterThan(250);
}

describe('createMapTiles', () => {
  const shore = [island(-80, 25, 0.5, 1), island(-79.1, 25.4, 0.2, 2)];

  it('has the land where the coast has it', () => {
    expectSidesOfCoast(shorelineOf(shore), [-79.7, 25.2], 0.9, 11);
  });

  it('cuts lakes out of the land, and islands out of lakes', () => {
    const lake = island(-80, 25, 0.2, 3).reverse();
    const nested = shorelineOf([...shore, lake, island(-80, 25, 0.05, 4)]);
    expectSidesOfCoast(nested, [-80, 25], 0.4, 11);
    const tiles = tilesOf(nested, { maxZoom: 11 });
    expect(layersAt(tiles, 11, [-80, 25])).toEqual(['land']);
    expect(layersAt(tiles, 11, [-80.07, 25])).toEqual(['water']);
  });

  it('reads water as polygons, with land around', () => {
    const bay = shorelineOf([island(-80, 25, 0.3, 5).reverse()], {
      coverage: [{ west: -80.5, south: 24.5, east: -79.5, north: 25.5 }],
    });
    expectSidesOfCoast(bay, [-80, 25], 0.45, 11);
  });

  it('closes lines along the border of the coverage, and gaps straight', () => {
    const coverage = [{ west: -80.5, south: 24.5, east: -79.5, north: 25.5 }];
    const south = [
      [-80.1, 25],
      [-80.2, 24.5],
    ];
    // They go south, with the water on their right, in the west.
    const north = [
      [-80.05, 25.5],
      [-80.1, 25.01],
    ];
    const mainland = shorelineOf([north, south], { coverage });
    const { gaps } = createMapTiles({ shoreline: mainland });
    expect(gaps.count).toBe(1);
    expect(gaps.maxDegrees).toBeCloseTo(0.01, 6);
    const tiles = tilesOf(mainland, { maxZoom: 9 });
    expect(layersAt(tiles, 9, [-79.7, 25])).toEqual(['land']);
    expect(layersAt(tiles, 9, [-80.4, 25])).not.toContain('land');
  });

  it('draws lines without a side, and the lines of other sources in their own layer', () => {
    const unknown = shorelineOf(shore, { water: 'unknown' });
    const map = createMapTiles({
      shoreline: unknown,
      lines: [
        {
          layer: 'other',
          lines: [
            [
              [-80, 25],
              [-79, 25],
            ],
          ],
        },
      ],
    });
    expect(map.layers).toEqual(['shore', 'other']);
    const [world] = [...map.tiles()];
    const { layers } = new VectorTile(new PbfReader(world!.bytes));
    expect(Object.keys(layers)).toEqual(['shore', 'other']);
    expect(layers['other']!.feature(0).type).toBe(2);
  });

  it('limits zoom levels and area', () => {
    const shoreline = shorelineOf(shore);
    const all = tilesOf(shoreline, { maxZoom: 9 });
    const box = { west: -79.3, south: 25.2, east: -78.9, north: 25.6 };
    const some = tilesOf(shoreline, { maxZoom: 9, box });
    expect(all.length).toBeGreaterThan(some.length);
    expect(Math.max(...all.map(({ z }) => z))).toBe(9);
    expect(new Set(all.map(({ z, x, y }) => `${z}/${x}/${y}`)).size).toBe(all.length);
    expect(layersAt(some, 9, [-79.1, 25.4])).toEqual(['land']);
    expect(layersAt(some, 9, [-80, 25])).toEqual([]);
    expect(() => createMapTiles({ shoreline }, { maxZoom: 15 })).toThrow('maxZoom is 15; give a whole number from 0');
  });
});

describe('shorelineOfIndex', () => {
  it('returns the vertices of an index', () => {
    const shoreline = shorelineOf([island(-80, 25, 0.01, 1)]);
    const back = shorelineOfIndex(openCoastIndex(encodeCoastIndex(buildCoastIndex(shoreline))));
    expect(back.positions.length).toBe(shoreline.positions.length);
    back.positions.forEach((degrees, at) => {
      expect(Math.abs(degrees - shoreline.positions[at]!)).toBeLessThan(1e-7);
    });
  });
});
