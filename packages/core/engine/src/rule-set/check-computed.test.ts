import { expect, it } from 'vitest';
import { checkRuleSet } from './check.ts';

function faultOf(test: object): string | undefined {
  const rule = { id: 'x', outcome: 'decline', code: 'claims', message: 'm', when: { all: [test] } };
  const { faults } = checkRuleSet({
    format: 1,
    carrier: { key: 'bayou', name: 'Bayou' },
    version: '1',
    effective: { from: '2026-01-01' },
    programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'], rules: [rule] }],
  });
  const [fault] = faults;
  return fault && `${fault.path.replace('/programs/0/rules/0/when/all/0', '')} ${fault.code}: ${fault.message}`;
}

const over = { operator: 'greaterThan', value: 1 };
const a = { fact: 'dwelling_a' };

it.each([
  ['a mistyped list', { count: 'loses', ...over }, /^\/count unknown_list: .*Did you mean "losses"\?$/],
  [
    'a mistyped item field',
    { count: 'losses', where: { fact: 'knd', operator: 'equal', value: 'water' }, ...over },
    /^\/where\/fact unknown_field: .*Did you mean "kind"\?$/,
  ],
  [
    'a mistyped word of an item',
    { count: 'losses', where: { fact: 'kind', operator: 'equal', value: 'watr' }, ...over },
    /^\/where\/value unknown_value: .*Did you mean "water"\?$/,
  ],
  ['a sum without its number', { sum: 'losses', ...over }, / missing_key: sum needs "of"/],
  ['a list as a fact', { fact: 'losses', ...over }, /^\/fact unknown_fact: "losses" is a list; count its items/],
  ['a shared condition', { count: 'losses', where: { condition: 'c' }, ...over }, /^\/where condition_in_where/],
  ['a list in a list', { count: 'losses', where: { count: 'updates', ...over }, ...over }, /^\/where nested_list/],
  ['two units', { add: [a, { fact: 'acreage' }], ...over }, /^\/add\/1 different_units: .*in dollars.*in acres/],
  ['a word in arithmetic', { add: [a, { fact: 'usage' }], ...over }, /^\/add\/1\/fact value_wrong_type/],
  ['too few operands', { ...a, operator: 'equal', value: { multiply: [1] } }, /^\/value\/multiply wrong_operands/],
  ['a mistyped operation', { ...a, operator: 'equal', value: { multipl: [1, 2] } }, /Did you mean "multiply"\?$/],
])('names %s', (_, test, expected) => {
  expect(faultOf(test)).toMatch(expected);
});

it('accepts counts, sums and arithmetic', () => {
  expect(faultOf({ count: 'losses', ...over })).toBeUndefined();
  expect(faultOf({ max: 'losses', of: 'amount', ...over })).toBeUndefined();
  expect(faultOf({ ...a, operator: 'lessThan', value: { percent_of: [70, a] } })).toBeUndefined();
});
