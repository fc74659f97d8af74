import { PMTiles } from 'pmtiles';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import type { MapTile } from './map-tiles.ts';
import { packPmtiles } from './pmtiles-archive.ts';

const bounds = { west: -80.5, south: 24.25, east: -79.5, north: 26 };
const options = { maxZoom: 9, bounds, metadata: { name: 'test', attribution: 'nobody' } };

function open(bytes: Uint8Array): PMTiles {
  return new PMTiles({
    getKey: () => 'test',
    getBytes: async (offset, length) => ({ data: Uint8Array.from(bytes.subarray(offset, offset + length)).buffer }),
  });
}

/** Half of the tiles of each zoom, most of them equal. */
function someTiles(maxZoom: number): MapTile[] {
  const random = createRandom(3);
  const tiles: MapTile[] = [];
  for (let z = 0; z <= maxZoom; z++) {
    for (let x = 0; x < 2 ** z; x++) {
      for (let y = 0; y < 2 ** z; y++) {
        if (random() < 0.5) tiles.push({ z, x, y, bytes: Uint8Array.of(1, 2, random() < 0.7 ? 0 : 256 * random(), z) });
      }
    }
  }
  return tiles;
}

describe('packPmtiles', () => {
  it.each([2, 7])('can be read by others, to zoom %i', async (maxZoom) => {
    const tiles = someTiles(maxZoom);
    const bytes = packPmtiles(tiles.toReversed(), { ...options, maxZoom });
    const archive = open(bytes);
    expect(await archive.getHeader()).toMatchObject({
      specVersion: 3,
      clustered: true,
      minZoom: 0,
      maxZoom,
      minLon: -80.5,
      minLat: 24.25,
      maxLon: -79.5,
      maxLat: 26,
      numAddressedTiles: tiles.length,
      numTileContents: new Set(tiles.map((tile) => tile.bytes.join())).size,
    });
    expect(await archive.getMetadata()).toEqual(options.metadata);
    const byPlace = new Map(tiles.map(({ z, x, y, bytes: content }) => [`${z}/${x}/${y}`, [...content]]));
    const random = createRandom(5);
    for (let at = 0; at < 300; at++) {
      const z = Math.floor((maxZoom + 1) * random());
      const [x, y] = [Math.floor(2 ** z * random()), Math.floor(2 ** z * random())] as const;
      const found = await archive.getZxy(z, x, y);
      expect(found && [...new Uint8Array(found.data)]).toEqual(byPlace.get(`${z}/${x}/${y}`));
    }
    expect(packPmtiles(tiles, { ...options, maxZoom })).toEqual(bytes);
  });
});
