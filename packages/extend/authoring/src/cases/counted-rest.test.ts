import { homeVocabulary } from '@leeward/engine';
import { expect, it } from 'vitest';
import { checked } from '../../../../../test/support/engine/fixture-carriers.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { compareFiles } from '../diff/compare-files.ts';
import { carriersOf } from '../index.ts';
import { checkCases } from './check-cases.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

it.each([
  [3, ''],
  [4, ' … and 1 more.'],
  [6, ' … and 3 more.'],
])('shows three of %i reasons of a failing case and counts the others', async (reasons, rest) => {
  const rules = ids.slice(0, reasons).map((id) => {
    return ruleFile({ id, message: 'No.', when: { all: [test('total_claims', 'greaterThan', 2)] } });
  });
  const [carrier] = carriersOf([{ ruleSet: checked(ruleSetFile({ rules })), source: 'catalog' }]);
  const home = { state: 'tx', county: 'harris', total_claims: 5 };
  const { findings } = await checkCases(carrier!, [
    {
      note: 'five claims',
      as_of: '2026-11-20T12:00:00Z',
      effective_date: '2026-12-01',
      home,
      policy_type: 'ho3',
      expect: { status: 'eligible' },
    },
  ]);
  expect(findings.map(({ message }) => message)).toEqual([
    `"five claims" expects status eligible; the rules return ineligible. Because: a: No. b: No. c: No.${rest}`,
  ]);
});

it.each([
  [6, '.'],
  [7, '; and 1 more.'],
])('shows six of %i details of an edit and counts the others', (details, end) => {
  const fileWith = (add: number) =>
    checked(
      ruleSetFile({
        rules: [
          ruleFile({
            when: { all: ids.slice(0, details).map((_, index) => test('total_claims', 'greaterThan', index + add)) },
          }),
        ],
      }),
    );
  const [edit] = compareFiles(fileWith(0), fileWith(10), homeVocabulary);
  expect(edit!.message.endsWith(end)).toBe(true);
  expect(edit!.message.split('; ').length).toBe(details === 6 ? 6 : 7);
  expect(edit!.message).not.toContain('and 0 more');
});
