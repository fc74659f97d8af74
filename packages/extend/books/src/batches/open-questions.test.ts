import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalog, parseRequest } from '@leeward/engine';
import { afterAll, expect, it } from 'vitest';
import { openBook } from '../open-book.ts';
import { readOnceAt } from '../testing/read-once.ts';
import { writeBook } from '../testing/write-books.ts';
import { carriersOfCatalog } from './book-carriers.ts';
import { createBookEvaluator } from './book-evaluator.ts';
import { isSampled } from './open-questions.ts';

const folder = mkdtempSync(join(tmpdir(), 'leeward-questions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const asOf = new Date('2026-11-20T12:00:00Z');
const above = (fact: string, value: number) => ({ fact, operator: 'greaterThan', value });
const carrierOf = (key: string, when: object) => ({
  file: {
    format: 1,
    carrier: { key, name: key },
    version: '1',
    effective: { from: '2026-01-01' },
    rules: [{ id: 'rule', outcome: 'decline', code: 'claims', message: 'No.', when }],
    programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
  },
});
const catalog = createCatalog([
  carrierOf('claims', { all: [above('total_claims', 2)] }),
  carrierOf('value', { all: [above('dwelling_a', 300_000)] }),
  carrierOf('both', { any: [above('dwelling_a', 400_000), above('total_claims', 3)] }),
]);
const homes = Array.from({ length: 60 }, (_, index) => ({
  state: index % 10 === 9 ? 'nowhere' : 'tx',
  policy_type: 'ho3',
  ...(index % 2 === 0 ? {} : { total_claims: index % 5 }),
  ...(index % 3 === 0 ? {} : { dwelling_a: 10_000 * index }),
}));

async function questionsOf(questionShare: number) {
  const path = join(folder, 'book.ndjson');
  writeBook(path, 'ndjson', homes);
  const book = await openBook(path);
  const evaluator = createBookEvaluator({
    carriers: carriersOfCatalog(catalog),
    format: 'ndjson',
    name: 'book.ndjson',
    asOf,
    readRow: readOnceAt(asOf),
    questionShare,
  });
  for await (const batch of book.batches({ isWanted: evaluator.isWanted })) await evaluator.evaluate(batch);
  await book.close();
  const { openRows, wouldSettle } = evaluator.counts().openQuestions;
  return { openRows, wouldSettle: Object.fromEntries(wouldSettle) };
}

/** Counts verdicts with one missing field, of the rows that `isIncluded`. */
function expectedOf(isIncluded: (row: number) => boolean) {
  const wouldSettle: Record<string, number> = {};
  let openRows = 0;
  homes.forEach((home, row) => {
    const parsed = parseRequest(home, { now: asOf });
    if (!parsed.ok || !isIncluded(row)) return;
    const open = catalog
      .decideSync(parsed.request.property)
      .verdicts.filter((each) => each.status === 'needs_information');
    if (open.length > 0) openRows += 1;
    for (const { missingFields } of open)
      if (missingFields.length === 1) wouldSettle[missingFields[0]!] = (wouldSettle[missingFields[0]!] ?? 0) + 1;
  });
  return { openRows, wouldSettle };
}

it('counts the answers that a missing field alone would settle', async () => {
  const expected = expectedOf(() => true);
  expect(expected.openRows).toBeGreaterThan(10);
  expect(Object.keys(expected.wouldSettle).sort()).toEqual(['dwelling_a', 'total_claims']);
  expect(await questionsOf(1)).toEqual(expected);
  const half = expectedOf((row) => isSampled(row, 0.5));
  expect(half.openRows).toBeGreaterThan(2);
  expect(half.openRows).toBeLessThan(expected.openRows);
  expect(await questionsOf(0.5)).toEqual(half);
  expect(await questionsOf(0)).toEqual({ openRows: 0, wouldSettle: {} });
});

it('samples the share of rows that it is given', () => {
  for (const share of [0.001, 0.1, 0.5, 1]) {
    const count = Array.from({ length: 100_000 }, (_, row) => row).filter((row) => isSampled(row, share)).length;
    expect(Math.abs(count - 100_000 * share)).toBeLessThan(4 * Math.sqrt(100_000 * share));
  }
});
