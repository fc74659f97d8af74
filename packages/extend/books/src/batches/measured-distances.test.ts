/** Books with distances of surveyors and vendors: every name that a rule can test is a column. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalog, parseRequest, STATUS_CODES } from '@leeward/engine';
import { shoreDistances } from '@leeward/engine/vocabulary';
import { afterAll, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { openBook } from '../open-book.ts';
import { carriersOfCatalog } from './book-carriers.ts';
import { createBookEvaluator } from './book-evaluator.ts';

const folder = mkdtempSync(join(tmpdir(), 'leeward-distances-'));
afterAll(() => rmSync(folder, { recursive: true }));

const asOf = new Date('2026-11-20T12:00:00Z');
const names = [...shoreDistances.fields, ...shoreDistances.derivedFacts].map(({ name }): string => name);

it.each(names)('takes a column %s with its source, at any certainty', async (name) => {
  const rules = [
    ruleFile({ id: 'near', when: { all: [test(name, 'lessThan', 1_000.5)] } }),
    ruleFile({ id: 'vendor', outcome: 'refer', when: { all: [test(`${name}.source`, 'equal', 'data_vendor')] } }),
  ];
  const files = [undefined, 0.95].map((certainty, number) =>
    ruleSetFile({
      carrier: { key: `c${number}`, name: 'C' },
      rules,
      ...(certainty === undefined ? {} : { certainty }),
    }),
  );
  const path = join(folder, `${name}.csv`);
  const rows = ['1000,surveyor', '"1,001",surveyor', '1001,data_vendor', ',', '1001,a friend', '-1,surveyor'];
  writeFileSync(
    path,
    `state,policy_type,county,${name},${name}.source\n${rows.map((row) => `tx,ho3,harris,${row}\n`).join('')}`,
  );
  const evaluator = createBookEvaluator({
    carriers: carriersOfCatalog(createCatalog(files.map((file) => ({ file })))),
    format: 'csv',
    name: 'policies.csv',
    asOf,
    async readRow(body, certainties) {
      expect(certainties).toEqual([0.95]);
      const parsed = parseRequest(body, { now: asOf });
      return parsed.ok ? { ok: true, property: parsed.request.property, warnings: [] } : parsed;
    },
  });
  const book = await openBook(path);
  const statuses: (string | readonly string[])[][] = [];
  for await (const batch of book.batches({ isWanted: evaluator.isWanted })) {
    const { rows: count, codes, rejected } = await evaluator.evaluate(batch);
    for (let row = 0; row < count; row++)
      statuses.push(
        rejected.has(row)
          ? [rejected.get(row)!.faults.map(({ path: at, code }) => `${at} ${code}`)]
          : [...codes.subarray(2 * row, 2 * row + 2)].map((code) => STATUS_CODES[code]!),
      );
  }
  await book.close();
  expect(statuses).toEqual([
    ['ineligible', 'ineligible'],
    ['eligible', 'eligible'],
    ['referral', 'referral'],
    ['needs_information', 'needs_information'],
    [[`/${name}/source unknown_value`]],
    [[`/${name}/value out_of_range`]],
  ]);
});
