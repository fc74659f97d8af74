import { checkRuleSet } from '@leeward/engine';
import { checkOverride } from '@leeward/engine/organizations';
import fc from 'fast-check';
import { beforeEach, expect, it, vi } from 'vitest';
import { fold } from '../packages/core/terms/src/spelling/fold.ts';
import { testVolume } from './support/test-volume.ts';

/** Work is counted, not time: spellings are compared folded, each once; ten a word are folded to look it up. */
vi.mock('../packages/core/terms/src/spelling/fold.ts', { spy: true });
beforeEach(() => void vi.mocked(fold).mockClear());
const compared = () => vi.mocked(fold).mock.calls.length;
const MAX_COMPARED = 10_000;

const misspelt = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word}${index % 10}`);
const leaves = (count: number) =>
  misspelt('rof_ag', count).map((fact) => ({ fact, operator: 'greatrThan', value: 'metall' }));
const fileOf = (rules: readonly object[], more: object = {}) => ({
  format: 1,
  carrier: { key: 'x', name: 'X' },
  version: '1',
  effective: { from: '2026-01-01' },
  rules,
  programs: [{ id: 'all', policy_types: ['ho3'], states: ['tx'] }],
  ...more,
});
const ruleOf = (when: object) => ({ id: 'a', outcome: 'declne', code: 'roof_ag', message: '{rof_age}', when });

/** Files and requests with this many unknown words. */
const worst: Readonly<Record<string, (count: number) => { readonly faults: readonly unknown[] }>> = {
  'facts, operators and values': (count) => checkRuleSet(fileOf([ruleOf({ all: leaves(count) })])),
  'shared conditions': (count) => {
    const conditions = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`condition number ${index}`, { all: [] }]),
    );
    const all = misspelt('conditoin number ', count).map((condition) => ({ condition }));
    return checkRuleSet(fileOf([ruleOf({ all })], { conditions }));
  },
  counties: (count) => {
    const counties = { tx: { include: misspelt('galvestoon', count) } };
    return checkRuleSet(fileOf([], { programs: [{ id: 'all', policy_types: ['ho3'], states: ['tx'], counties }] }));
  },
  overrides: (count) =>
    checkOverride({ carrier_key: 'x', exclude: { counties: { tx: misspelt('galvestoon', count) } } }),
};

it.each(Object.entries(worst))('suggestions have a bounded cost: %s', (_, check) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), (count) => {
      vi.mocked(fold).mockClear();
      const { faults } = check(count);
      expect(faults.length).toBeGreaterThan(0);
      expect(compared()).toBeLessThanOrEqual(MAX_COMPARED + 10 * count);
    }),
    { numRuns: testVolume(2), examples: [[3_000]] },
  );
  // A few unknown words get suggestions.
  vi.mocked(fold).mockClear();
  expect(JSON.stringify(check(1).faults)).toMatch(/Did you mean/i);
  expect(compared()).toBeGreaterThan(0);
});
