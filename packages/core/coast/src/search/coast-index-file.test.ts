import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCoast } from '../answer/create-coast.ts';
import { CoastError } from '../coast-error.ts';
import { decodeShoreline, encodeShoreline } from '../file/shoreline-codec.ts';
import { randomShoreline } from '../testing/random-shoreline.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { buildTiles } from '../tiles/build-tiles.ts';
import { buildCoastIndex, type CoastIndex } from './coast-index.ts';
import { encodeCoastIndex, openCoastIndex } from './coast-index-file.ts';

function smallIndex(): { readonly index: CoastIndex; readonly bytes: Uint8Array<ArrayBuffer> } {
  const index = buildCoastIndex({ ...randomShoreline(seededRandom(7), 1), coverage: [] });
  const { bounds } = boundsOf(index);
  buildTiles(index, { definitions: ['tidal'], boxes: [bounds] });
  return { index, bytes: encodeCoastIndex(index) };
}

function boundsOf(index: CoastIndex) {
  const answer = createCoast(index).nearest({ latitude: 0, longitude: 0 });
  const { latitude, longitude } = answer.coast;
  return {
    bounds: { west: longitude, east: longitude, south: latitude, north: latitude },
    point: { latitude: latitude + 0.01, longitude },
    elsewhere: { latitude: latitude > 0 ? latitude - 5 : latitude + 5, longitude },
  };
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof CoastError) return error.code;
    throw error;
  }
  return 'none';
}

function expectBytes(given: Uint8Array, wanted: Uint8Array): void {
  if (Buffer.compare(given, wanted) !== 0) expect(given).toEqual(wanted);
}

describe('an index file', () => {
  it('round-trips to equal bytes, opened or built again', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const shoreline = randomShoreline(seededRandom(seed), 3);
        const bytes = encodeCoastIndex(buildCoastIndex(shoreline));
        expectBytes(encodeCoastIndex(openCoastIndex(bytes)), bytes);
        expectBytes(encodeCoastIndex(buildCoastIndex(shoreline)), bytes);
      }),
      { numRuns: testVolume(30) },
    );
    const { bytes } = smallIndex();
    expectBytes(encodeCoastIndex(openCoastIndex(bytes)), bytes);
  });

  it('answers like the original index, from any alignment and from shared memory', () => {
    const { index, bytes } = smallIndex();
    const { point, elsewhere } = boundsOf(index);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    for (const form of [bytes, shifted.subarray(3), Buffer.from(bytes), shared]) {
      const opened = createCoast(openCoastIndex(form));
      for (const at of [point, elsewhere]) {
        expect(opened.nearest(at)).toEqual(createCoast(index).nearest(at));
        expect(opened.nearest(at, 'ocean')).toEqual(createCoast(index).nearest(at, 'ocean'));
      }
    }
  });

  it('is rejected if cut short, foreign, of another version or too long', () => {
    const { bytes } = smallIndex();
    expect(codeOf(() => openCoastIndex(new Uint8Array()))).toBe('truncated_file');
    for (const length of [1, 23, 24, 100, bytes.length - 64, bytes.length - 1]) {
      expect(codeOf(() => openCoastIndex(bytes.subarray(0, length)))).toBe('truncated_file');
    }
    expect(codeOf(() => openCoastIndex(new TextEncoder().encode('{ "type": "FeatureCollection" }  ')))).toBe(
      'foreign_file',
    );
    expect(codeOf(() => openCoastIndex(encodeShoreline(randomShoreline(seededRandom(1), 1))))).toBe('foreign_file');
    const older = bytes.slice();
    older[8] = 0;
    expect(codeOf(() => openCoastIndex(older))).toBe('unsupported_version');
    const longer = new Uint8Array(bytes.length + 64);
    longer.set(bytes);
    expect(codeOf(() => openCoastIndex(longer))).toBe('corrupt_file');
    expect(() => openCoastIndex(older)).toThrow(/version 0; this release reads version 1: build it again/);
  });

  it('is rejected if any section is damaged', () => {
    const { index, bytes } = smallIndex();
    const { point, elsewhere } = boundsOf(index);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const sections = view.getUint32(12, true);
    expect(sections).toBeGreaterThan(3);
    for (let section = 0; section < sections; section++) {
      const bad = bytes.slice();
      bad[view.getUint32(24 + section * 16 + 4, true)]! ^= 1;
      const code = codeOf(() => [point, elsewhere].map((at) => createCoast(openCoastIndex(bad)).nearest(at)));
      expect([section, code]).toEqual([section, 'corrupt_file']);
    }
  });

  it('never returns a wrong answer after random corruptions', () => {
    const { index, bytes } = smallIndex();
    const { point, elsewhere } = boundsOf(index);
    const good = createCoast(index);
    const expected = [point, elsewhere].map((at) => good.nearest(at));
    const random = seededRandom(11);
    let damaged = 0;
    let refused = 0;
    const volume = testVolume(1_000);
    const bad = bytes.slice();
    for (let round = 0; round < volume; round++) {
      const places = Array.from({ length: random() < 0.5 ? 1 : 1 + Math.floor(random() * 8) }, () =>
        Math.floor(random() * bad.length),
      );
      for (const at of places) {
        bad[at] = random() < 0.5 ? bad[at]! ^ (1 << Math.floor(random() * 8)) : Math.floor(random() * 256);
      }
      const cut = random() < 0.05 ? Math.floor(random() * bad.length) : bad.length;
      if (cut < bad.length || places.some((at) => bad[at] !== bytes[at])) {
        damaged++;
        const code = codeOf(() => {
          const coast = createCoast(openCoastIndex(bad.subarray(0, cut)));
          expect([point, elsewhere].map((at) => coast.nearest(at))).toEqual(expected);
        });
        if (code !== 'none') refused++;
      }
      for (const at of places) bad[at] = bytes[at]!;
    }
    expect(damaged).toBeGreaterThan(volume * 0.9);
    expect(refused).toBe(damaged);
  });
});

describe('a compact shoreline', () => {
  it('round-trips to within half a step, then to equal bytes', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(1000, 1_000_000, 10_000_000), (seed, stepsPerDegree) => {
        const shoreline = randomShoreline(seededRandom(seed), 50);
        const bytes = encodeShoreline(shoreline, { stepsPerDegree });
        const decoded = decodeShoreline(bytes);
        expectBytes(encodeShoreline(decoded, { stepsPerDegree }), bytes);
        expect({ ...decoded, positions: undefined }).toEqual({ ...shoreline, positions: undefined });
        const aside = decoded.positions.map((degrees, at) => Math.abs(degrees - shoreline.positions[at]!));
        expect(aside.reduce((most, each) => Math.max(most, each))).toBeLessThanOrEqual(0.5000001 / stepsPerDegree);
      }),
      { numRuns: testVolume(30) },
    );
  });

  it('is rejected if any byte is damaged', () => {
    const bytes = encodeShoreline(randomShoreline(seededRandom(5), 1));
    for (let at = 0; at < bytes.length; at++) {
      const bad = bytes.slice();
      bad[at]! ^= 1 << (at % 8);
      expect(codeOf(() => decodeShoreline(bad))).not.toBe('none');
    }
  });
});
