/**
 * Books against single decisions, for rules that compute numbers: the status and reasons of every verdict, for random homes with
 * unknown losses, dates and amounts.
 */
import { type Catalog, createCatalog, homeVocabulary, type Property, STATUS_CODES } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import {
  asOf,
  computedTest,
  EFFECTIVE,
  events,
  placeTest,
  type RandomTest,
  randomFile,
  randomHome,
  randomPlace,
} from '../../../../../test/support/engine/random-computed-files.ts';
import { createRandom, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createBookColumns, writeBookRow } from '../columns/book-columns.ts';
import { bookTables } from '../tables/book-tables.ts';
import { createTally } from '../tally/tally.ts';
import { readBook } from './read-book.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261126);
const volume = testVolume(20_000);

type Random = () => number;

/** The codes of a book and those of single decisions, for each home. */
function compare(catalog: Catalog, homes: readonly Property[]): Record<string, number> {
  const count = catalog.carriers.length;
  const columns = createBookColumns(homeVocabulary, homes.length);
  homes.forEach((home, row) => void writeBookRow(columns, row, home));
  columns.moments = { all: homes, ofRow: Uint32Array.from(homes.keys()) };
  const tables = bookTables(catalog, { asOf, effectiveDate: EFFECTIVE, until: '2026-12-31' });
  const seen: Record<string, number> = {};
  const decisions = homes.map(
    (home) => new Map(catalog.decideSync(home).verdicts.map((verdict) => [verdict.carrierKey, verdict])),
  );
  for (const tally of [undefined, createTally(homeVocabulary, count)]) {
    for (const { from, rows, codes } of readBook(tables, columns, homeVocabulary, tally ? { tally } : {})) {
      for (let at = 0; at < rows * count; at++) {
        const row = from + Math.floor(at / count);
        const { key, versions } = catalog.carriers[at % count]!;
        const verdict = decisions[row]!.get(key)!;
        const status = STATUS_CODES[codes[at]!]!;
        seen[status] = (seen[status] ?? 0) + 1;
        if (status === verdict.status) continue;
        const { values, lists, counties, location, asOfMs, effectiveDate } = homes[row]!;
        const known = Object.fromEntries(
          homeVocabulary.fields.flatMap(({ name }, field) =>
            values[field] === undefined ? [] : [[name, values[field]]],
          ),
        );
        expect.fail(
          `${key} is ${status}, not ${verdict.status}: ${JSON.stringify([known, lists, counties, location, asOfMs, effectiveDate, versions[0]!.ruleSet.file])}`,
        );
      }
    }
    if (!tally) continue;
    const declined: Record<string, number> = {};
    for (const home of homes) {
      for (const { carrierKey, reasons, isJoint } of catalog.declines(home)) {
        if (isJoint) continue;
        for (const { code } of reasons)
          declined[`${carrierKey} ${code}`] = (declined[`${carrierKey} ${code}`] ?? 0) + 1;
      }
    }
    const counted = [...tally.counts().reasons].flatMap(([code, counts]) =>
      catalog.carriers.flatMap(({ key }, carrier) => (counts[carrier] ? [[`${key} ${code}`, counts[carrier]]] : [])),
    );
    expect(Object.fromEntries(counted)).toEqual(declined);
  }
  return seen;
}

/** Compares random books until there are enough verdicts. Returns how many have each status. */
function compareMany(ownTest: RandomTest, homesOf: (random: Random) => readonly Property[]): Record<string, number> {
  const random = createRandom(seed);
  const total: Record<string, number> = {};
  for (let count = 0; count < volume; ) {
    const carriers = random() < 0.2 ? 1 : wholeNumber(random, 2, 70);
    const catalog = createCatalog(
      Array.from({ length: carriers }, (_, index) => ({ file: randomFile(random, `c${index}`, ownTest) })),
    );
    const homes = homesOf(random);
    for (const [status, each] of Object.entries(compare(catalog, homes))) total[status] = (total[status] ?? 0) + each;
    count += carriers * homes.length;
  }
  return total;
}

describe('a book with computed facts', () => {
  it.each([
    [
      'lists, arithmetic and tiers',
      computedTest,
      (random: Random) => Array.from({ length: 30 }, () => randomHome(random)),
    ],
    [
      'areas, events, times and moratoria with conditions',
      placeTest,
      (random: Random) => {
        const known = random() < 0.2 ? undefined : events;
        return Array.from({ length: 30 }, () => randomPlace(random, known));
      },
    ],
  ])(
    `has the statuses and reasons of single decisions: %s (seed ${seed}, ${volume} verdicts)`,
    (_, ownTest, homesOf) => {
      const total = compareMany(ownTest, homesOf);
      for (const status of ['eligible', 'referral', 'needs_information', 'ineligible'])
        expect(total[status], status).toBeGreaterThan(volume / 30);
      expect(total['not_judged']).toBeUndefined();
    },
    600_000,
  );
});
