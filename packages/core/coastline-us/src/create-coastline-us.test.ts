import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Conflation, decodeShoreline, encodeConflation, type Shoreline, SUPERSEDED_CLASS } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { createCoastlineUs } from './create-coastline-us.ts';
import { coastlineUsFiles } from './data-files.ts';

const osm = readFileSync(coastlineUsFiles.osm);
const gshhg = readFileSync(coastlineUsFiles.gshhg);
const tampa = { latitude: 27.9506, longitude: -82.4572 };
const belhaven = { latitude: 35.54, longitude: -76.623 };

/** A made-up conflation: OSM lacks only the shore of Pamlico Sound. */
function conflationOf(): Conflation {
  const classesOf = ({ layers, positions }: Shoreline) =>
    Uint8Array.from(layers, (_, vertex) => {
      const [longitude, latitude] = [positions[vertex * 2]!, positions[vertex * 2 + 1]!];
      const isPamlico = longitude > -77 && longitude < -75.5 && latitude > 34.8 && latitude < 36;
      return isPamlico ? 1 : SUPERSEDED_CLASS;
    });
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const preferred = decodeShoreline(osm);
  const check = decodeShoreline(gshhg);
  return {
    version: 'test',
    attribution: 'made up',
    method: 'made up',
    probabilities: [0.025, 0.5, 0.975],
    classes: [
      { radiusMeters: 50, errorQuantilesMeters: [-50, 0, 50] },
      { radiusMeters: 580, errorQuantilesMeters: [-580, 0, 580] },
    ],
    preferred: { name: preferred.name, sha256: hashOf(osm), classes: new Uint8Array(preferred.layers.length) },
    check: { name: check.name, sha256: hashOf(gshhg), classes: classesOf(check) },
  };
}

describe('createCoastlineUs', () => {
  const conflation = encodeConflation(conflationOf());
  const coast = createCoastlineUs({ osm, gshhg, conflation });

  it('answers by the classes of a conflation, and from GSHHG where OSM lacks the shore', () => {
    const answer = coast.nearest(tampa);
    expect(answer).toMatchObject({ accuracyMeters: 50, dataset: { name: 'osm-us' } });
    expect(answer.maxMeters).toBe(answer.distanceMeters + 50);
    expect(coast.nearest(belhaven)).toMatchObject({ accuracyMeters: 580, dataset: { name: 'gshhg-us' } });
  });

  it('includes both classifications of an ocean where they differ', () => {
    const alone = createCoastlineUs({ gshhg }).nearest(tampa, 'ocean_narrow');
    const answer = coast.nearest(tampa, 'ocean_narrow');
    expect(Math.abs(alone.distanceMeters - answer.distanceMeters)).toBeGreaterThan(600);
    expect(answer.minMeters).toBeLessThanOrEqual(Math.min(alone.distanceMeters, answer.distanceMeters));
    expect(answer.maxMeters).toBeGreaterThanOrEqual(Math.max(alone.distanceMeters, answer.distanceMeters));
    const galveston = coast.nearest([-94.7977, 29.3013], 'ocean');
    expect(galveston.maxMeters - galveston.minMeters).toBeLessThanOrEqual(100 + 1e-9);
  });

  it('has the smaller radius of both files without a conflation', () => {
    const answer = createCoastlineUs({ osm, gshhg }).nearest(tampa);
    expect(answer.accuracyMeters).toBe(600);
    expect(answer.maxMeters - answer.minMeters).toBeGreaterThan(600);
  });

  it('rejects a conflation of other files, an altered one, and one without both files', () => {
    const mismatched = expect.objectContaining({ code: 'mismatched_files' }) as Error;
    const other = encodeConflation({ ...conflationOf(), check: { ...conflationOf().check, sha256: '0'.repeat(64) } });
    expect(() => createCoastlineUs({ osm, gshhg, conflation: other })).toThrow(mismatched);
    const altered = conflation.slice();
    altered[altered.length - 200]! ^= 4;
    expect(() => createCoastlineUs({ osm, gshhg, conflation: altered })).toThrow(/damaged/);
    expect(() => createCoastlineUs({ osm, conflation })).toThrow('the conflation belongs to both files');
  });
});
