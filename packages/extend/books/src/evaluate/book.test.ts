import {
  type CatalogEntry,
  createCatalog,
  createProperty,
  homeVocabulary,
  type Property,
  STATUS_CODES,
} from '@leeward/engine';
import {
  compiledCarriers,
  compiledProgram,
  coversState,
  encode,
  isCompiled,
  isDefinite,
  isWithin,
  NOT_JUDGED,
} from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import { describe, expect, it } from 'vitest';
import { createCarriers, toRuleSets } from '../../../../../benchmarks/engine/carriers.ts';
import { fixtureCatalog, fixtureEntries } from '../../../../../test/support/engine/fixture-catalog.ts';
import { randomPolicy } from '../../../../../test/support/engine/random-policies.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom, pick } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { type BookColumns, createBookColumns, writeBookRow } from '../columns/book-columns.ts';
import { type BookTables, bookTables } from '../tables/book-tables.ts';
import { createTally, summarize, type TallyCounts } from '../tally/tally.ts';
import { readBook } from './read-book.ts';

/** More than a chunk. */
const ROWS = 10_000;
/** Fewer rows for many carriers, because evaluating them one by one is slow. */
const SOME_ROWS = Math.min(ROWS, testVolume(1_500));
const INCOMPLETE = Math.min(150, testVolume(50));
const random = createRandom(20261120);
const catalog = fixtureCatalog();
const homes: Property[] = Array.from({ length: ROWS }, (_, row) => {
  const home = randomPolicy(random, row % 3 === 0 ? 0 : row % 3 === 1 ? 0.1 : 0.3);
  return row % 500 === 0 ? { ...home, counties: [] } : home;
});
const columns: BookColumns = createBookColumns(homeVocabulary, ROWS);
homes.forEach((home, row) => {
  writeBookRow(columns, row, home);
});
const dates = { asOf: new Date(Date.UTC(2026, 8, 26)), effectiveDate: '2026-11-20' };
const tables = bookTables(catalog, dates);
const carrierCount = catalog.carriers.length;

const renamed = (entries: CatalogEntry[], suffix: string): CatalogEntry[] =>
  entries.map(({ file }) => {
    const { carrier, ...rest } = file as { carrier: { key: string; name: string } };
    return { file: { ...rest, carrier: { ...carrier, key: `${carrier.key}${suffix}` } } };
  });
const bayou = fixtureEntries().filter(({ name }) => name?.startsWith('bayou_mutual/'));

/** A carrier with too many pairs of limits for pair tables. */
const manyPairs = (count: number) =>
  ruleSetFile({
    programs: [{ id: 'all', policy_types: ['ho3', 'dp3'], states: ['tx', 'fl', 'la'] }],
    rules: Array.from({ length: count }, (_, index) =>
      ruleFile({
        id: `pair_${index}`,
        outcome: index % 2 === 0 ? 'decline' : 'refer',
        when: {
          all: [
            test('dwelling_a', 'greaterThan', 100_000 + 2_000 * index),
            test('year_built', 'lessThan', 1860 + (index % 150)),
          ],
        },
      }),
    ),
  });

function countsOf(some: readonly Property[]): TallyCounts {
  const few = createBookColumns(homeVocabulary, some.length);
  some.forEach((home, row) => {
    writeBookRow(few, row, home);
  });
  const tally = createTally(homeVocabulary, carrierCount);
  for (const chunk of readBook(tables, few, homeVocabulary, { tally })) expect(chunk.rows).toBe(some.length);
  return tally.counts();
}

function countReasons(some: readonly Property[]): Map<string, number> {
  const { byReasonAndCarrier } = summarize(
    countsOf(some),
    homeVocabulary,
    catalog.carriers.map((carrier) => carrier.key),
  );
  return new Map(
    Object.entries(byReasonAndCarrier).flatMap(([code, carriers]) =>
      Object.entries(carriers).map(([key, count]) => [`${key} ${code}`, count] as const),
    ),
  );
}

function reasonsOf(home: Property): Set<string> {
  const found = new Set<string>();
  for (const [code, counts] of countsOf([home]).reasons)
    for (const [carrier, { key }] of catalog.carriers.entries()) if (counts[carrier]! > 0) found.add(`${key} ${code}`);
  return found;
}

/** Fills each unknown field with a random value of its domain. */
function completed(home: Property): Property {
  const values: Record<string, number | string> = {};
  home.vocabulary.fields.forEach((field, index) => {
    const known = home.values[index];
    const domain = field.domain(home);
    if (typeof known === 'number' || typeof known === 'string') values[field.name] = known;
    else if (domain.kind === 'words') values[field.name] = pick(random, domain.words);
    else {
      const { min, max } = isWithin(known) && known.kind === 'between' ? known : domain;
      const value = min + random() * (max - min);
      values[field.name] = domain.integer ? Math.round(value) : value;
    }
  });
  // Random values must satisfy the relations between fields.
  for (const { lower, higher } of home.vocabulary.relations) {
    if (values[lower]! > values[higher]!) values[lower] = values[higher]!;
  }
  const counties = home.counties ?? [pick(random, countiesOf(home.state)).fips];
  return createProperty({ ...home, counties, values });
}

describe('a book', () => {
  it.each([
    ['one carrier', bayou],
    ['the carriers of one table', fixtureEntries()],
    ['those of several', ['', '_b', '_c'].flatMap((suffix) => renamed(fixtureEntries(), suffix))],
    [
      'limits of many carriers, pair by pair',
      toRuleSets(createCarriers(20261123, Math.min(40, testVolume(20)))).map((file) => ({ file })),
    ],
    [
      'one of more terms than lanes among others',
      [...fixtureEntries(), ...[manyPairs(400), ...toRuleSets(createCarriers(7, 3))].map((file) => ({ file }))],
    ],
  ])('gives each row the statuses of the catalog: %s', (_, entries) => {
    const asked = createCatalog(entries);
    const count = asked.carriers.length;
    const seen = new Set<number>();
    const to = count === 1 ? ROWS : SOME_ROWS;
    for (const { from, rows, codes } of readBook(bookTables(asked, dates), columns, homeVocabulary, { to })) {
      for (let row = 0; row < rows; row++) {
        const wanted = asked.statusCodes(homes[from + row]!);
        const given = codes.subarray(row * count, (row + 1) * count);
        if (!wanted.every((code, carrier) => code === given[carrier])) {
          expect.fail(`row ${from + row}: ${[...given]}, not ${[...wanted]}`);
        }
        for (const code of given) seen.add(code);
      }
    }
    // All codes except that of host carriers.
    expect([...seen].sort()).toEqual([...STATUS_CODES.keys()].filter((code) => code !== NOT_JUDGED));
  });

  it('applies relations when a test compares two facts: a roof is never older than its house', () => {
    const home = createProperty({
      vocabulary: homeVocabulary,
      policyType: 'dp3',
      state: 'al',
      counties: ['01005'],
      values: {
        dwelling_a: 115_000,
        year_built: 1988,
        total_claims: 0,
        usage: 'seasonal',
        structure_type: 'townhouse',
      },
      asOfMs: dates.asOf.getTime(),
      effectiveDate: dates.effectiveDate,
    });
    const tallgrass = createCatalog(fixtureEntries().filter(({ name }) => name?.startsWith('tallgrass_mutual/')));
    const one = createBookColumns(homeVocabulary, 1);
    writeBookRow(one, 0, home);
    const [chunk] = readBook(bookTables(tallgrass, dates), one, homeVocabulary);
    expect(STATUS_CODES[tallgrass.statusCodes(home)[0]!]).toBe('eligible');
    expect(STATUS_CODES[chunk!.codes[0]!]).toBe('eligible');
  });

  it('counts every reason of a carrier whose terms are in spare lanes', () => {
    const roofs = ['3-tab shingle', 'architectural shingle', 'metal', 'tile', 'slate', 'flat'];
    const rules = roofs.flatMap((roof) =>
      ['roof_age', 'roof_type'].map((code, index) =>
        ruleFile({
          id: `${roof} ${code}`,
          code,
          message: '.',
          when: { all: [test('roof_type', 'equal', roof), test('roof_age', 'greaterThan', 5 + 5 * index)] },
        }),
      ),
    );
    const states = homes.map(({ state }) => state);
    const { policyTypes } = homeVocabulary;
    const file = ruleSetFile({
      rules,
      programs: [{ id: 'all', policy_types: policyTypes, states: [...new Set(states)] }],
    });
    const alone = createCatalog([{ file }]);
    const tally = createTally(homeVocabulary, 1);
    for (const chunk of readBook(bookTables(alone, dates), columns, homeVocabulary, { tally }))
      expect(chunk.rows).toBeGreaterThan(0);
    const wanted: Record<string, number> = {};
    for (const home of homes)
      for (const { reasons } of alone.declines(home))
        for (const code of new Set(reasons.map((reason) => reason.code))) wanted[code] = (wanted[code] ?? 0) + 1;
    expect(wanted['roof_age']).toBeGreaterThan(wanted['roof_type']!);
    expect(summarize(tally.counts(), homeVocabulary, ['pine_ridge']).byReason).toEqual(wanted);
  });

  it('counts by carrier, state, policy type and reason', () => {
    const tally = createTally(homeVocabulary, carrierCount);
    for (const chunk of readBook(tables, columns, homeVocabulary, { tally, to: SOME_ROWS }))
      expect(chunk.rows).toBeGreaterThan(0);
    const some = homes.slice(0, SOME_ROWS);
    const keys = catalog.carriers.map((carrier) => carrier.key);
    const summary = summarize(tally.counts(), homeVocabulary, keys);
    expect(summary.rows).toBe(SOME_ROWS);
    const ineligible: Record<string, number> = {};
    for (const home of some) {
      for (const { carrierKey } of catalog.declines(home)) ineligible[carrierKey] = (ineligible[carrierKey] ?? 0) + 1;
    }
    for (const [key, count] of Object.entries(ineligible)) expect(summary.byCarrier[key]!.ineligible).toBe(count);
    const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, each) => total + each, 0);
    const placed = some.filter((home) => home.counties?.length !== 0).length;
    expect(Object.values(summary.byState).reduce((total, each) => total + sum(each), 0)).toBe(placed * carrierCount);
  });

  it('counts the reasons that the catalog gives: of complete homes exactly those', () => {
    const complete = homes.filter((home, row) => row % 3 === 0 && home.counties?.length === 1);
    const counted = countReasons(complete);
    const wanted = new Map<string, number>();
    for (const home of complete) {
      for (const { carrierKey, reasons } of catalog.declines(home)) {
        for (const code of new Set(reasons.map((reason) => reason.code)))
          wanted.set(`${carrierKey} ${code}`, (wanted.get(`${carrierKey} ${code}`) ?? 0) + 1);
      }
    }
    expect([...wanted.keys()].filter((key) => key.endsWith(' moratorium')).length).toBeGreaterThan(0);
    expect(new Map([...counted].sort())).toEqual(new Map([...wanted].sort()));
  });

  it('counts reasons of incomplete homes that hold for every completion, including each definite rule', () => {
    const incomplete = homes.filter((home, row) => row % 3 !== 0 && home.counties?.length !== 0).slice(0, INCOMPLETE);
    let counted = 0;
    for (const home of incomplete) {
      const codes = reasonsOf(home);
      counted += codes.size;
      for (const [place, carrier] of catalog.carriers.entries()) {
        const version = compiledCarriers(catalog, home.effectiveDate, home.policyType!).versions[place];
        const program = version && compiledProgram(version.ruleSet, home.policyType!, 2026, homeVocabulary);
        if (!program || !isCompiled(program)) continue;
        if (!program.programs.some((each) => coversState(each.places, home.state))) continue;
        const at = encode(program, home);
        for (const { rule, terms } of program.rules) {
          if (rule.outcome !== 'decline' || !terms.some((term) => isDefinite(term, at))) continue;
          expect(codes).toContain(`${carrier.key} ${rule.code}`);
        }
      }
      for (let completion = 0; completion < 4; completion++) {
        const whole = reasonsOf(completed(home));
        expect([...codes].filter((key) => !whole.has(key))).toEqual([]);
      }
    }
    expect(counted).toBeGreaterThan((8 * INCOMPLETE) / 3);
  });

  it('has the same statuses and counts by tables that were copied to another thread', () => {
    const read = (some: BookTables) => {
      const tally = createTally(homeVocabulary, carrierCount);
      const all = new Uint8Array(SOME_ROWS * carrierCount);
      for (const { from, rows, codes } of readBook(some, columns, homeVocabulary, { tally, to: SOME_ROWS }))
        all.set(codes.subarray(0, rows * carrierCount), from * carrierCount);
      return { all, counts: tally.counts() };
    };
    expect(read(structuredClone(tables))).toEqual(read(tables));
  });

  it('applies moratoria in force at the decision time', () => {
    const moratoria = [dates.asOf, new Date(Date.UTC(2026, 0, 1))].map((asOf) => {
      const tally = createTally(homeVocabulary, carrierCount);
      const rows = [...readBook(bookTables(catalog, { ...dates, asOf }), columns, homeVocabulary, { tally })];
      expect(rows.length).toBeGreaterThan(0);
      return tally.counts().reasons.has('moratorium');
    });
    expect(moratoria).toEqual([true, false]);
  });

  it('reports carriers whose rules need the host as not_judged', () => {
    const plain = { file: ruleSetFile({ carrier: { key: 'plain', name: 'Plain' } }) };
    const flood = test('map_zone', 'equal', 'VE');
    const hosted = { file: ruleSetFile({ rules: [ruleFile({ message: '.', when: { all: [flood] } })] }) };
    const asked = createCatalog([plain, hosted], { facts: { map_zone: 'VE' } });
    const some = [
      { state: 'tx', counties: ['48201'], policyType: 'ho3' },
      { state: 'fl', counties: ['12071'], policyType: 'ho3' },
      { state: 'tx', counties: ['48201'], policyType: 'dp3' },
    ].map((home) =>
      createProperty({
        ...home,
        vocabulary: homeVocabulary,
        values: { total_claims: 0 },
        asOfMs: dates.asOf.getTime(),
        effectiveDate: dates.effectiveDate,
      }),
    );
    const few = createBookColumns(homeVocabulary, some.length);
    some.forEach((home, row) => void writeBookRow(few, row, home));
    const [chunk] = readBook(bookTables(asked, dates), few, homeVocabulary);
    expect([...chunk!.codes.subarray(0, 6)].map((code) => STATUS_CODES[code])).toEqual([
      ...['eligible', 'not_judged'],
      ...['not_offered', 'not_offered'],
      ...['not_offered', 'not_offered'],
    ]);
  });
});
