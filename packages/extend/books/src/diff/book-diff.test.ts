import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Catalog, createCatalog, STATUS_CODES } from '@leeward/engine';
import { countiesOf } from '@leeward/places/counties';
import { afterAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { carriersOfCatalog } from '../batches/book-carriers.ts';
import { createBookEvaluator } from '../batches/book-evaluator.ts';
import { openBook } from '../open-book.ts';
import { type BookRow, randomRow } from '../testing/random-rows.ts';
import { readOnceAt } from '../testing/read-once.ts';
import { writeBook } from '../testing/write-books.ts';
import { createBookDiff } from './book-diff.ts';
import type { Move } from './move.ts';

type Json = Record<string, unknown>;
interface Rules {
  rules: Json[];
  programs: { policy_types: string[]; states: string[]; counties?: Json; rules: Json[] }[];
  moratoria?: Json[];
  conditions?: Json;
}
const fixtures = join(import.meta.dirname, '../../../../../fixtures/carriers');
const files = new Map(
  readdirSync(fixtures).map((key) => [
    key,
    JSON.parse(readFileSync(join(fixtures, key, 'rule-set.json'), 'utf8')) as unknown as Rules,
  ]),
);

/** Ten typical edits. */
const edits: readonly (readonly [string, string, (file: Rules) => void])[] = [
  ['limits are moved', 'bayou_mutual', (file) => moveNumbers(file, [15, 20], [2, 1], [500_000, 400_000])],
  ['a rule of a program is removed', 'pecan_grove', (file) => void file.programs[0]!.rules.shift()],
  ['a rule for all programs is removed', 'sunreach_property', (file) => void file.rules.shift()],
  [
    'declines become referrals',
    'blackland_prairie',
    (file) => {
      for (const rule of file.programs[0]!.rules) if (rule['code'] === 'roof_age') rule['outcome'] = 'refer';
    },
  ],
  [
    'referrals become declines',
    'brackish_bay',
    (file) => {
      for (const rule of file.rules) if (rule['outcome'] === 'refer') rule['outcome'] = 'decline';
    },
  ],
  [
    'a rule is added',
    'tallgrass_mutual',
    (file) =>
      void file.programs[0]!.rules.push({
        id: 'new-rule',
        outcome: 'decline',
        code: 'home_age',
        message: 'New.',
        when: {
          any: [
            {
              all: [
                { fact: 'home_age', operator: 'greaterThan', value: 10 },
                { fact: 'usage', operator: 'notEqual', value: 'primary' },
              ],
            },
            { not: { fact: 'total_claims', operator: 'lessThan', value: 1 } },
          ],
        },
      }),
  ],
  [
    'a state is given up, another begun, counties opened',
    'palmetto_tide',
    (file) => {
      const [first] = file.programs;
      first!.states = [...first!.states.slice(1), 'tn'];
      delete first!.counties;
    },
  ],
  [
    'a policy type is given up',
    'latchkey_dwelling',
    (file) => {
      const program = file.programs.find((each) => each.policy_types.length > 1) ?? file.programs[0]!;
      program.policy_types = program.policy_types.slice(0, 1);
    },
  ],
  [
    'a shared condition is edited',
    'osprey_sound',
    (file) => {
      const names = Object.keys(file.conditions ?? {});
      if (names.length === 0) moveNumbers(file, [1, 2], [20, 15]);
      for (const name of names)
        file.conditions![name] = { any: [{ fact: 'primary_wiring', operator: 'equal', value: 'cloth' }] };
    },
  ],
  [
    'a moratorium is put in force',
    'gulf_rim_wind',
    (file) => {
      file.moratoria = [{ id: 'now', from: '2026-11-19T00:00:00Z', until: null, states: ['tx'], message: 'Storm.' }];
    },
  ],
];

function moveNumbers(file: Rules, ...pairs: readonly (readonly [number, number])[]): void {
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const own = node as Json;
    const found = pairs.find(([from]) => own['value'] === from);
    if (found) own['value'] = found[1];
    for (const child of Object.values(own)) visit(child);
  };
  visit(file.rules);
  visit(file.programs);
}

const catalog = createCatalog([...files.values()].map((file) => ({ file })));
/** Only edited carriers are checked and compiled again. */
const withEdits = (chosen: typeof edits, remove: readonly string[] = []): Catalog =>
  catalog.update({
    put: chosen.map(([, key, edit]) => {
      const file = structuredClone(files.get(key)!);
      edit(file);
      return { file };
    }),
    remove: remove.map((carrierKey) => ({ carrierKey })),
  });
const only = (of: Catalog, key: string): Catalog =>
  of.update({ remove: of.carriers.filter((each) => each.key !== key).map((each) => ({ carrierKey: each.key })) });
const edited = new Map(edits.map((edit) => [edit[1], withEdits([edit])]));

const folder = mkdtempSync(join(tmpdir(), 'leeward-book-diff-'));
afterAll(() => rmSync(folder, { recursive: true }));
const asOf = new Date('2026-11-20T12:00:00Z');
const ROWS = Number(process.env['LEEWARD_BOOK_ROWS'] ?? testVolume(1000));
const random = createRandom(Number(process.env['LEEWARD_BOOK_SEED'] ?? 11));
const path = join(folder, 'book.parquet');
const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
/** A policy where one of the edited carriers writes. */
const rowOf = (index: number): BookRow => {
  const program = pick(files.get(pick(edits)[1])!.programs);
  const state = pick(program.states);
  const county = pick(countiesOf(state)).name;
  const { county: _, ...row } = randomRow(random, 1);
  const type = random() < 0.8 ? { policy_type: pick(program.policy_types) } : {};
  // Few fields are left unknown, so that single edits change statuses.
  for (const name of Object.keys(row)) if (row[name] === '' || random() < 0.05) delete row[name];
  return { ...row, ...type, state, ...(random() < 0.9 ? { county } : {}), premium: String(1000 + index) };
};
const rows = writeBook(
  path,
  'parquet',
  Array.from({ length: ROWS }, (_, index) => rowOf(index)),
);

const common = { format: 'parquet', name: 'book.parquet', asOf, readRow: readOnceAt(asOf) } as const;

/** Evaluated once. */
let unedited: Promise<ReadonlyMap<string, string>> | undefined;
function statusesOf(of: Catalog): Promise<ReadonlyMap<string, string>> {
  if (of !== catalog) return judgeAll(of);
  unedited ??= judgeAll(of);
  return unedited;
}

async function judgeAll(of: Catalog): Promise<ReadonlyMap<string, string>> {
  const source = await openBook(path);
  const map = { fields: {}, ignore: ['premium'] };
  const evaluator = createBookEvaluator({ ...common, carriers: carriersOfCatalog(of), map });
  const found = new Map<string, string>();
  for await (const batch of source.batches()) {
    const { firstRow, codes, rejected } = await evaluator.evaluate(batch);
    for (let row = 0; row < batch.rows; row++) {
      if (rejected.has(row)) continue;
      of.carriers.forEach(({ key }, carrier) => {
        found.set(`${firstRow + row + 1} ${key}`, STATUS_CODES[codes[row * of.carriers.length + carrier]!]!);
      });
    }
  }
  await source.close();
  return found;
}

async function diffOf(older: Catalog, newer: Catalog) {
  const source = await openBook(path);
  const moves: Move[] = [];
  const diff = createBookDiff({
    ...common,
    older,
    newer,
    premium: 'premium',
    onMove: (move) => moves.push(move),
  });
  for await (const batch of source.batches()) await diff.compare(batch);
  await source.close();
  return { moves, counts: diff.counts(), carrierKeys: diff.carrierKeys() };
}

/** @param key The only edited carrier. */
async function expectTwoRuns(older: Catalog, newer: Catalog, key?: string) {
  const before = await statusesOf(older);
  const after = await statusesOf(key === undefined ? newer : only(newer, key));
  const judged = key === undefined ? before.keys() : [...before.keys()].filter((each) => each.endsWith(` ${key}`));
  const wanted = [...new Set([...judged, ...after.keys()])].flatMap((key) => {
    const [a, b] = [before.get(key) ?? 'not_offered', after.get(key) ?? 'not_offered'];
    return a === b ? [] : [`${key} ${a} ${b}`];
  });
  const found = await diffOf(older, newer);
  const told = found.moves.map(({ row, carrierKey, before: a, after: b }) => `${row} ${carrierKey} ${a} ${b}`);
  expect(told.sort()).toEqual(wanted.sort());
  expect(found.counts.answers).toBe(wanted.length);
  expect(found.moves.filter(({ reasons }) => reasons.length === 0)).toEqual([]);
  return found;
}

describe('two catalogs over a book', () => {
  it.each(edits)('%s (%s): what moves is what two full runs tell apart', async (...edit) => {
    const [, key] = edit;
    const { moves, carrierKeys } = await expectTwoRuns(catalog, edited.get(key)!, key);
    expect(moves.length).toBeGreaterThan(0);
    expect(carrierKeys).toEqual([key]);
  });

  it('says the same of all ten at once, of a carrier that goes and of one that comes', async () => {
    const older = withEdits([], ['goldenrod_select']);
    const { moves, counts } = await expectTwoRuns(older, withEdits(edits, ['marsh_wren']));
    const premium = (some: readonly Move[]) => some.reduce((sum, move) => sum + move.premium!, 0);
    expect(moves.every(({ row, premium: told }) => told === Number(rows[row - 1]!['premium']))).toBe(true);
    for (const [dimension, of] of [
      ['carrier', (move: Move) => move.carrierKey],
      ['state', (move: Move) => move.state],
      ['policyType', (move: Move) => move.policyType],
      ['distanceBand', (move: Move) => move.distanceBand],
      ['county', (move: Move) => move.county],
    ] as const) {
      const wanted = [...Map.groupBy(moves, of)].map(
        ([key, ofKey]) => [key, { answers: ofKey.length, premium: premium(ofKey) }] as const,
      );
      expect(counts.by[dimension]).toEqual(new Map(wanted));
    }
    const policies = new Map(moves.map((move) => [move.row, move]));
    expect([counts.movedPolicies, counts.movedPremium]).toEqual([policies.size, premium([...policies.values()])]);
  });
});

it('finds moves only if a rule was edited', async () => {
  const { moves, counts, carrierKeys } = await diffOf(
    catalog,
    createCatalog([...files.values()].map((file) => ({ file }))),
  );
  expect([moves, carrierKeys, counts.rows]).toEqual([[], [], ROWS]);
});

it('refuses a column of premiums that is not there', async () => {
  const source = await openBook(path);
  const diff = createBookDiff({ ...common, older: catalog, newer: catalog, premium: 'price' });
  const read = source.batches()[Symbol.asyncIterator]();
  const { value: batch } = await read.next();
  await expect(diff.compare(batch)).rejects.toThrow('book.parquet has no column "price" of premiums.');
  await source.close();
});

it('reads premiums of a book whose other columns are ignored', async () => {
  const name = join(folder, 'others.csv');
  const held = writeBook(name, 'csv', [
    { state: 'tx', policy_type: 'ho3', premium: '1200', agent: 'Ann' },
    { state: 'la', policy_type: 'ho3', premium: '1300', agent: 'Bob' },
  ]);
  const source = await openBook(name, { format: 'csv' });
  const moves: Move[] = [];
  const diff = createBookDiff({
    ...common,
    format: 'csv',
    map: { fields: {}, ignore: 'others' },
    older: catalog,
    newer: withEdits([], ['bayou_mutual', 'gulf_rim_wind']),
    premium: 'premium',
    onMove: (move) => moves.push(move),
  });
  for await (const batch of source.batches()) await diff.compare(batch);
  await source.close();
  expect(moves.length).toBeGreaterThan(0);
  for (const { row, premium } of moves) expect(premium).toBe(Number(held[row - 1]!['premium']));
});

describe('versions whose tiers or terms differ', () => {
  const rule = (id: string, value: number, more: Json) => ({
    id,
    outcome: 'decline',
    code: 'x_test',
    message: '.',
    when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value }] },
    ...more,
  });
  const tier = (id: string, rank: number, rules: readonly Json[]) => ({
    id,
    tier: { of: 'homes', rank },
    policy_types: ['ho3'],
    states: ['tx', 'la', 'fl', 'sc', 'ok'],
    rules,
  });
  const fileOf = (programs: readonly Json[], rules: readonly Json[] = []) => ({
    format: 1,
    carrier: { key: 'tiered', name: 'Tiered' },
    version: '1',
    effective: { from: '2026-01-01', until: null },
    rules,
    programs,
  });
  const refer = rule('refer', 0, { outcome: 'refer' });
  const claims = rule('claims', 1, {});
  const offer = (id: string, bounds: Json) =>
    rule(id, 0, { outcome: 'offer', terms: { wind_hail_deductible_percent: bounds } });
  const plain = (rules: readonly Json[]) => fileOf([{ ...tier('plain', 1, []), tier: undefined }], rules);

  it.each([
    [
      'a rule of a tier is edited',
      fileOf([tier('a', 1, [claims]), tier('b', 2, [refer])]),
      fileOf([tier('a', 1, [claims]), tier('b', 2, [{ ...refer, outcome: 'decline' }])]),
    ],
    ['a tier is added', fileOf([tier('a', 1, [claims])]), fileOf([tier('a', 1, [claims]), tier('b', 2, [refer])])],
    ['tiers become one program', fileOf([tier('a', 1, [claims]), tier('b', 2, [refer])]), plain([claims, refer])],
    [
      'offers contradict each other',
      plain([offer('a', { min: 2 }), offer('b', { max: 4 })]),
      plain([offer('a', { min: 5 }), offer('b', { max: 4 })]),
    ],
  ])('are compared as in two full runs: %s', async (_, older, newer) => {
    const [before, after] = [older, newer].map((file) => createCatalog([{ file: JSON.parse(JSON.stringify(file)) }]));
    const { moves } = await expectTwoRuns(before!, after!);
    expect(moves.length).toBeGreaterThan(0);
  });
});
