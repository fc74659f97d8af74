import { checkRuleSet, type RuleSet } from '@leeward/engine';
import { carriersOf } from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { ruleSetFile, test } from '../../../../test/support/engine/rule-set-file.ts';
import { analyseRuleSet } from './analysis/analyse.ts';
import { checkCases } from './cases/check-cases.ts';
import { coverageOf } from './cases/coverage.ts';
import { diffRuleSets } from './diff/diff.ts';
import { readAskedAt } from './finding/asked-at.ts';
import { importDecisionTable } from './import/import-decision-table.ts';
import { openReplay } from './review/replay-homes.ts';
import { readTermsText, writeTermsText } from './workbook/terms-text.ts';

const when = (...all: readonly object[]) => ({ all });
const at = readAskedAt('2026-11-20')!;

function offer(id: string, terms: object, condition: object = when(test('home_age', 'greaterThan', 20))) {
  return { id, outcome: 'offer', code: 'deductible', message: `Terms of ${id}.`, when: condition, terms };
}

function checked(...rules: readonly object[]): RuleSet {
  const { ruleSet, faults } = checkRuleSet(ruleSetFile({ rules }));
  expect(faults).toEqual([]);
  return ruleSet!;
}

const table = (near: number) => ({
  named_storm_deductible_percent: {
    by: 'distance_to_tidal_water_miles',
    steps: [{ below: 1, min: near }, { below: 5, min: 3 }, { min: 2 }],
  },
});

describe('terms in the analysis', () => {
  it('reports offers that contradict each other for some home, with the home', () => {
    const ruleSet = checked(
      offer('old', { wind_hail_deductible_percent: { min: 5 } }),
      offer('few-claims', { wind_hail_deductible_percent: { max: 2 } }, when(test('total_claims', 'equal', 0))),
    );
    const findings = analyseRuleSet(ruleSet, { at }).findings.filter(({ severity }) => severity === 'fault');
    expect(findings).toMatchObject([
      {
        code: 'terms_contradict',
        ruleId: 'few-claims',
        otherRuleIds: ['old'],
        message: expect.stringMatching(/"old" \(.*at least 5 %\) and "few-claims" \(.*at most 2 %\)/),
        example: { total_claims: 0 },
      },
    ]);
  });

  it('accepts offers that exclude each other, and homes that are declined', () => {
    const ruleSet = checked(
      offer('old', { wind_hail_deductible_percent: { min: 5 } }),
      offer('new', { wind_hail_deductible_percent: { max: 2 } }, when(test('home_age', 'lessThanInclusive', 20))),
      offer('declined', { roof_settlement: 'replacement cost' }, when(test('total_claims', 'greaterThan', 3))),
      offer('roof', { roof_settlement: 'actual cash value' }),
      { ...offer('claims', {}, when(test('total_claims', 'greaterThan', 2))), outcome: 'decline', terms: undefined },
    );
    const findings = analyseRuleSet(ruleSet, { at }).findings;
    expect(findings.filter(({ code }) => code === 'terms_contradict')).toEqual([]);
  });

  it('does not call an offer covered by one with other terms', () => {
    const ruleSet = checked(
      offer('old', { wind_hail_deductible_percent: { min: 5 } }),
      offer('older', { mold_limit: { max: 5000 } }, when(test('home_age', 'greaterThan', 40))),
    );
    const codes = analyseRuleSet(ruleSet, { at }).findings.map(({ code }) => code);
    expect(codes).not.toContain('rule_covered_by_one');
  });
});

describe('terms in a comparison', () => {
  const changesOf = (older: RuleSet, newer: RuleSet) =>
    diffRuleSets(older, newer, { at }).findings.filter(({ code }) => code === 'terms_changed');

  it('are a change, with a home that both versions accept', () => {
    const changes = changesOf(checked(offer('wind', table(5))), checked(offer('wind', table(6))));
    expect(changes.map(({ message }) => message).join('\n')).toContain(
      'named storm deductible: at least 5 % becomes named storm deductible: at least 6 %.',
    );
    expect(changes[0]).toMatchObject({
      ruleId: 'wind',
      example: expect.objectContaining({ state: expect.any(String) }),
    });
  });

  it('are unchanged if only the rules that set them change', () => {
    const one = checked(offer('wind', { wind_hail_deductible_percent: { min: 2 }, mold_limit: { max: 5000 } }));
    const two = checked(
      offer('wind', { wind_hail_deductible_percent: { min: 2 } }),
      offer('mold', { mold_limit: { max: 5000 } }),
    );
    expect(changesOf(one, two)).toEqual([]);
    expect(changesOf(one, checked(offer('wind', { wind_hail_deductible_percent: { min: 2 } })))).toMatchObject([
      { side: 'older', message: expect.stringContaining('mold limit: at most $5,000 becomes no such term.') },
    ]);
  });

  it('change the answers of a replay', async () => {
    const input = {
      file: ruleSetFile({ rules: [offer('wind', table(6))] }),
      inForce: [ruleSetFile({ rules: [offer('wind', table(5))] })],
      overrides: [],
      fromStranger: false,
      atMs: at.asOfMs,
      maxChanges: 10,
    };
    const { replay, faults } = openReplay(input);
    expect(faults).toEqual([]);
    const home = {
      state: 'tx',
      county: 'galveston',
      policy_type: 'ho3',
      year_built: 1980,
      distance_to_coast_miles: 0.5,
    };
    await replay!.evaluate([{ id: '1', request: home }]);
    const { changed, by_rule, changes } = replay!.result();
    expect({ changed, by_rule }).toEqual({ changed: 1, by_rule: {} });
    expect(changes[0]?.after.terms).toEqual({ named_storm_deductible_percent: { min: 6 } });
  });
});

describe('terms in cases', () => {
  it('are compared if a case expects them', async () => {
    const ruleSet = checked(offer('wind', table(5)));
    const [carrier] = carriersOf([{ ruleSet, source: 'catalog' }]);
    const cases = (terms: unknown) => [
      {
        note: 'near the coast',
        as_of: '2026-11-20T12:00:00Z',
        effective_date: '2026-11-20',
        policy_type: 'ho3',
        home: { state: 'tx', county: 'galveston', year_built: 1980, distance_to_coast_miles: 0.5 },
        expect: { status: 'eligible', codes: [], terms },
      },
    ];
    const right = await checkCases(carrier!, cases({ named_storm_deductible_percent: { min: 5 } }));
    expect(right.findings).toEqual([]);
    const wrong = await checkCases(carrier!, cases({ named_storm_deductible_percent: { min: 3 } }));
    expect(wrong.findings).toMatchObject([{ code: 'case_fails', path: '/0/expect/terms' }]);
    const malformed = await checkCases(carrier!, cases({ named_storm_deductible_percent: 5 }));
    expect(malformed.findings).toMatchObject([{ code: 'invalid_type', path: '/0/expect/terms' }]);
    const { byRule } = await coverageOf(carrier!, ruleSet, right, at);
    expect(byRule.map(({ ruleId }) => ruleId)).toEqual(['wind']);
  });
});

describe('terms in a workbook', () => {
  it.each([
    [{ wind_hail_deductible_percent: { min: 2 } }, 'wind_hail_deductible_percent >= 2'],
    [{ mold_limit: { max: 5000 }, wind_excluded: true }, 'mold_limit <= 5000\nwind_excluded'],
    [{ coverage_c_percent: { min: 25, max: 75 } }, 'coverage_c_percent 25..75'],
    [
      { roof_settlement: ['actual cash value', 'payment schedule'] },
      'roof_settlement: actual cash value | payment schedule',
    ],
  ])('are text: %o', (terms, text) => {
    expect(writeTermsText(terms)).toBe(text);
    expect(readTermsText(text)).toEqual({ value: terms });
  });

  it('are a column of a decision table', () => {
    const rows = [
      ['id', 'outcome', 'code', 'terms', 'home_age'],
      ['wind', 'offer', 'deductible', 'wind_hail_deductible_percent >= 2%; roof_settlement: actual cash value', '> 20'],
      ['bad', 'offer', 'deductible', 'wind > 2', '> 20'],
    ];
    const options = { carrierKey: 'a', carrierName: 'A', policyTypes: ['ho3'], states: ['tx'], from: '2026-01-01' };
    const { ruleSet, findings } = importDecisionTable(rows, options);
    expect((ruleSet as { rules: unknown[] }).rules).toMatchObject([
      { id: 'wind', terms: { wind_hail_deductible_percent: { min: 2 }, roof_settlement: 'actual cash value' } },
    ]);
    expect(findings.filter(({ severity }) => severity === 'fault')).toMatchObject([{ path: '/1/3' }]);
  });
});
