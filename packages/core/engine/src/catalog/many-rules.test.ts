import { describe, expect, it } from 'vitest';
import { hostileTests } from '../../../../../test/support/engine/hostile-rule-sets.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { factsOfProperty } from '../condition/facts.ts';
import { treeTruth } from '../condition/tree-truth.ts';
import type { Property } from '../request/property.ts';
import { checkRuleSet } from '../rule-set/check.ts';
import { completeHome, propertyOf } from '../testing/complete-homes.ts';
import { createCatalog } from './create-catalog.ts';

describe('one carrier of thousands of rules', () => {
  const file = hostileTests(3_000, 3, { policyTypes: ['ho3'] });
  const catalog = createCatalog([{ file }, { file: hostileTests(40, 2, { carrierKey: 'other', seed: 2 }) }]);

  it('matches evaluation rule by rule', () => {
    const { ruleSet } = checkRuleSet(file);
    const random = createRandom(20261120);
    const statuses = new Set<number>();
    for (let each = 0; each < testVolume(20); each++) {
      const home = { ...completeHome(random, [['tx', 'harris']]), state: 'tx', county: 'harris', policy_type: 'ho3' };
      const property: Property = propertyOf(home);
      const facts = factsOfProperty(property, 'ho3', '48201');
      const holding = ruleSet!.rules.filter(({ condition }) => treeTruth(condition, facts) === 'true');
      const outcomes = new Set(holding.map(({ outcome }) => outcome));
      const expected = outcomes.has('decline') ? 4 : outcomes.has('refer') ? 2 : 1;
      const code = catalog.statusCodes(property)[0]!;
      expect(code).toBe(expected);
      statuses.add(code);
    }
    expect(statuses.size).toBeGreaterThan(1);
  });
});

it('a list with more values than two bytes can count is distinguished to its last', () => {
  const value = Array.from({ length: 70_000 }, (_, index) => 100_001 + 2 * index);
  const ages = Array.from({ length: 34_000 }, (_, index) => index + 0.5);
  const rules = [
    ruleFile({ when: { all: [test('dwelling_a', 'in', value)] } }),
    ruleFile({ id: 'b', outcome: 'refer', when: { all: [test('no_prior', 'in', [...ages, 36_400])] } }),
  ];
  const catalog = createCatalog([{ file: ruleSetFile({ rules }) }]);
  const codeOf = (dwelling_a: number, no_prior: number) => {
    const home = { state: 'tx', county: 'harris', policy_type: 'ho3', dwelling_a, no_prior };
    return catalog.statusCodes(propertyOf(home))[0];
  };
  for (const index of [0, 1, 30_000, 40_000, 65_535, 69_999]) {
    expect(codeOf(value[index]!, 0)).toBe(4);
    expect(codeOf(value[index]! + 1, 0)).toBe(1);
    expect(codeOf(value[index]! + 1, 36_400)).toBe(2);
  }
});
