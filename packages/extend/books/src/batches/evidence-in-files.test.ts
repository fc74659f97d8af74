/** Books with columns of evidence against single requests: statuses, faults and warnings, in every format. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalog, homeVocabulary, parseRequest, STATUS_CODES } from '@leeward/engine';
import { afterAll, describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { createBookColumns, writeBookRow } from '../columns/book-columns.ts';
import { type ColumnMap, noColumnMap, readColumnMap } from '../columns/column-map.ts';
import { propertyOfRow } from '../columns/property-of-row.ts';
import { readBook } from '../evaluate/read-book.ts';
import { openBook } from '../open-book.ts';
import { bookTables } from '../tables/book-tables.ts';
import { asRequest, type BookRow } from '../testing/random-rows.ts';
import { bookKinds, writeBook } from '../testing/write-books.ts';
import { carriersOfCatalog } from './book-carriers.ts';
import { createBookEvaluator } from './book-evaluator.ts';
import type { ReadRow } from './single-rows.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261126);
const asOf = new Date('2026-11-20T12:00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'leeward-evidence-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Random = () => number;
type Json = Record<string, unknown>;

const subjects = ['roof_age', 'primary_wiring', 'losses', 'distance_to_coast_miles'] as const;
const registered = ['permit', 'inspection', 'applicant', 'loss_report'];
const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];

function evidenceTest(random: Random): unknown {
  const of = pick(random, ['roof_age', 'roof_year', 'primary_wiring', 'losses', 'distance_to_tidal_water_meters']);
  if (random() < 0.6)
    return test(`${of}.evidence_age_years`, pick(random, [...orders, 'equal']), wholeNumber(random, 0, 6));
  if (random() < 0.4)
    return test(`${of}.source`, pick(random, ['equal', 'notEqual']), pick(random, [...registered, 'x_survey']));
  return test(`${of}.source`, pick(random, ['in', 'notIn']), [pick(random, registered), 'x_drone']);
}

function randomFile(random: Random, key: string): Json {
  const rules = Array.from({ length: wholeNumber(random, 2, 6) }, (_, index) =>
    ruleFile({
      id: `r${index}`,
      code: `x_r${index}`,
      outcome: pick(random, ['decline', 'refer', 'require']),
      when: {
        [pick(random, ['all', 'all', 'any'])]: Array.from({ length: wholeNumber(random, 1, 3) }, () =>
          random() < 0.6
            ? evidenceTest(random)
            : pick(random, [
                test('roof_age', pick(random, orders), wholeNumber(random, 5, 25)),
                test('primary_wiring', 'equal', 'cloth'),
                test('total_claims', 'greaterThan', wholeNumber(random, 0, 3)),
              ]),
        ),
      },
    }),
  );
  return ruleSetFile({ carrier: { key, name: key }, rules }) as Json;
}

/** Dates as books write them, with their form in requests. */
const dates: Readonly<Record<string, string>> = {
  '2026-11-20': '2026-11-20',
  '2026-11-21': '2026-11-21',
  '2021-11-20': '2021-11-20',
  '2022-05': '2022-05',
  '2023': '2023',
  ' 2024-02-29 ': '2024-02-29',
  '3/14/2025': '2025-03-14',
  '2020-07-01T00:00:00Z': '2020-07-01',
};
const faultyDates = ['2026-11-22', '2027', '2025-02-30', 'last year', '1/31', '2025-03-14T06:00:00Z'];
const sources = [...registered, 'Loss report', ' permit ', 'x_survey', 'x_drone'];
const faultySources = ['permitt', 'x_', 'drone'];

function randomRow(random: Random, badness: number): BookRow {
  const isBad = () => random() * 100 < badness;
  const values: Json = {
    total_claims: wholeNumber(random, 0, 4),
    roof_age: wholeNumber(random, 0, 30),
    primary_wiring: pick(random, ['copper', 'cloth', 'Knob and tube']),
    losses: pick(random, ['[]', '[{"kind":"water","date":"2025-03-14","amount":12000}]']),
    distance_to_coast_miles: wholeNumber(random, 0, 20),
  };
  const row: Json = { state: 'tx', policy_type: 'ho3', roof_type: 'tile' };
  for (const [name, value] of Object.entries(values)) if (random() > 0.2) row[name] = value;
  if (row['roof_age'] === undefined) delete row['roof_type'];
  for (const name of subjects) {
    if (row[name] === undefined && !isBad()) continue;
    if (random() < 0.6) row[`${name}.as_of`] = isBad() ? pick(random, faultyDates) : pick(random, Object.keys(dates));
    if (random() < 0.6) row[`${name}.source`] = isBad() ? pick(random, faultySources) : pick(random, sources);
  }
  if (random() < 0.3) row['effective_date'] = pick(random, ['2026-11-20', '2026-11-21', '2027-03-01']);
  // Dates of evidence are in the future of this one.
  if (isBad()) row['as_of'] = '2024-01-01T00:00:00Z';
  return row;
}

function nested(row: BookRow): BookRow {
  const request: Json = {};
  for (const [name, value] of Object.entries(asRequest(row)))
    if (!name.includes('.')) request[name] = name === 'losses' ? JSON.parse(value as string) : value;
  for (const [name, value] of Object.entries(row)) {
    const [of, part] = name.split('.') as [string, string?];
    if (part === undefined || String(value).trim() === '') continue;
    const text = typeof value === 'string' && part === 'as_of' ? (dates[value] ?? dates[value.trim()] ?? value) : value;
    const before = request[of];
    const form = typeof before === 'object' && before !== null && !Array.isArray(before) ? before : { value: before };
    request[of] = { ...form, [part]: text };
  }
  return request;
}

async function evaluateFile(path: string, catalog = defaultCatalog, map: ColumnMap = noColumnMap) {
  const source = await openBook(path);
  let readCount = 0;
  const readRow: ReadRow = async (body) => {
    readCount++;
    const parsed = parseRequest(body, { now: asOf });
    return parsed.ok ? { ok: true, property: parsed.request.property, warnings: parsed.request.warnings } : parsed;
  };
  const evaluator = createBookEvaluator({
    carriers: carriersOfCatalog(catalog),
    format: source.format,
    name: 'book',
    map,
    asOf,
    readRow,
  });
  const count = catalog.carriers.length;
  const statuses: string[][] = [];
  const faults = new Map<number, unknown>();
  for await (const batch of source.batches({ isWanted: evaluator.isWanted })) {
    const { codes, rejected } = await evaluator.evaluate(batch);
    for (let row = 0; row < batch.rows; row++)
      statuses.push([...codes.subarray(row * count, (row + 1) * count)].map((code) => STATUS_CODES[code]!));
    for (const each of rejected.values()) faults.set(each.row - 1, each.faults);
  }
  await source.close();
  return { statuses, faults, readCount, counts: evaluator.counts() };
}

const random = createRandom(seed);
const defaultCatalog = createCatalog(
  Array.from({ length: 8 }, (_, index) => ({ file: randomFile(random, `c${index}`) })),
);
const keys = defaultCatalog.carriers.map(({ key }) => key);

describe('columns of evidence', () => {
  it.each([...bookKinds.map((kind) => [kind, 0] as const), ...bookKinds.map((kind) => [kind, 4] as const)])(
    `answer as single requests: %s, %i of 100 values faulty (seed ${seed})`,
    async (kind, badness) => {
      const rows = Array.from({ length: 400 }, () => randomRow(random, badness));
      const path = join(folder, `book-${badness}.${kind.startsWith('parquet') ? 'parquet' : kind.split(' ')[0]}`);
      const stored = writeBook(path, kind, rows);
      const book = await evaluateFile(path);
      const seen = new Map<string, number>();
      let earlier = 0;
      stored.forEach((row, index) => {
        const parsed = parseRequest(nested(row), { now: asOf });
        const shown = JSON.stringify(row);
        expect([shown, book.faults.get(index)]).toEqual([shown, parsed.ok ? undefined : parsed.faults]);
        if (!parsed.ok) return;
        if (parsed.request.warnings.some(({ code }) => code === 'age_with_earlier_date')) earlier++;
        const { verdicts } = defaultCatalog.decideSync(parsed.request.property);
        const statuses = keys.map(
          (key) => verdicts.find(({ carrierKey }) => carrierKey === key)?.status ?? 'not_offered',
        );
        for (const status of statuses) seen.set(status, (seen.get(status) ?? 0) + 1);
        expect([shown, book.statuses[index]]).toEqual([shown, statuses]);
      });
      for (const status of ['eligible', 'referral', 'needs_information', 'ineligible'])
        expect(seen.get(status)).toBeGreaterThan(20);
      expect(book.counts.warnings.get('age_with_earlier_date')).toBe(earlier);
      expect(earlier).toBeGreaterThan(20);
      // Only faulty rows are read one by one.
      expect(book.readCount).toBe(book.faults.size);
      expect(book.faults.size > 0).toBe(badness > 0);
    },
  );

  it('hold the evidence of homes that are written into rows', () => {
    const requests = Array.from({ length: 400 }, () => parseRequest(nested(randomRow(random, 0)), { now: asOf }));
    const homes = requests.flatMap((each) =>
      each.ok && each.request.effectiveDate === '2026-11-20' ? [each.request.property] : [],
    );
    const columns = createBookColumns(homeVocabulary, homes.length);
    // A row that is written again keeps no evidence of the home before.
    for (let row = 0; row < homes.length; row++) writeBookRow(columns, row, homes[(row + 1) % homes.length]!);
    homes.forEach((home, row) => void writeBookRow(columns, row, home));
    const moment = { asOfMs: asOf.getTime(), effectiveDate: '2026-11-20' };
    const tables = bookTables(defaultCatalog, { asOf, effectiveDate: moment.effectiveDate });
    for (const { codes, from, rows } of readBook(tables, columns, homeVocabulary)) {
      for (let row = 0; row < rows; row++) {
        const home = homes[from + row]!;
        const own = codes.subarray(row * keys.length, (row + 1) * keys.length);
        expect([...own]).toEqual([...defaultCatalog.statusCodes(home)]);
        expect(propertyOfRow(columns, from + row, homeVocabulary, moment).evidence ?? {}).toEqual(home.evidence ?? {});
      }
    }
    expect(homes.length).toBeGreaterThan(200);
  });

  const home = 'state,policy_type,roof_type,roof_age';

  it('reject a row with its column, the value and the way out', async () => {
    const path = join(folder, 'faulty.csv');
    const cells = ['tx,ho3,tile,9,2027-01,permit', 'tx,ho3,tile,9,2025-02-30,permitt', 'tx,ho3,,,2025-02,'];
    writeFileSync(path, `${home},roof_age.as_of,roof_age.source\n${cells.join('\n')}\n`);
    const { faults } = await evaluateFile(path);
    expect([...faults.keys()]).toEqual([0, 1, 2]);
    expect([...faults.values()].flat()).toMatchInlineSnapshot(`
      [
        {
          "code": "date_in_future",
          "message": "The as_of of roof_age is "2027-01", which is in the future; give the date on which the value was determined, or leave it out.",
          "path": "/roof_age/as_of",
        },
        {
          "code": "invalid_date",
          "message": "The as_of of roof_age is "2025-02-30"; give the date on which the value was determined, from 1900-01-01, as YYYY-MM-DD, or YYYY-MM or YYYY if the rest is unknown.",
          "path": "/roof_age/as_of",
        },
        {
          "code": "unknown_value",
          "message": "The source of roof_age is "permitt"; give one of: applicant, agent, inspection, electrician, contractor, engineer, permit, invoice, photo, aerial_image, public_record, loss_report, prior_carrier, surveyor, data_vendor, or a word that begins with x_. Did you mean "permit"?",
          "path": "/roof_age/source",
        },
        {
          "code": "required",
          "message": "roof_age has as_of but no value; give the value too, or leave out roof_age.",
          "path": "/roof_age/value",
        },
      ]
    `);
  });

  it('may be named by the map, and a constant is the evidence of the values that there are', async () => {
    const path = join(folder, 'mapped.csv');
    writeFileSync(path, `${home},seen\ntx,ho3,tile,9,14.3.2025\ntx,ho3,,,\ntx,ho3,tile,9,\n`);
    const entries = {
      'roof_age.as_of': { column: 'seen', date: '31.1.2026' },
      'roof_age.source': { constant: 'inspection' },
    };
    const rules = [
      ruleFile({ id: 'a', when: { all: [test('roof_age.source', 'equal', 'inspection')] } }),
      ruleFile({ id: 'b', outcome: 'refer', when: { all: [test('roof_age.evidence_age_years', 'equal', 1)] } }),
    ];
    const single = (rule: unknown) => createCatalog([{ file: ruleSetFile({ rules: [rule] }) as Json }]);
    const map = readColumnMap(entries, 'columns.json', homeVocabulary);
    const bySource = await evaluateFile(path, single(rules[0]), map);
    expect([...bySource.faults]).toEqual([]);
    expect(bySource.statuses.flat()).toEqual(['ineligible', 'needs_information', 'ineligible']);
    const byAge = await evaluateFile(path, single(rules[1]), map);
    expect(byAge.statuses.flat()).toEqual(['referral', 'needs_information', 'needs_information']);
    expect(() => readColumnMap({ 'roof_age.sorce': 'x' }, 'columns.json', homeVocabulary)).toThrow(
      'Did you mean "roof_age.source"?',
    );
  });

  it('need the column of their value', async () => {
    const path = join(folder, 'alone.csv');
    writeFileSync(path, 'state,policy_type,roof_age.as_of\ntx,ho3,2025\n');
    await expect(evaluateFile(path)).rejects.toThrow(
      'It has "roof_age.as_of", but no column of the value, "roof_age".',
    );
  });

  it('join objects in NDJSON, which may not have the same part', async () => {
    const path = join(folder, 'objects.ndjson');
    const row = { state: 'tx', policy_type: 'ho3', roof_type: 'tile', 'roof_age.as_of': '2025' };
    const values = [
      { value: 9, source: 'permit' },
      { value: 9, as_of: '2024' },
    ];
    writeFileSync(path, values.map((roof_age) => `${JSON.stringify({ ...row, roof_age })}\n`).join(''));
    const { faults } = await evaluateFile(path);
    expect([...faults]).toEqual([
      [
        1,
        [
          {
            path: '/roof_age.as_of',
            code: 'evidence_given_twice',
            message: 'roof_age has as_of, and so has the column roof_age.as_of; give one of them.',
          },
        ],
      ],
    ]);
  });
});
