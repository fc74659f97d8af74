import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { buildCoastIndex, createCoastBatch, decodeShoreline, encodeCoastIndex } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { nodeFlags } from '../../../../test/support/node-flags.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { createCoastlineUs } from './create-coastline-us.ts';
import { coastlineUsFiles } from './data-files.ts';
import { loadCoastlineUs } from './load-coastline-us.ts';
import { homesNearCoast } from './testing/homes-near-coast.ts';

const tampa = { latitude: 27.9506, longitude: -82.4572 };

describe('loadCoastlineUs', () => {
  const coast = loadCoastlineUs();
  const shores = loadCoastlineUs({ tidalWaters: false });

  it('searches both sources, and includes the errors of both', () => {
    const answer = shores.nearest(tampa);
    expect(answer.sources[0]!.dataset).toBe('osm-us');
    const both = shores.nearest({ latitude: 35.54, longitude: -76.623 });
    expect(both.sources.map(({ dataset }) => dataset)).toEqual(['osm-us', 'gshhg-us']);
    expect(answer.dataset.attribution).toContain('OpenStreetMap');
    for (const { distanceMeters } of answer.sources) expect(answer.minMeters).toBeLessThan(distanceMeters);
    const ocean = shores.nearest(tampa, 'ocean');
    expect(coast.nearest(tampa, 'ocean')).toEqual(ocean);
  });

  it('returns the shore of GSHHG if OSM lacks it: the Pungo River', () => {
    const belhaven = coast.nearest({ latitude: 35.54, longitude: -76.623 });
    expect(belhaven.dataset.name).toBe('gshhg-us');
    expect(belhaven.distanceMeters).toBeLessThan(2_000);
    expect(belhaven.accuracyMeters).toBeLessThanOrEqual(600);
  });

  it('answers from GSHHG alone, with its radius', () => {
    const alone = loadCoastlineUs({ sources: ['gshhg'], tidalWaters: false });
    const answer = alone.nearest(tampa);
    expect(alone.datasets.map(({ name }) => name)).toEqual(['gshhg-us']);
    expect(answer.accuracyMeters).toBe(600);
    expect(answer.dataset.attribution).not.toContain('OpenStreetMap');
  });

  it('rejects unknown sources and invalid bytes by name', () => {
    expect(() => loadCoastlineUs({ sources: [] })).toThrow('sources is empty');
    for (const source of ['cusp', '__proto__', 'toString'])
      expect(() => loadCoastlineUs({ sources: [source as 'osm'] })).toThrow(`no ${JSON.stringify(source)}`);
    expect(() => createCoastlineUs({})).toThrow('pass gshhg, osm or both');
    expect(() => createCoastlineUs({ osm: new Uint8Array(10) })).toThrow(/^osm: /);
    const bytes = readFileSync(coastlineUsFiles.osm);
    expect(() => createCoastlineUs({ osm: bytes.subarray(0, 5_000) })).toThrow(/osm: .*cut short/);
    bytes[200_000]! ^= 1;
    expect(() => createCoastlineUs({ osm: bytes })).toThrow(/osm: .*checksum/);
    expect(() => coast.nearest(tampa, 'lagoon')).toThrow('lagoon');
    expect(() => coast.nearest({ latitude: 51.5, longitude: -0.1 })).toThrow('beyond the coverage');
  });

  it('nests the oceans, and answers a batch like single points', () => {
    const homes = homesNearCoast(coast, 80, 5);
    const latitudes = Float64Array.from(homes, ({ latitude }) => latitude);
    const longitudes = Float64Array.from(homes, ({ longitude }) => longitude);
    for (const definition of ['tidal', 'ocean', { layers: ['tidal', 'great_lakes'] }]) {
      const batch = createCoastBatch(homes.length, { certainties: [0.9] });
      coast.nearestMany({ latitudes, longitudes }, { batch, definition });
      const [interval] = batch.intervals;
      homes.forEach((home, index) => {
        const one = coast.nearest(home, definition);
        expect(batch.distancesMeters[index]).toBe(one.distanceMeters);
        expect(batch.accuraciesMeters[index]).toBe(one.accuracyMeters);
        expect(batch.minimaMeters[index]).toBe(one.minMeters);
        expect(batch.maximaMeters[index]).toBe(one.maxMeters);
        expect(batch.tidalRivers[index]).toBe(Number(one.isTidalRiverPossible));
        const { minMeters, maxMeters } = one.intervalAt(0.9);
        expect([interval!.minimaMeters[index], interval!.maximaMeters[index]]).toEqual([minMeters, maxMeters]);
        expect(one.probabilityWithin(one.maxMeters)).toBeGreaterThanOrEqual(0.95);
        if (one.minMeters > 0) expect(one.probabilityWithin(one.minMeters - 0.1)).toBeLessThanOrEqual(0.05);
        expect(one.minMeters).toBeLessThanOrEqual(one.distanceMeters);
        expect(one.maxMeters).toBeGreaterThanOrEqual(one.distanceMeters);
        const { name } = [...coast.datasets, ...coast.tidalWaters][batch.sources[index]!]!;
        expect(name).toBe(one.dataset.name);
      });
    }
    for (const only of [loadCoastlineUs({ sources: ['gshhg'] }), loadCoastlineUs({ sources: ['osm'] })]) {
      for (const home of homes) {
        const [tidal, narrow, ocean, wide] = only
          .nearestByEach(home, ['tidal', 'ocean_narrow', 'ocean', 'ocean_wide'])
          .map(({ distanceMeters }) => distanceMeters);
        expect(narrow!).toBeGreaterThanOrEqual(tidal!);
        expect(ocean!).toBeGreaterThanOrEqual(narrow!);
        expect(wide!).toBeGreaterThanOrEqual(ocean!);
      }
    }
    expect(coast.nearestSeveral(homes[0]!, 3, 'ocean')).toHaveLength(3);
  });

  it('returns the same answers from a prepared index', () => {
    const bytes = encodeCoastIndex(buildCoastIndex(decodeShoreline(readFileSync(coastlineUsFiles.osm))));
    const prepared = createCoastlineUs({ osm: bytes });
    const compact = loadCoastlineUs({ sources: ['osm'], tidalWaters: false });
    const random = createRandom(3);
    for (let i = 0; i < 50; i++) {
      const point = { latitude: 25 + 23 * random(), longitude: -124 + 57 * random() };
      expect(prepared.nearest(point)).toEqual(compact.nearest(point));
    }
  });

  it('returns its first answer soon after a cold start', () => {
    const program = `
      import { loadCoastlineUs } from '@leeward/coastline-us';
      const { distanceMeters } = loadCoastlineUs().nearest(${JSON.stringify(tampa)});
      const { user, system } = process.cpuUsage();
      console.log(JSON.stringify({ distanceMeters, cpuMs: (user + system) / 1000 }));`;
    const output = execFileSync(process.execPath, [...nodeFlags, '--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    const { distanceMeters, cpuMs } = JSON.parse(output) as { distanceMeters: number; cpuMs: number };
    expect(distanceMeters).toBeGreaterThan(0);
    expect(cpuMs).toBeLessThan(Number(process.env['LEEWARD_COLD_START_MS'] ?? 2_000));
  });
});
