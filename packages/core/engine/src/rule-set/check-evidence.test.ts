import { describe, expect, it } from 'vitest';
import { checkRuleSet, toJsonRulesEngine } from '../index.ts';

function check(test: unknown, more: object = {}) {
  return checkRuleSet({
    format: 1,
    carrier: { key: 'palm', name: 'Palm' },
    version: '1',
    effective: { from: '2020-01-01' },
    programs: [{ id: 'fl', policy_types: ['ho3'], states: ['fl'] }],
    rules: [{ id: 'rule', outcome: 'decline', code: 'x_evidence', message: 'No.', when: { all: [test] }, ...more }],
  });
}

const faultsOf = (test: unknown) => check(test).faults;

describe('tests of evidence', () => {
  it.each([
    { fact: 'roof_year.evidence_age_years', operator: 'lessThan', value: 5 },
    { fact: 'roof_age.evidence_age_years', operator: 'not:in', value: [1, 2] },
    { fact: 'dogs.source', operator: 'equal', value: 'applicant' },
    { fact: 'losses.source', operator: 'notIn', value: ['x_bureau', 'loss_report'] },
    { fact: 'home_age', operator: 'lessThan', value: { fact: 'home_age.evidence_age_years' } },
    { add: [{ fact: 'roof_year.evidence_age_years' }, 1], operator: 'greaterThan', value: 3 },
  ])('accepts %j', (test) => {
    expect(faultsOf(test)).toEqual([]);
  });

  it.each([
    [
      { fact: 'rof_year.source', operator: 'equal', value: 'permit' },
      '/fact',
      'unknown_fact',
      /"rof_year" is not a field, set or list\. Did you mean "roof_year"\?/,
    ],
    [
      { fact: 'roof_year.as_of', operator: 'lessThan', value: 5 },
      '/fact',
      'unknown_fact',
      /The evidence of roof_year has the facts roof_year\.evidence_age_years and roof_year\.source\./,
    ],
    [
      { fact: 'state.source', operator: 'equal', value: 'permit' },
      '/fact',
      'unknown_fact',
      /"state" is not a field, set or list/,
    ],
    [
      { fact: 'roof_year.source', operator: 'equal', value: 'permitt' },
      '/value',
      'unknown_word',
      /"permitt" is not a source; use one of: applicant, .*Did you mean "permit"\?/,
    ],
    [{ fact: 'roof_year.source', operator: 'in', value: ['permit', 3] }, '/value/1', 'value_wrong_type', /3 is not a/],
    [
      { fact: 'roof_year.source', operator: 'in', value: 'permit' },
      '/value',
      'value_wrong_type',
      /takes a list of sources/,
    ],
    [
      { fact: 'roof_year.source', operator: 'equal', value: ['permit'] },
      '/value',
      'value_wrong_type',
      /takes one source; for several use in/,
    ],
    [
      { fact: 'roof_year.source', operator: 'contains', value: 'permit' },
      '/operator',
      'operator_not_for_kind',
      /use equal, notEqual, in or notIn/,
    ],
    [
      { fact: 'roof_year.evidence_age_years', operator: 'lessThan', value: 'five' },
      '/value',
      'value_wrong_type',
      /compared with a number or an expression/,
    ],
    [
      { fact: 'roof_year.evidence_age_years', operator: 'lessThan', value: { fact: 'dwelling_a' } },
      '/value',
      'different_units',
      /years.*dollars/,
    ],
    [{ fact: 'roof_year.source', operator: 'equal', value: 'permit', path: 'a' }, '/path', 'misplaced_key', /no path/],
  ])('reports the fault of %j', (test, place, code, message) => {
    expect(faultsOf(test)).toContainEqual({
      path: `/rules/0/when/all/0${place}`,
      code,
      message: expect.stringMatching(message as RegExp),
    });
  });

  it('are omitted from an export to json-rules-engine', () => {
    const { ruleSet } = check({ fact: 'roof_year.source', operator: 'equal', value: 'permit' });
    expect(toJsonRulesEngine(ruleSet!)).toMatchObject({ rules: [], omitted: { rules: ['rule'] } });
  });
});
