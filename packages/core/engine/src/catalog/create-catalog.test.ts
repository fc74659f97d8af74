import { isDeepStrictEqual } from 'node:util';
import { createWorkerPool } from '@leeward/worker-pool';
import { afterAll, describe, expect, it } from 'vitest';
import { fixtureCatalog, fixtureEntries, fixtureHomes } from '../../../../../test/support/engine/fixture-catalog.ts';
import { hostileTests } from '../../../../../test/support/engine/hostile-rule-sets.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { syncChecker } from '../rule-set/rule-checker.ts';
import { propertyOf } from '../testing/complete-homes.ts';
import { measureBlocking } from '../testing/measure-blocking.ts';
import { createThreadChecker } from '../threads/check-thread.ts';
import { checkEntriesWith } from './check-entries.ts';
import { createCatalog } from './create-catalog.ts';
import { RuleSetError } from './rule-set-error.ts';

const pool = createWorkerPool();
afterAll(() => pool.close());

const entries = fixtureEntries();
const homes = fixtureHomes().map(propertyOf);
const expectSame = (given: unknown, wanted: unknown) => {
  if (!isDeepStrictEqual(given, wanted)) expect(given).toEqual(wanted);
};
const carrier = (key: string, more: object = {}) => ({
  file: ruleSetFile({ carrier: { key, name: key }, ...more }),
});

describe('a catalog made for a service', () => {
  it('matches a catalog created without a checker', async () => {
    const once = fixtureCatalog();
    const checked = await checkEntriesWith(createThreadChecker({ pool }), entries);
    expect(checked.every((entry) => entry.checked?.ruleSet)).toBe(true);
    const sliced = createCatalog(checked);
    await sliced.prepare('2026-11-20');
    for (const home of homes) expectSame(await sliced.decide(home), once.decideSync(home));
    const wrong = await checkEntriesWith(createThreadChecker({ pool }), [{ file: {} }]);
    expect(() => createCatalog(wrong)).toThrow(RuleSetError);
  });

  it('yields to other work while compiling, also for a new year', async () => {
    const files = Array.from({ length: Math.min(12, testVolume(8)) }, (_, seed) => ({
      file: hostileTests(250, 5, { carrierKey: `c${seed}`, seed, policyTypes: ['ho3', 'dp3'] }),
    }));
    const {
      result: catalog,
      maxBlockMs,
      tookMs,
    } = await measureBlocking(async () => {
      const made = createCatalog(await checkEntriesWith(createThreadChecker({ pool }), files));
      await made.prepare('2026-11-20');
      return made;
    });
    expect(maxBlockMs).toBeLessThan(Math.max(150, tookMs / 4));
    const property = propertyOf({ state: 'tx', policy_type: 'ho3', effective_date: '2031-01-01' });
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await catalog.prepare('2031-01-01', ['ho3']);
    isOver = true;
    expect(turns).toBeGreaterThan(3);
    expect((await catalog.decide(property)).verdicts).toHaveLength(files.length);
  });

  it('builds what several wait for once', async () => {
    const catalog = createCatalog(entries);
    const [first] = homes;
    const answers = await Promise.all(Array.from({ length: 5 }, () => catalog.decide(first!)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

describe('a catalog that changes', () => {
  const before = createCatalog([carrier('a'), carrier('b'), carrier('c')]);
  const home = propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 2 });
  const says = (catalog: ReturnType<typeof createCatalog>) =>
    catalog
      .decideSync(home)
      .verdicts.map(({ carrierKey, status }) => `${carrierKey} ${status}`)
      .sort();

  it('replaces the old version, and keeps the others unchanged', () => {
    const stricter = carrier('b', {
      version: '2',
      rules: [ruleFile({ when: { all: [test('total_claims', 'greaterThan', 1)] } })],
    });
    const after = before.update({ put: [stricter] });
    expect(says(after)).toEqual(['a eligible', 'b ineligible', 'c eligible']);
    expect(says(before)).toEqual(['a eligible', 'b eligible', 'c eligible']);
    expect(after.carriers.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(after.carriers[0]!.versions[0]!.ruleSet).toBe(before.carriers[0]!.versions[0]!.ruleSet);
    const later = carrier('b', { version: '3', effective: { from: '2026-06-01', until: null } });
    expect(after.update({ put: [later] }).carriers[1]!.versions).toHaveLength(2);
  });

  it('takes carriers in and lets them go', () => {
    expect(says(before.update({ put: [carrier('d')], remove: [{ carrierKey: 'a' }] }))).toEqual([
      'b eligible',
      'c eligible',
      'd eligible',
    ]);
    const two = before.update({ put: [carrier('b', { version: '2', effective: { from: '2027-01-01' } })] });
    const one = two.update({ remove: [{ carrierKey: 'b', version: '2' }] });
    expect(one.carriers[1]!.versions.map(({ ruleSet }) => ruleSet.version)).toEqual(['1']);
  });

  it('refuses what is wrong, all at once', () => {
    expect(() => before.update({ remove: [{ carrierKey: 'x' }, { carrierKey: 'a', version: '9' }] })).toThrow(
      /Cannot remove carrier "x": it is not in the catalog\.[\s\S]*Cannot remove version "9" of carrier "a"/,
    );
    expect(() => before.update({ put: [{ file: {} }] })).toThrow(RuleSetError);
  });

  it('matches a catalog created from the same files', () => {
    const [first, ...others] = entries;
    const updated = createCatalog(others).update({ put: [first!] });
    const made = fixtureCatalog();
    for (const each of homes) expectSame(updated.decideSync(each), made.decideSync(each));
  });
});

it('lists carriers that do not offer, with the reason', async () => {
  const catalog = createCatalog([
    carrier('old', { effective: { from: '2020-01-01', until: '2021-01-01' } }),
    carrier('far', { programs: [{ id: 'f', policy_types: ['ho3'], states: ['fl'] }] }),
    carrier('here'),
    carrier('stranger'),
  ]);
  const property = propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3' });
  const decision = await catalog.decide(property, { isAppointed: (key) => key !== 'stranger' });
  expect(decision.notOffered.map(({ carrierKey, policyType, code }) => [carrierKey, policyType, code])).toEqual([
    ['old', 'ho3', 'no_version'],
    ['far', 'ho3', 'no_program'],
    ['stranger', 'ho3', 'not_appointed'],
  ]);
  expect(decision.counts.not_offered).toBe(2);
  const all = catalog.decideSync(propertyOf({ state: 'tx', county: 'harris' }));
  expect(all.notOffered).toHaveLength(all.counts.not_offered);
  expect(Object.keys(JSON.parse(JSON.stringify(decision)))).toEqual(['counts', 'verdicts', 'nextQuestions']);
});

it('a change that is checked elsewhere and prepared in slices is the one made at once', async () => {
  const entries = ['a', 'b', 'c'].map((key) => carrier(key));
  const before = createCatalog(entries);
  const change = {
    put: [
      carrier('b', { version: '2', rules: [ruleFile({ when: { all: [test('total_claims', 'greaterThan', 0)] } })] }),
    ],
    remove: [{ carrierKey: 'c' }],
  };
  let rests = 0;
  const turn = { rest: () => (rests++ % 2 === 0 ? Promise.resolve() : undefined) };
  const put = await checkEntriesWith(syncChecker, change.put);
  const after = before.update({ ...change, put });
  await after.prepare('2026-12-01', undefined, turn);
  const property = propertyOf({ state: 'tx', county: 'harris', total_claims: 1 });
  expect(after.decideSync(property)).toEqual(before.update(change).decideSync(property));
  expect(after.carriers[0]!.versions[0]!.ruleSet).toBe(before.carriers[0]!.versions[0]!.ruleSet);
  expect(rests).toBeGreaterThan(10);
  expect(() => before.update({ remove: [{ carrierKey: 'x' }] })).toThrow(RuleSetError);
});
