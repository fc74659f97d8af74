import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalog, homeVocabulary } from '@leeward/engine';
import { afterAll, describe, expect, it } from 'vitest';
import { carriersOfCatalog } from '../batches/book-carriers.ts';
import { createBookEvaluator } from '../batches/book-evaluator.ts';
import { openBook } from '../open-book.ts';
import { readOnceAt } from '../testing/read-once.ts';
import { type ColumnMap, noColumnMap, readColumnMap } from './column-map.ts';

const asOf = new Date('2026-11-20T12:00:00Z');
const carriers = join(import.meta.dirname, '../../../../../fixtures/carriers');
const catalog = createCatalog(
  readdirSync(carriers).map((key) => ({
    file: JSON.parse(readFileSync(join(carriers, key, 'rule-set.json'), 'utf8')) as unknown,
  })),
);
const folder = mkdtempSync(join(tmpdir(), 'leeward-map-'));
afterAll(() => rmSync(folder, { recursive: true }));

const mapOf = (written: unknown) => readColumnMap(written, 'columns.json', homeVocabulary);

async function judge(text: string, map: ColumnMap, format: 'csv' | 'ndjson' = 'csv') {
  const path = join(folder, `book.${format}`);
  writeFileSync(path, text);
  const source = await openBook(path, { format });
  const judging = createBookEvaluator({
    carriers: carriersOfCatalog(catalog),
    format,
    name: 'the book',
    map,
    asOf,
    readRow: readOnceAt(asOf),
  });
  const statuses: number[] = [];
  const faults: Record<number, string[]> = {};
  for await (const batch of source.batches()) {
    const judged = await judging.evaluate(batch);
    statuses.push(...judged.codes.slice(0, batch.rows * catalog.carriers.length));
    for (const { row, faults: each } of judged.rejected.values()) faults[row] = each.map(({ message }) => message);
  }
  await source.close();
  return { statuses, faults };
}

describe('values as people write them', () => {
  it('are read like plain ones: ages and areas with units, amounts with signs, and what is not available', async () => {
    const head = 'state,policy_type,county,dwelling_a,roof_age,roof_type,square_feet,acreage,distance_to_coast_feet';
    const plain = await judge(
      `${head}\ntx,ho3,travis,285000,12,metal,1800,0.5,2500\ntx,ho3,travis,300000,,,,,`,
      noColumnMap,
    );
    const written = await judge(
      `${head}\ntx,ho3,travis,"$285,000.00",12 yrs,metal,"1,800 sq. ft.",0.5 acres,"2,500 ft"\ntx,ho3,travis,300000,N/A,,unknown,-,?`,
      noColumnMap,
    );
    expect(written).toEqual(plain);
    expect(plain.faults).toEqual({});
    // A unit of another field is a fault, not a wrong number.
    const wrong = await judge(`${head}\ntx,ho3,travis,285000,12,metal,1800,0.5,2500 miles`, noColumnMap);
    expect(wrong.faults[1]?.join()).toContain('distance_to_coast_feet');
  });
});

describe('a book with columns that are not fields', () => {
  it('is refused with a map that has the guessed fields, and read with that map', async () => {
    const text = 'policy number,state,form,cov a\nHO-1,tx,HO3,"$285,000"';
    const refused = await judge(text, noColumnMap).catch((error: Error) => error.message);
    expect(refused).toContain(
      'Its columns "policy number", "form", "cov a" are not fields. 3 of 4 columns are recognized.',
    );
    expect(refused).toContain('--columns FILE');
    const written = /for example (\{.*\})\.$/.exec(String(refused))![1]!;
    const { faults, statuses } = await judge(text, mapOf(JSON.parse(written)));
    expect(faults).toEqual({});
    expect(statuses).toEqual((await judge('state,policy_type,dwelling_a\ntx,ho3,285000', noColumnMap)).statuses);
  });
});

describe('a distance in two columns', () => {
  it('is read from either column, in the unit of that column, and refused if a row has both', async () => {
    const rows = ['tx,ho3,travis,250000,0.2,', 'tx,ho3,travis,250000,,1056', 'tx,ho3,travis,250000,0.2,1056'];
    const head = 'state,policy_type,county,dwelling_a,distance_to_coast_miles,distance_to_tidal_water_feet';
    const { statuses, faults } = await judge([head, ...rows].join('\n'), noColumnMap);
    const count = catalog.carriers.length;
    expect(statuses.slice(0, count)).toEqual(statuses.slice(count, 2 * count));
    expect(faults).toEqual({ 3: [expect.stringContaining('are the same distance; give one of them')] });
    const map = mapOf({ distance_to_tidal_water_feet: { column: 'shore', unit: 'miles' } });
    const inMiles = await judge('state,policy_type,county,dwelling_a,shore\ntx,ho3,travis,250000,0.2', map);
    expect(inMiles.statuses).toEqual(statuses.slice(0, count));
    const far = await judge('state,policy_type,county,dwelling_a,shore\ntx,ho3,travis,250000,200', map);
    expect(far.statuses).not.toEqual(inMiles.statuses);
    const lines = rows.slice(0, 2).map((row) => {
      const [state, policy_type, county, dwelling_a, miles, feet] = row.split(',');
      const shore = miles ? { distance_to_coast_miles: miles } : { distance_to_tidal_water_feet: feet };
      return JSON.stringify({ state, policy_type, county, dwelling_a, ...shore });
    });
    expect((await judge(lines.join('\n'), noColumnMap, 'ndjson')).statuses).toEqual(statuses.slice(0, 2 * count));
  });
});

describe('a map of columns', () => {
  const plain = [
    'state,policy_type,county,dwelling_a,water_heater_age,acreage,effective_date',
    'tx,ho3,travis,250000,6,1.5,2026-12-01',
    'tx,ho3,travis,1250000,30,0.25,2027-02-03',
    'tx,ho3,travis,90000,12,80.125,2026-12-24',
  ].join('\n');
  const european = [
    'state;policy_type;county;dwelling_a;water_heater_age;land;effective_date',
    'tx;ho3;travis;$ 250.000,00;6,0;1.5;1/12/2026',
    'tx;ho3;travis;1.250.000;30;.25;3/2/2027',
    'tx;ho3;travis;90.000;12,00;80.125;24/12/2026 00:00',
  ].join('\n');
  const map = {
    number: '1.234,56',
    date: '31/1/2026',
    acreage: { column: 'land', number: '1,234.56' },
  };

  it('reads numbers and dates in the style of the map or of their column', async () => {
    const wanted = await judge(plain, noColumnMap);
    expect(wanted.faults).toEqual({});
    expect(new Set(wanted.statuses).size).toBeGreaterThan(1);
    expect(await judge(european, mapOf(map))).toEqual(wanted);
  });

  it('names the value that is ambiguous or in another style, instead of guessing', async () => {
    const { faults } = await judge(european, mapOf({ acreage: 'land' }));
    expect(faults).toEqual({
      1: [
        expect.stringContaining('dwelling_a is "$ 250.000,00"'),
        expect.stringContaining('water_heater_age is "6,0"'),
      ],
      2: [expect.stringContaining('dwelling_a is "1.250.000"')],
      3: [
        expect.stringContaining('dwelling_a is "90.000"'),
        expect.stringContaining('water_heater_age is "12,00"'),
        expect.stringContaining('effective_date is "24/12/2026 00:00"'),
      ],
    });
  });

  it('multiplies numbers that are written with separators', async () => {
    const thousands = plain
      .replace('dwelling_a', 'cov_a')
      .replace(',250000,', ',$250.0,')
      .replace(',1250000,', ',"1,250",')
      .replace(',90000,', ',90.00,');
    const map = mapOf({ dwelling_a: { column: 'cov_a', unit: 'thousands' } });
    expect(await judge(thousands, map)).toEqual(await judge(plain, noColumnMap));
  });

  it('reads a constant as it reads a column', async () => {
    const rows = 'state,policy_type,county\ntx,ho3,travis\n';
    const wanted = await judge('state,policy_type,county,dwelling_a\ntx,ho3,travis,90000\n', noColumnMap);
    expect(await judge(rows, mapOf({ dwelling_a: { constant: '$90,000' } }))).toEqual(wanted);
    expect(wanted.statuses).not.toEqual((await judge(rows, noColumnMap)).statuses);
  });

  it.each([
    [{ number: '1.234' }, '"number" must be an example of the style, one of: "1,234.56" or "1.234,56" or "1 234,56".'],
    [
      { date: 'dd/mm/yyyy' },
      '"date" must be an example of the style, one of: "1/31/2026" or "31/1/2026" or "31.1.2026".',
    ],
    [
      { acreage: { column: 'land', number: 'european' } },
      'acreage: give a column\'s name, { "column", "unit", "number"',
    ],
    [{ state: { constant: 'tx', number: '1,234.56' } }, 'state: give a column'],
  ])('refuses %j', (written, message) => {
    expect(() => mapOf(written)).toThrow(message);
  });
});
