import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalog, homeVocabulary, parseRequest, STATUS_CODES } from '@leeward/engine';
import {
  Bool,
  DateDay,
  Field,
  Int32,
  List,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { type ColumnMap, noColumnMap, readColumnMap } from '../columns/column-map.ts';
import { openBook } from '../open-book.ts';
import { readOnceAt } from '../testing/read-once.ts';
import { carriersOfCatalog } from './book-carriers.ts';
import { createBookEvaluator } from './book-evaluator.ts';

const guides = join(import.meta.dirname, '../../../../../fixtures/real-guides');
const own = ruleSetFile({
  rules: [
    ruleFile({
      id: 'recent-water',
      when: {
        all: [
          {
            count: 'losses',
            where: { all: [test('kind', 'equal', 'water'), test('age_years', 'lessThan', 3)] },
            operator: 'greaterThanInclusive',
            value: 2,
          },
        ],
      },
    }),
    ruleFile({
      id: 'paid',
      outcome: 'refer',
      when: { any: [{ sum: 'losses', of: 'amount', operator: 'greaterThan', value: 20_000 }] },
    }),
    ruleFile({ id: 'claims', when: { all: [test('total_claims', 'greaterThan', 2)] } }),
  ],
});
const catalog = createCatalog([
  { file: own },
  ...readdirSync(guides, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ file: JSON.parse(readFileSync(join(guides, name, 'rule-set.json'), 'utf8')) as unknown })),
]);
const keys = catalog.carriers.map(({ key }) => key);
const folder = mkdtempSync(join(tmpdir(), 'leeward-lists-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Item {
  readonly kind?: string;
  readonly date?: string;
  readonly amount?: number;
  readonly weather?: boolean;
}
interface Row {
  readonly state: string;
  readonly policy_type: string;
  readonly effective_date?: string;
  readonly total_claims?: number;
  readonly year_built?: number;
  readonly losses?: readonly Item[];
}

function randomRows(count: number, hasWholeDates: boolean): Row[] {
  const random = createRandom(31);
  const item = (): Item => {
    const date = `20${wholeNumber(random, 18, 26)}-${pick(random, ['03', '11'])}-20`;
    const all = {
      kind: pick(random, ['water', 'water', 'fire', 'hail']),
      date: hasWholeDates || random() < 0.8 ? date : date.slice(0, pick(random, [4, 7])),
      amount: 1000 * wholeNumber(random, 0, 30),
      weather: random() < 0.5,
    };
    return Object.fromEntries(Object.entries(all).filter(() => random() > 0.15));
  };
  return Array.from({ length: count }, (): Row => {
    const all = {
      effective_date: `202${pick(random, [6, 6, 7])}-${pick(random, ['03-19', '03-20', '11-20', '11-21'])}`,
      total_claims: wholeNumber(random, 0, 4),
      year_built: wholeNumber(random, 1950, 2020),
      losses: Array.from({ length: wholeNumber(random, 0, 3) }, item),
    };
    const known = Object.fromEntries(Object.entries(all).filter(() => random() > 0.25));
    return {
      state: pick(random, ['tx', 'tx', 'az', 'fl', 'or', 'sc']),
      policy_type: pick(random, ['ho3', 'dp3']),
      ...known,
    };
  });
}

const names = ['state', 'policy_type', 'effective_date', 'total_claims', 'year_built', 'losses'] as const;
const columnOf = (rows: readonly Row[], name: (typeof names)[number]) => rows.map((row) => row[name] ?? null);

/** The schema of a list of groups, as programs write it. */
const lossesSchema: readonly SchemaElement[] = [
  { name: 'losses', converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'OPTIONAL', num_children: 4 },
  { name: 'kind', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
  { name: 'date', type: 'INT32', converted_type: 'DATE', repetition_type: 'OPTIONAL' },
  { name: 'amount', type: 'INT64', repetition_type: 'OPTIONAL' },
  { name: 'weather', type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
];

function writeParquet(rows: readonly Row[]): Uint8Array {
  const losses = rows.map((row) =>
    row.losses?.map((item) => ({
      ...item,
      date: item.date === undefined ? undefined : new Date(item.date),
      amount: item.amount === undefined ? undefined : BigInt(item.amount),
    })),
  );
  const columnData = names.map((name) => ({ name, data: name === 'losses' ? losses : columnOf(rows, name) }));
  const schema: SchemaElement[] = [
    { name: 'root', num_children: names.length },
    ...names.slice(0, 3).map(
      (name): SchemaElement => ({
        name,
        type: 'BYTE_ARRAY',
        converted_type: 'UTF8',
        repetition_type: 'OPTIONAL',
      }),
    ),
    ...names.slice(3, 5).map((name): SchemaElement => ({ name, type: 'INT32', repetition_type: 'OPTIONAL' })),
    ...lossesSchema,
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData, schema, rowGroupSize: 100 }));
}

function writeArrow(rows: readonly Row[]): Uint8Array {
  const item = new Struct([
    new Field('kind', new Utf8(), true),
    new Field('date', new DateDay(), true),
    new Field('amount', new Int32(), true),
    new Field('weather', new Bool(), true),
  ]);
  const losses = rows.map(
    (row) =>
      row.losses?.map(({ kind = null, date, amount = null, weather = null }) => ({
        kind,
        date: date === undefined ? null : new Date(date),
        amount,
        weather,
      })) ?? null,
  );
  const vectors: Record<string, Vector> = {
    ...Object.fromEntries(names.slice(0, 3).map((name) => [name, vectorFromArray(columnOf(rows, name), new Utf8())])),
    ...Object.fromEntries(names.slice(3, 5).map((name) => [name, vectorFromArray(columnOf(rows, name), new Int32())])),
    losses: vectorFromArray(losses as never, new List(new Field('item', item, true))) as Vector,
  };
  return tableToIPC(new Table(vectors), 'file');
}

const cell = (value: unknown): string => {
  const text = value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const csvOf = (rows: readonly Record<string, unknown>[]) =>
  `${names.join(',')}\n${rows.map((row) => names.map((name) => cell(row[name])).join(',')).join('\n')}\n`;

const asOf = new Date('2026-11-20T12:00:00Z');

async function evaluateFile(path: string, options: { format?: 'csv' | 'ndjson' }, map: ColumnMap = noColumnMap) {
  const source = await openBook(path, options);
  const evaluator = createBookEvaluator({
    carriers: carriersOfCatalog(catalog),
    format: source.format,
    name: path,
    map,
    asOf,
    readRow: readOnceAt(asOf),
    countsReasons: true,
  });
  const statuses: string[][] = [];
  const rejected = new Map<number, unknown>();
  for await (const batch of source.batches({ isWanted: evaluator.isWanted })) {
    const evaluated = await evaluator.evaluate(batch);
    for (let row = 0; row < batch.rows; row++) {
      const codes = evaluated.codes.subarray(row * keys.length, (row + 1) * keys.length);
      statuses.push([...codes].map((code) => STATUS_CODES[code]!));
    }
    for (const each of evaluated.rejected.values())
      rejected.set(
        each.row,
        each.faults.map(({ path, message }) => [path, message]),
      );
  }
  await source.close();
  return { statuses, rejected, counts: evaluator.counts() };
}

function decide(row: Row) {
  const parsed = parseRequest(row, { now: asOf });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const verdicts = new Map(
    catalog.decideSync(parsed.request.property).verdicts.map((each) => [each.carrierKey, each.status]),
  );
  const codes = new Set(parsed.request.warnings.map(({ code }) => code));
  return { statuses: keys.map((key) => verdicts.get(key) ?? 'not_offered'), codes };
}

describe('lists of a book', () => {
  it.each([
    ['list column of Parquet', 'losses.parquet', {}, (rows: readonly Row[]) => writeParquet(rows)],
    ['list column of Arrow', 'losses.arrow', {}, (rows: readonly Row[]) => writeArrow(rows)],
    ['JSON text in CSV', 'losses.csv', { format: 'csv' as const }, (rows: readonly Row[]) => csvOf(rows as never)],
    [
      'NDJSON',
      'losses.ndjson',
      { format: 'ndjson' as const },
      (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    ],
  ])('are read from a %s, for rows of several dates', async (_, name, options, write) => {
    const rows = randomRows(250, name.endsWith('parquet') || name.endsWith('arrow'));
    const path = join(folder, name);
    writeFileSync(path, write(rows));
    const { statuses, rejected, counts } = await evaluateFile(path, options);
    expect([...rejected]).toEqual([]);
    const seen = new Set<string>();
    let inconsistent = 0;
    rows.forEach((row, index) => {
      const wanted = decide(row);
      if (wanted.codes.has('inconsistent')) inconsistent++;
      for (const status of wanted.statuses) seen.add(status);
      expect([JSON.stringify(row), statuses[index]]).toEqual([JSON.stringify(row), wanted.statuses]);
    });
    expect(counts.warnings.get('inconsistent')).toBe(inconsistent);
    expect(inconsistent).toBeGreaterThan(0);
    for (const status of ['eligible', 'referral', 'needs_information', 'ineligible']) expect(seen).toContain(status);
  });

  it('may be replaced by columns of numbers that were computed from them', async () => {
    const path = join(folder, 'aggregates.csv');
    const rows = ['2', '0', '', 'many', '100'].map((water) => `tx,ho3,0,25000,${water}`);
    writeFileSync(path, `state,policy_type,total_claims,paid,water\n${rows.join('\n')}\n`);
    const where = { all: [test('kind', 'equal', 'water'), test('age_years', 'lessThan', 3)] };
    const aggregates = { water: { count: 'losses', where }, paid: { sum: 'losses', of: 'amount' } };
    const map = readColumnMap({ aggregates }, 'columns.json', homeVocabulary);
    const { statuses, rejected } = await evaluateFile(path, { format: 'csv' }, map);
    expect(statuses.slice(0, 3).map(([first]) => first)).toEqual(['ineligible', 'referral', 'referral']);
    expect(Object.fromEntries(rejected)).toEqual({
      4: [['/water', 'water is "many"; give a whole number from 0 to 99, or nothing if it is unknown.']],
      5: [['/water', 'water is "100"; give a whole number from 0 to 99, or nothing if it is unknown.']],
    });
    expect(() => readColumnMap({ aggregates: { water: { count: 'loses' } } }, 'columns.json', homeVocabulary)).toThrow(
      'columns.json: aggregates/water/count: "loses" is not a list. Use one of: losses, updates',
    );
  });

  it('reject a row with a faulty list, by item and field', async () => {
    const path = join(folder, 'faulty.csv');
    const home = { state: 'tx', policy_type: 'ho3', total_claims: 1 };
    writeFileSync(
      path,
      csvOf([
        { ...home, losses: [{ kind: 'watr' }] },
        { ...home, losses: 'none' },
        { ...home, losses: [{ kind: 'water', amount: -5 }, { when: '2024' }] },
        { ...home, losses: [{ kind: 'water', date: '3/14/2025', amount: '$12,000' }] },
      ]),
    );
    const { rejected, statuses } = await evaluateFile(path, { format: 'csv' });
    expect(Object.fromEntries(rejected)).toMatchInlineSnapshot(`
      {
        "1": [
          [
            "/losses/0/kind",
            "losses, item 1: kind is "watr"; give one of: water, fire, wind, hail, lightning, freeze, theft, vandalism, disappearance, liability, medical payments, dog bite, mold, sinkhole, collapse, earthquake, surface water, other. Did you mean "water"?",
          ],
        ],
        "2": [
          [
            "/losses",
            "losses is "none"; give a list, [] for none.",
          ],
        ],
        "3": [
          [
            "/losses/0/amount",
            "losses, item 1: amount is -5; give a whole number from 0 to 100,000,000 dollars.",
          ],
          [
            "/losses/1/when",
            "losses, item 2 has no field "when"; use: kind, date, amount, status, weather.",
          ],
        ],
      }
    `);
    expect(statuses[3]![0]).toBe('eligible');
  });
});
