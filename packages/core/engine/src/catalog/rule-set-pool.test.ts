import { createWorkerPool } from '@leeward/worker-pool';
import { afterAll, describe, expect, it } from 'vitest';
import { hostileRuleSets, hostileTests } from '../../../../../test/support/engine/hostile-rule-sets.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { checkOverride } from '../rule-set/override.ts';
import { completeHome, propertyOf } from '../testing/complete-homes.ts';
import { measureBlocking } from '../testing/measure-blocking.ts';
import { createThreadChecker } from '../threads/check-thread.ts';
import { createCatalog } from './create-catalog.ts';
import { createOrganizationCatalog, openOrganizationCatalog } from './organization-catalog.ts';
import { createRuleSetPool } from './rule-set-pool.ts';

const pool = createWorkerPool();
afterAll(() => pool.close());

const base = createCatalog([{ file: ruleSetFile() }, { file: ruleSetFile({ carrier: { key: 'oak', name: 'Oak' } }) }]);
const home = propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 1 });
const override = {
  carrier_key: 'pine_ridge',
  add_rules: [ruleFile({ id: 'ours', when: { all: [test('total_claims', 'greaterThan', 0)] } })],
};
const everybody = { base, isAppointed: () => true };

describe('organizations that share a pool', () => {
  it('hold and compile once what they have alike', async () => {
    const pool = createRuleSetPool();
    const own = ruleSetFile({ carrier: { key: 'own', name: 'Own' } });
    let reads = 0;
    const read = () => {
      reads++;
      return structuredClone(own);
    };
    const sha256 = { ownRuleSets: ['a'.repeat(64)], overrides: [checkOverride(override).override!.sha256] };
    const views = Array.from({ length: 20 }, () =>
      createOrganizationCatalog({ ...everybody, pool, ownRuleSets: [read], overrides: [override], sha256 }),
    );
    expect(reads).toBe(1);
    expect(new Set(views.flatMap(({ heldFiles: held }) => held)).size).toBe(2);
    await views[0]!.decide(home);
    const bytes = pool.compiledBytes;
    expect(bytes).toBeGreaterThan(0);
    for (const view of views) {
      expect((await view.decide(home)).verdicts.map(({ carrierKey, status }) => `${carrierKey} ${status}`)).toEqual([
        'oak eligible',
        'own eligible',
        'pine_ridge ineligible',
      ]);
    }
    expect(pool.compiledBytes).toBe(bytes);
  });

  it('stay within the memory limit, and are still evaluated', async () => {
    const maxBytes = 2_000_000;
    const pool = createRuleSetPool({ maxBytes });
    const views = Array.from({ length: Math.min(12, testVolume(6)) }, (_, seed) =>
      createOrganizationCatalog({
        ...everybody,
        pool,
        ownRuleSets: [hostileTests(60, 3, { carrierKey: `own_${seed}`, seed })],
        overrides: [],
      }),
    );
    // A complete home, so that only cached tables are measured, not searches.
    const { policy_type: _, ...given } = completeHome(createRandom(1));
    const whole = propertyOf({ ...given, state: 'tx', county: 'harris' });
    for (let round = 0; round < 2; round++) {
      for (const view of views) {
        expect((await view.decide(whole)).verdicts).toHaveLength(2 * 2 + 7);
        expect(pool.compiledBytes).toBeLessThan(2 * maxBytes);
      }
    }
  });
});

describe('what an organization stored and is refused now', () => {
  it('is left out and reported, and never makes an ineligible home eligible', async () => {
    const view = await openOrganizationCatalog({
      ...everybody,
      ownRuleSets: [hostileRuleSets.products({ carrierKey: 'own' })],
      overrides: [{ ...override, add_rules: (hostileRuleSets.products() as { rules: unknown[] }).rules }],
    });
    expect(view.faults[0]).toMatchObject({ path: '/own_rule_sets/0', code: 'expansion_too_large' });
    expect(view.faults.slice(1).every(({ path }) => path.startsWith('/overrides/0'))).toBe(true);
    expect(view.faults.length).toBeGreaterThan(1);
    const decision = await view.decide(home);
    expect(decision.verdicts.map(({ carrierKey }) => carrierKey)).toEqual(['oak']);
    expect(decision.notEvaluated).toEqual([
      { carrierKey: 'pine_ridge', carrierName: 'Pine Ridge', policyType: 'ho3', code: 'rules_refused' },
      { carrierKey: 'own', carrierName: 'own', policyType: 'ho3', code: 'rules_refused' },
    ]);
  });
});

it('an organization with many large rule sets yields to other work', async () => {
  const files = Array.from({ length: Math.min(24, testVolume(8)) }, (_, seed) =>
    hostileTests(120, 4, { carrierKey: `own_${seed}`, seed }),
  );
  const { maxBlockMs, tookMs } = await measureBlocking(async () => {
    const checker = createThreadChecker({ pool, tenant: 'agency' });
    const view = await openOrganizationCatalog({ ...everybody, ownRuleSets: files, overrides: [] }, checker);
    for (const year of [2026, 2030]) {
      const effective_date = `${year}-11-20`;
      await view.decide(propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', effective_date }));
    }
  });
  expect(maxBlockMs).toBeLessThan(Math.max(150, tookMs / 4));
});
