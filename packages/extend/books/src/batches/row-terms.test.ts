import { Readable } from 'node:stream';
import { createCatalog, homeVocabulary, parseRequest } from '@leeward/engine';
import { expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { openBookStream } from '../open-book.ts';
import { readOnceAt } from '../testing/read-once.ts';
import { createStatusWriter } from '../write/create-writer.ts';
import { carriersOfCatalog } from './book-carriers.ts';
import { createBookEvaluator } from './book-evaluator.ts';

const asOf = new Date('2026-11-20T12:00:00Z');
const offer = (id: string, terms: object, ...all: unknown[]) =>
  ruleFile({ id, outcome: 'offer', code: 'x_terms', message: '.', terms, when: { all } });
const catalog = createCatalog([
  {
    file: ruleSetFile({
      rules: [
        offer('coast', { wind_hail_deductible_percent: { min: 2 } }, test('state', 'equal', 'tx')),
        offer('old-roof', { wind_hail_deductible_percent: { min: 5 } }, test('roof_age', 'greaterThan', 15)),
        offer('old-house', { roof_settlement: ['actual cash value'] }, test('home_age', 'greaterThan', 40)),
        ruleFile({ id: 'claims', when: { all: [test('total_claims', 'greaterThan', 2)] } }),
      ],
    }),
  },
  { file: ruleSetFile({ carrier: { key: 'plain', name: 'Plain' }, rules: [] }) },
]);
const homes = [
  { state: 'tx', policy_type: 'ho3', roof_age: 6, roof_type: 'metal', year_built: 2015, total_claims: 0 },
  { state: 'tx', policy_type: 'ho3', year_built: 1950 },
  { state: 'tx', policy_type: 'ho3', roof_age: 26, roof_type: 'metal', year_built: 1999, total_claims: 4 },
  { state: 'tx', policy_type: 'dp3' },
];

async function longOf(format: 'csv' | 'ndjson'): Promise<string> {
  const text = homes.map((home) => `${JSON.stringify(home)}\n`).join('');
  const source = await openBookStream(Readable.from([Buffer.from(text)]), 'ndjson', 'homes');
  const evaluator = createBookEvaluator({
    carriers: carriersOfCatalog(catalog),
    format: 'ndjson',
    name: 'homes',
    asOf,
    readRow: readOnceAt(asOf),
    includesReasons: true,
  });
  const chunks: Uint8Array[] = [];
  const carrierKeys = catalog.carriers.map(({ key }) => key);
  const sink = (bytes: Uint8Array) => void chunks.push(Uint8Array.from(bytes));
  const writer = await createStatusWriter({ format, carrierKeys, vocabulary: homeVocabulary, sink, isLong: true });
  for await (const batch of source.batches({ isWanted: evaluator.isWanted }))
    writer.write(await evaluator.evaluate(batch));
  await writer.end();
  return Buffer.concat(chunks).toString();
}

it('writes the terms of each row and carrier in the long form, as single decisions have them', async () => {
  const lines = (await longOf('ndjson'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(
    lines.map(({ row, carrier_key: key, terms, possible_terms: possible }) => ({ row, key, terms, possible })),
  ).toEqual([
    { row: 1, key: 'pine_ridge', terms: { wind_hail_deductible_percent: { min: 2 } }, possible: undefined },
    { row: 1, key: 'plain', terms: undefined, possible: undefined },
    {
      row: 2,
      key: 'pine_ridge',
      terms: { wind_hail_deductible_percent: { min: 2 }, roof_settlement: { one_of: ['actual cash value'] } },
      possible: { wind_hail_deductible_percent: { min: 5, fields: ['roof_age', 'roof_type'] } },
    },
    { row: 2, key: 'plain', terms: undefined, possible: undefined },
    { row: 3, key: 'pine_ridge', terms: { wind_hail_deductible_percent: { min: 5 } }, possible: undefined },
    { row: 3, key: 'plain', terms: undefined, possible: undefined },
  ]);
  for (const line of lines) {
    const parsed = parseRequest(homes[Number(line['row']) - 1]!, { now: asOf });
    if (!parsed.ok) throw new Error('A home was refused.');
    const verdict = catalog
      .decideSync(parsed.request.property)
      .verdicts.find(({ carrierKey }) => carrierKey === line['carrier_key'])!;
    const { terms = {}, possible_terms: possible = {} } = line as { terms?: object; possible_terms?: object };
    expect(Object.keys(terms)).toEqual(Object.keys(verdict.terms ?? {}));
    expect(Object.keys(possible)).toEqual(Object.keys(verdict.possibleTerms ?? {}));
  }
  const [head, first] = (await longOf('csv')).split('\n');
  expect(head).toBe('row,carrier_key,status,codes,terms,possible_terms');
  expect(first).toBe('1,pine_ridge,eligible,,"{""wind_hail_deductible_percent"":{""min"":2}}",');
});
