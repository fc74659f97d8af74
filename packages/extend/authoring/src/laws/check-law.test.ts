import { checkRuleSet, createCatalog, parseRequest } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import { readAskedAt } from '../finding/asked-at.ts';
import { checkLaw } from './check-law.ts';
import { readLaw } from './law.ts';

const at = readAskedAt('2026-11-20')!;
const test = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
const decline = (id: string, when: object, outcome = 'decline') => ({
  id,
  outcome,
  code: 'x_rule',
  message: id,
  when: 'fact' in when ? { all: [when] } : when,
});
const fileOf = (...rules: object[]) => ({
  format: 1,
  carrier: { key: 'bayou', name: 'Bayou Mutual' },
  version: '1',
  effective: { from: '2026-01-01' },
  rules,
  programs: [{ id: 'fl', policy_types: ['ho3'], states: ['fl'] }],
});
const ruleSetOf = (...rules: object[]) => {
  const { ruleSet, faults } = checkRuleSet(fileOf(...rules));
  if (!ruleSet) throw new Error(faults.map(({ message }) => message).join('\n'));
  return ruleSet;
};
const roofLaw = {
  format: 1,
  law: 'fl-roof-age',
  title: 'The age of a roof under 15 years does not decline',
  states: ['fl'],
  may_not_decide: ['roof_age'],
  when: test('roof_age', 'lessThan', 15),
};
const lawOf = (file: object) => {
  const { law, faults } = readLaw(file);
  if (!law) throw new Error(faults.map(({ message }) => message).join('\n'));
  return law;
};
const statusOf = (file: object, home: object): string | undefined => {
  const parsed = parseRequest({ policy_type: 'ho3', ...home }, { now: new Date('2026-11-20T12:00:00Z') });
  if (!parsed.ok) throw new Error(parsed.faults[0]!.message);
  return createCatalog([{ file }]).decideSync(parsed.request.property).verdicts[0]?.status;
};

describe('a law', () => {
  it('is broken by a rule that declines a protected home for what it protects, with two homes', () => {
    const file = fileOf(decline('old', test('roof_age', 'greaterThan', 10)));
    const [finding, ...others] = checkLaw(ruleSetOf(...file.rules), lawOf(roofLaw), { at });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'law_broken', ruleId: 'old', path: '/rules/0', severity: 'fault' });
    expect(finding!.message).toMatch(/^Breaks "fl-roof-age" \(The age of a roof/);
    expect(statusOf(file, finding!.example!)).toBe('ineligible');
    expect(statusOf(file, finding!.counterexample!)).toBe('eligible');
    const { roof_age: age, ...others1 } = finding!.example as Record<string, unknown>;
    const { roof_age: otherAge, ...others2 } = finding!.counterexample as Record<string, unknown>;
    expect(others1).toEqual(others2);
    expect(age).not.toEqual(otherAge);
    expect(age).toBeLessThan(15);
  });

  it('is kept by a rule that declines other homes, or for other facts', () => {
    const kept = [
      decline('old', test('roof_age', 'greaterThanInclusive', 15)),
      decline('claims', test('total_claims', 'greaterThan', 2)),
      decline('both', { all: [test('roof_age', 'greaterThan', 20), test('total_claims', 'greaterThan', 1)] }),
    ];
    expect(checkLaw(ruleSetOf(...kept), lawOf(roofLaw), { at })).toEqual([]);
  });

  it('is kept if other rules decline the same homes for every value of the protected fact', () => {
    const young = decline('young', {
      all: [test('roof_age', 'greaterThan', 5), test('total_claims', 'greaterThan', 2)],
    });
    const claims = decline('claims', test('total_claims', 'greaterThan', 2));
    expect(checkLaw(ruleSetOf(young), lawOf(roofLaw), { at })).toHaveLength(1);
    expect(checkLaw(ruleSetOf(young, claims), lawOf(roofLaw), { at })).toEqual([]);
  });

  it('restricts referrals only with outcome refer', () => {
    const refer = ruleSetOf(decline('old', test('roof_age', 'greaterThan', 10), 'refer'));
    expect(checkLaw(refer, lawOf(roofLaw), { at })).toEqual([]);
    expect(checkLaw(refer, lawOf({ ...roofLaw, outcome: 'refer' }), { at })).toMatchObject([{ code: 'law_broken' }]);
  });

  it('can protect a county', () => {
    const law = { format: 1, law: 'place', title: 'The county does not decline', may_not_decide: ['county'] };
    const rule = decline('keys', { all: [test('county', 'equal', 'Monroe, fl'), test('state', 'equal', 'fl')] });
    const [finding] = checkLaw(ruleSetOf(rule), lawOf(law), { at });
    expect(finding).toMatchObject({ code: 'law_broken', example: { county: 'monroe' } });
    expect(finding!.counterexample!['county']).not.toBe('monroe');
  });

  it('does not apply in other states or to other policy types', () => {
    const file = fileOf(decline('old', test('roof_age', 'greaterThan', 10)));
    const ruleSet = ruleSetOf(...file.rules);
    expect(checkLaw(ruleSet, lawOf({ ...roofLaw, states: ['tx'] }), { at })).toEqual([]);
    expect(checkLaw(ruleSet, lawOf({ ...roofLaw, policy_types: ['dp3'] }), { at })).toEqual([]);
  });

  it('is not passed by a search that reached its limit', () => {
    const rule = decline('old', test('roof_age', 'greaterThan', 10));
    expect(checkLaw(ruleSetOf(rule), lawOf(roofLaw), { at, boxes: 0 })).toMatchObject([{ code: 'law_not_decided' }]);
    expect(checkLaw(ruleSetOf(rule), lawOf(roofLaw), { at, work: { left: 0 } })).toMatchObject([
      { code: 'law_not_decided', severity: 'fault' },
    ]);
  });

  it('agrees with every pair of homes of random rule sets', () => {
    const random = createRandom(11);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const homes = [3, 10, 12, 15, 17, 20, 30].flatMap((roof_age) =>
      [0, 1, 2, 3, 4].flatMap((total_claims) =>
        ['primary', 'seasonal', 'rental'].map((usage) => ({ roof_age, total_claims, usage })),
      ),
    );
    const tests = [
      () => test('roof_age', pick(['greaterThan', 'lessThan']), pick([10, 15, 20])),
      () => test('total_claims', pick(['greaterThan', 'lessThan']), pick([1, 3])),
      () => test('usage', pick(['equal', 'notEqual']), pick(['primary', 'seasonal', 'rental'])),
    ];
    let broken = 0;
    for (let round = 0; round < 150; round++) {
      const rules = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, index) => {
        const list = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(tests)());
        return decline(
          `r${index}`,
          random() < 0.7 ? { all: list } : { any: list },
          pick(['decline', 'decline', 'refer']),
        );
      });
      const outcome = pick(['decline', 'refer'] as const);
      const file = fileOf(...rules);
      const ruleSet = ruleSetOf(...rules);
      const catalog = createCatalog([{ file }]);
      const isRestricted = homes.map((home) => {
        const parsed = parseRequest(
          { policy_type: 'ho3', state: 'fl', county: 'Monroe', year_built: 1950, roof_type: 'metal', ...home },
          { now: new Date('2026-11-20T12:00:00Z') },
        );
        if (!parsed.ok) throw new Error(parsed.faults[0]!.message);
        const status = catalog.decideSync(parsed.request.property).verdicts[0]!.status;
        return status === 'ineligible' || (outcome === 'refer' && status === 'referral');
      });
      const isBroken = homes.some(
        (home, one) =>
          home.roof_age < 15 &&
          isRestricted[one] &&
          homes.some(
            (other, two) =>
              other.usage === home.usage && other.total_claims === home.total_claims && !isRestricted[two],
          ),
      );
      const findings = checkLaw(ruleSet, lawOf({ ...roofLaw, outcome }), { at });
      expect(findings.filter(({ code }) => code !== 'law_broken')).toEqual([]);
      expect(findings.length > 0, JSON.stringify(rules)).toBe(isBroken);
      for (const { example, counterexample } of findings) {
        expect(example!['roof_age']).toBeLessThan(15);
        const names = new Set([...Object.keys(example!), ...Object.keys(counterexample!)]);
        names.delete('roof_age');
        for (const name of names) expect(counterexample![name]).toEqual(example![name]);
      }
      if (isBroken) broken++;
    }
    expect(broken).toBeGreaterThan(30);
    expect(broken).toBeLessThan(140);
  });
});

it.each([
  [[], '', 'A law is a JSON object'],
  [{ ...roofLaw, may_not_decide: ['rof_age'] }, '/may_not_decide/0', 'Did you mean "roof_age"?'],
  [{ ...roofLaw, when: test('roof_age', 'lessThan', 'x') }, '/when/value', 'roof_age'],
  [{ ...roofLaw, when: { all: [test('usge', 'equal', 'rental')] } }, '/when/all/0/fact', 'Did you mean "usage"?'],
  [{ ...roofLaw, states: ['flo'] }, '/states/0', 'flo'],
  [{ ...roofLaw, policy_types: ['ho9'] }, '/policy_types/0', 'ho9'],
  [{ ...roofLaw, outcome: 'require' }, '/outcome', 'require'],
  [{ ...roofLaw, lawe: 1 }, '/lawe', 'lawe'],
])('reports the fault of a law file with its place: %j', (file, path, words) => {
  const { law, faults } = readLaw(file);
  expect(law).toBeUndefined();
  expect(faults.map((fault) => fault.path)).toContain(path);
  expect(faults.map(({ message }) => message).join(' ')).toContain(words);
});
