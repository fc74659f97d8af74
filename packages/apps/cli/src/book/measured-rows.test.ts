import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type BookEvaluatorOptions,
  carriersOfCatalog,
  createBookEvaluator,
  createRowMeasuring,
  openBook,
} from '@leeward/books';
import { buildCoastIndex, createCoast } from '@leeward/coast';
import { createCatalog, homeVocabulary } from '@leeward/engine';
import { type DistancePorts, measurePoints, readHome } from '@leeward/http';
import { loadZipGazetteer } from '@leeward/places/zips';
import { afterAll, describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';

const folder = mkdtempSync(join(tmpdir(), 'leeward-measured-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** 81° West off Georgia: along all of it tidal water, in the south the ocean too. */
const index = buildCoastIndex({
  name: 'meridian',
  version: '2026',
  attribution: 'nobody',
  positions: Float64Array.of(-81, 30.5, -81, 31.2, -81, 32),
  lineStarts: Uint32Array.of(0, 3),
  layerNames: ['tidal', 'ocean', 'ocean_narrow'],
  layers: Uint16Array.of(7, 1, 0),
  shoreNames: ['Atlantic'],
  shores: new Uint8Array(3),
  water: 'unknown',
  accuracy: { radiusMeters: [200, 200, 200], method: '' },
  coverage: [{ south: 30, west: -84, north: 31.8, east: -79 }],
});
const distance: DistancePorts = { coast: createCoast(index), gazetteer: await loadZipGazetteer() };

const when = (fact: string, operator: string, value: number) => ({ all: [{ fact, operator, value }] });
const rules = [
  ['shore', 'decline', when('distance_to_coast_miles', 'lessThan', 10)],
  ['band', 'refer', when('distance_to_coast_miles', 'lessThan', 40)],
  ['ocean', 'refer', when('distance_to_ocean_feet', 'lessThan', 200_000)],
  ['debris', 'decline', when('distance_to_mean_high_water_miles', 'lessThan', 1)],
  ['claims', 'decline', when('total_claims', 'greaterThan', 2)],
] as const;
const catalogWith = (certainties: readonly (number | undefined)[]) =>
  createCatalog(
    rules.map(([id, outcome, test], number) => ({
      file: {
        format: 1,
        carrier: { key: id, name: id },
        version: '1',
        effective: { from: '2020-01-01' },
        ...(certainties[number] === undefined ? {} : { certainty: certainties[number] }),
        rules: [{ id, outcome, code: 'x_any', message: 'No.', when: test }],
        programs: [{ id: 'all', policy_types: ['ho3'], states: ['ga'] }],
      },
    })),
  );

let seed = 7;
const random = () => {
  seed = (seed * 16_807) % 2_147_483_647;
  return seed / 2_147_483_647;
};
const maybe = (share: number, value: unknown) => (random() < share ? value : undefined);
const rowOf = (hasPoint: boolean) => ({
  state: 'ga',
  policy_type: maybe(0.97, 'ho3'),
  county: random() < 0.5 ? 'Glynn' : maybe(0.5, 'Chatham'),
  total_claims: maybe(0.8, Math.floor(random() * 4)),
  distance_to_coast_miles: hasPoint ? maybe(0.1, Math.round(random() * 50)) : undefined,
  ...(hasPoint
    ? random() < 0.1
      ? // Within 300 m of 40 miles.
        { lat: 31, lng: -81.674 + (random() - 0.5) * 0.006 }
      : { lat: maybe(0.98, 30 + random() * 2), lng: random() < 0.02 ? 81 : -83.5 + random() * 2.6 }
    : { effective_date: maybe(0.2, '2025-01-01') }),
});

const catalog = catalogWith([undefined, 0.8, 0.99, 0.8, undefined]);
const withoutCertainty = catalogWith([]);

async function judged(options: Partial<BookEvaluatorOptions>) {
  const asOf = new Date('2026-11-20T12:00:00Z');
  let alone = 0;
  const judge = createBookEvaluator({
    carriers: carriersOfCatalog(catalog),
    format: 'ndjson',
    name: 'homes',
    asOf,
    async readRow(body, certainties) {
      alone++;
      const home = await readHome(body, { now: asOf, distance, certainties: () => certainties });
      return home.ok ? { ok: true, property: home.request.property, warnings: home.request.warnings } : home;
    },
    ...options,
  });
  const codes: number[][] = [];
  for (const name of ['points', 'none']) {
    const book = await openBook(join(folder, `${name}.ndjson`));
    for await (const batch of book.batches()) {
      const { rows, codes: all, rejected } = await judge.evaluate(batch);
      for (let row = 0; row < rows; row++)
        codes.push(rejected.has(row) ? [] : [...all.subarray(row * rules.length, (row + 1) * rules.length)]);
    }
    await book.close();
  }
  const { tally, warnings, effectiveDates, rejected } = judge.counts();
  return { alone, said: { codes, tally, rejected, warnings: [...warnings].sort(), dates: [...effectiveDates].sort() } };
}

describe('rows with a point', () => {
  it.each([{}, { countsReasons: true }])('get the results together that each gets alone (%o)', async (options) => {
    for (const name of ['points', 'none']) {
      const rows = Array.from({ length: testVolume(600) }, () => `${JSON.stringify(rowOf(name === 'points'))}\n`);
      writeFileSync(join(folder, `${name}.ndjson`), rows.join(''));
    }
    const slow = await judged(options);
    const fast = await judged({
      ...options,
      measuring: createRowMeasuring(homeVocabulary, async (places) => measurePoints(places, homeVocabulary, distance)),
    });
    expect(fast.said).toEqual(slow.said);
    expect(slow.said.warnings.map(([code]) => code)).toEqual(
      expect.arrayContaining(['county_differs', 'distance_differs', 'outside_coverage']),
    );
    expect(fast.alone).toBeLessThan(slow.alone * 0.7);
    // A certainty changes only homes near its limit.
    const plain = await judged({ ...options, carriers: carriersOfCatalog(withoutCertainty) });
    const differing = (carrier: number) =>
      slow.said.codes.filter((codes, row) => codes[carrier] !== plain.said.codes[row]![carrier]).length;
    expect([differing(0), differing(4)]).toEqual([0, 0]);
    expect(differing(1)).toBeGreaterThan(0);
    expect(differing(3)).toBe(0);
  });
});
