import { checkRuleSet } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { checked } from '../../../../../test/support/engine/fixture-carriers.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { readAskedAt } from '../finding/asked-at.ts';
import { writeFinding } from '../finding/finding.ts';
import { analyseRuleSet } from './analyse.ts';

const at = readAskedAt('2026-11-20')!;
const claims = (id: string, most: number) =>
  ruleFile({ id, when: { all: [test('total_claims', 'greaterThan', most)] } });
const covered = ruleSetFile({ rules: [claims('three', 2), claims('five', 4)] });
const allowing = (...allow: object[]) => analyseRuleSet(checked({ ...covered, allow }), { at }).findings;
const why = 'The state form names both limits.';

describe('an allowance', () => {
  it('explains only the finding of its code and rule', () => {
    const findings = allowing({ code: 'rule_covered_by_one', rule_id: 'five', why });
    const explained = findings.filter(({ allowed }) => allowed !== undefined);
    expect(explained).toMatchObject([{ code: 'rule_covered_by_one', ruleId: 'five', allowed: why }]);
    expect(writeFinding(explained[0]!)).toMatchObject({ allowed: why });
    expect(findings.some(({ code }) => code === 'allowance_without_finding')).toBe(false);
  });

  it.each([
    { code: 'rule_covered_by_one', rule_id: 'three', why },
    { code: 'rule_covered_by_one', why },
    { code: 'rule_covered_by_noone', rule_id: 'five', why },
  ])('that explain nothing are a finding: %j', (allowance) => {
    const findings = allowing(allowance);
    expect(findings.every(({ allowed }) => allowed === undefined)).toBe(true);
    expect(findings.at(-1)).toMatchObject({ code: 'allowance_without_finding', path: '/allow/0', severity: 'warning' });
  });

  it('must give a reason', () => {
    const { faults } = checkRuleSet({ ...covered, allow: [{ code: 'gap_rules', why: ' ' }, { code: 'gap_rules' }] });
    expect(faults.map(({ path }) => path)).toEqual(expect.arrayContaining(['/allow/0/why']));
    expect(faults).toHaveLength(2);
  });
});
