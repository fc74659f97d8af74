import { checkRuleSet, homeVocabulary } from '@leeward/engine';
import { expect, it } from 'vitest';
import { readAskedAt } from '../finding/asked-at.ts';
import { carriersOf } from '../index.ts';
import { checkCases } from './check-cases.ts';
import { coverageOf } from './coverage.ts';

const rule = (id: string, test: object) => ({
  id,
  outcome: 'decline',
  code: 'x_test',
  when: { all: [test] },
  message: 'Not accepted.',
});
const where = {
  all: [
    { fact: 'kind', operator: 'equal', value: 'water' },
    { fact: 'age_years', operator: 'lessThan', value: 3 },
  ],
};
const file = {
  format: 1,
  carrier: { key: 'bayou', name: 'Bayou' },
  version: '1',
  effective: { from: '2026-01-01' },
  rules: [
    rule('water', { count: 'losses', where, operator: 'greaterThanInclusive', value: 2 }),
    rule('paid', { sum: 'losses', of: 'amount', operator: 'greaterThan', value: 50_000 }),
    rule('thin', {
      fact: 'dwelling_a',
      operator: 'lessThan',
      value: { multiply: [150, { fact: 'square_feet' }] },
    }),
    {
      id: 'storm',
      outcome: 'offer',
      code: 'deductible',
      when: { all: [{ fact: 'roof_age', operator: 'greaterThan', value: 5 }] },
      terms: {
        named_storm_deductible_percent: {
          by: 'distance_to_coast_miles',
          steps: [{ below: 1, min: 5 }, { below: 5, min: 3 }, { min: 2 }],
        },
      },
      message: 'Named storm deductible.',
    },
  ],
  programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
};

it('measures the sides of computed tests and of steps of terms, and suggests a case for each', async () => {
  const { ruleSet } = checkRuleSet(file);
  const [carrier] = carriersOf([{ ruleSet: ruleSet!, source: 'catalog' }]);
  const at = readAskedAt('2026-11-20')!;
  const coverageWith = async (cases: readonly object[]) => {
    const checked = await checkCases(carrier!, cases, homeVocabulary);
    expect(checked.findings).toEqual([]);
    return coverageOf(carrier!, ruleSet!, checked, at);
  };
  const before = await coverageWith([]);
  expect(before.byRule.map(({ ruleId, sides }) => [ruleId, sides.map(({ words }) => words)])).toEqual([
    ['water', ['number of water losses in the last 3 years 2', 'number of water losses in the last 3 years 1']],
    ['paid', ['total amount of losses up to 50,000', 'total amount of losses above 50,000']],
    ['thin', ['dwelling coverage A from 150 × living area', 'dwelling coverage A below 150 × living area']],
    [
      'storm',
      [
        'age of the roof 5 years',
        'age of the roof 6 years',
        'distance to the coast 1 mile',
        'distance to the coast below 1 mile',
        'distance to the coast 5 miles',
        'distance to the coast below 5 miles',
      ],
    ],
  ]);
  expect(before.borders).toEqual({ reached: 0, all: 12 });
  const after = await coverageWith(before.suggested);
  expect(after.borders).toEqual({ reached: 12, all: 12 });
  expect(after.findings.filter(({ code }) => code === 'border_not_reached')).toEqual([]);
});
