import { createWorkerPool } from '@leeward/worker-pool';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { fixtureFiles } from '../../../../../test/support/engine/fixture-carriers.ts';
import { hostileRuleSets } from '../../../../../test/support/engine/hostile-rule-sets.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { checkRuleSet, warningsOf } from '../rule-set/check.ts';
import { checkOverride } from '../rule-set/override.ts';
import { extendVocabulary } from '../vocabulary/extend-vocabulary.ts';
import { flagField } from '../vocabulary/flag-field.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { createThreadChecker } from './check-thread.ts';

const pool = createWorkerPool();
afterAll(() => pool.close());
const checker = createThreadChecker({ pool });

describe('a check on a thread', () => {
  it('finds what a check at once finds, in the same order', async () => {
    const files = [
      ...fixtureFiles().map(({ file }) => file),
      ...Object.values(hostileRuleSets).map((make) => make()),
      { format: 2 },
      undefined,
      JSON.parse('{ "__proto__": { "format": 1 }, "constructor": 1 }'),
    ];
    for (const file of files) {
      const options = { fromStranger: true };
      const ours = await checker.checkRuleSet(file, options);
      expect(ours).toEqual(checkRuleSet(file, options));
      if (ours.ruleSet) expect(warningsOf(ours.ruleSet)).toBe(ours.warnings);
    }
  });

  it('keeps conditions that rules share', async () => {
    const rules = ['a', 'b'].map((id) => ruleFile({ id, when: { all: [{ condition: 'old' }] } }));
    const conditions = { old: { any: [test('home_age', 'greaterThan', 50), test('roof_age', 'greaterThan', 20)] } };
    const { ruleSet } = await checker.checkRuleSet(ruleSetFile({ conditions, rules }));
    const [first, second] = ruleSet!.rules.map(({ condition }) =>
      condition.kind === 'all' ? condition.of[0] : undefined,
    );
    expect(first).toBeDefined();
    expect(second).toBe(first);
  });

  it('knows the names of facts and operators of the host', async () => {
    const rules = [ruleFile({ when: { all: [test('flood_score', 'isOdd', 1)] } })];
    const host = { facts: new Set(['flood_score']), operators: new Set(['isOdd']) };
    expect((await checker.checkRuleSet(ruleSetFile({ rules }), { host })).faults).toEqual([]);
    expect((await checker.checkRuleSet(ruleSetFile({ rules }))).faults).not.toEqual([]);
  });

  it('refuses an override with the id of a rule that the carrier has', async () => {
    const { ruleSet } = checkRuleSet(ruleSetFile({ rules: [ruleFile({ id: 'taken' })] }));
    const file = { carrier_key: 'pine_ridge', add_rules: [ruleFile({ id: 'taken' })] };
    const ours = await checker.checkOverride(file, [ruleSet!], homeVocabulary);
    expect(ours).toEqual(checkOverride(file, [ruleSet!]));
    expect(ours.faults.map(({ code }) => code)).toEqual(['duplicate_id']);
    expect((await checker.checkOverride(file, [], homeVocabulary)).override).toEqual(checkOverride(file).override);
  });

  it('is made at once for a vocabulary with fields of the host', async () => {
    const run = vi.spyOn(pool, 'run');
    const vocabulary = extendVocabulary(homeVocabulary, {
      fields: [flagField('has_dock', { description: 'A dock.' } as never)],
    });
    const file = ruleSetFile({ rules: [ruleFile({ when: { all: [test('has_dock', 'equal', true)] } })] });
    expect((await checker.checkRuleSet(file, { vocabulary })).faults).toEqual([]);
    expect(run).not.toHaveBeenCalled();
    run.mockRestore();
  });
});
