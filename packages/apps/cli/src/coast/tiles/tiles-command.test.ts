import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWords } from '../../testing/run-words.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const island = {
  type: 'Polygon',
  coordinates: [
    [
      [-80, 25],
      [-79.9, 25],
      [-79.9, 25.1],
      [-80, 25.1],
      [-80, 25],
    ],
  ],
};

describe('leeward coast tiles', () => {
  it('writes a folder and an archive of a coastline of one’s own', async () => {
    using folder = temporaryFolder();
    const run = (...words: string[]) => runWords(['coast', ...words], { folder: folder.path });
    writeFileSync(join(folder.path, 'island.geojson'), JSON.stringify(island));
    await run('build', 'island.geojson', '--accuracy', '20', '--attribution', 'Made up', '--out', 'own.coast');
    const { code, output, errors } = await run('tiles', 'own.coast', '--out', 'map', '--max-zoom', '9');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/zoom {2}9: [12] tiles, [\d,]+ bytes/);
    expect(output).toMatch(/map: \d+ tiles, [\d,]+ bytes; layers land, water\nMade up\n$/);
    const tileJson = JSON.parse(readFileSync(join(folder.path, 'map/tiles.json'), 'utf8'));
    expect(tileJson).toMatchObject({
      tilejson: '3.0.0',
      attribution: 'Made up',
      tiles: ['{z}/{x}/{y}.pbf'],
      maxzoom: 9,
      vector_layers: [{ id: 'land', description: 'Made up' }, { id: 'water' }],
    });
    expect(tileJson.bounds.map((degrees: number) => Number(degrees.toFixed(3)))).toEqual([-80, 25, -79.9, 25.1]);
    expect(existsSync(join(folder.path, 'map/9/142/219.pbf'))).toBe(true);
    const archive = await run('tiles', 'own.coast', '--out', 'own.pmtiles', '--max-zoom', '9');
    expect(archive.code).toBe(0);
    expect(readFileSync(join(folder.path, 'own.pmtiles')).subarray(0, 7).toString()).toBe('PMTiles');
  });

  it('rejects a wrong zoom level or area, and an area without shore', async () => {
    using folder = temporaryFolder();
    const words = ['coast', 'tiles', '--out', 'map'];
    for (const [more, message] of [
      [['--max-zoom', '15'], '--max-zoom is "15"; give a whole number from 0 to 14.'],
      [['--max-zoom', ''], '--max-zoom is ""'],
      [['--bbox=25,-81,26,-80'], '--bbox is "25,-81,26,-80", all in the Antarctic: the axes look swapped'],
      [['--bbox=1,2,3'], '--bbox is "1,2,3"; give west, south, east and north'],
      [['none.coast'], 'none.coast cannot be read'],
    ] as const) {
      const { code, errors } = await runWords([...words, ...more], { folder: folder.path });
      expect(code).toBeGreaterThan(0);
      expect(errors).toContain(message);
      expect(errors).not.toContain('    at ');
    }
  });
});
