import { readFileSync } from 'node:fs';
import { createWorkerPool } from '@leeward/worker-pool';
import { afterAll, describe, expect, it } from 'vitest';
import { fixtureFiles } from '../../../../../test/support/engine/fixture-carriers.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { openReplay } from './replay-homes.ts';
import { type ReviewInput, reviewRuleSet } from './review-rule-set.ts';
import { createReviewThread } from './review-thread.ts';

const pool = createWorkerPool();
afterAll(() => pool.close());

const input = (file: unknown, changes: Partial<ReviewInput> = {}): ReviewInput => ({
  file,
  cases: undefined,
  inForce: [],
  atMs: Date.parse('2026-11-20T12:00:00Z'),
  fromStranger: false,
  maxFindings: 50,
  ...changes,
});

const claims = (limit: number) =>
  ruleFile({ id: 'claims', when: { all: [test('total_claims', 'greaterThan', limit)] }, message: 'Claims.' });

/** Rules of two boxes of three fields, most of which overlap: reviewing 700 of them takes many minutes. */
function entangled(count: number): object[] {
  const facts = [
    ['total_claims', 8],
    ['roof_age', 40],
    ['dwelling_a', 900_000],
    ['acreage', 20],
    ['home_age', 100],
    ['lapse_in_coverage', 90],
  ] as const;
  let seed = 1;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const part = () => {
    const [fact, max] = facts[next(facts.length)]!;
    return test(fact, next(2) === 0 ? 'greaterThan' : 'lessThan', 1 + next(max));
  };
  const box = () => ({ all: [part(), part(), part()] });
  return Array.from({ length: count }, (_, index) => ({
    ...ruleFile({ id: `rule-${index}`, when: { any: [box(), box()] }, message: 'No.' }),
    outcome: ['decline', 'refer', 'require'][index % 3],
    code: `x_${index % 3}`,
  }));
}

describe('the review of a rule set', () => {
  it('returns only the faults of an invalid file', async () => {
    const review = await reviewRuleSet(input({ format: 2 }));
    expect(review.faults.length).toBeGreaterThan(1);
    expect(review.reviewed).toBeUndefined();
  });

  it('runs the cases and compares with the version that is replaced', async () => {
    const older = ruleSetFile({ version: '1', rules: [claims(2)] });
    const newer = ruleSetFile({ version: '2', rules: [claims(4)] });
    const home = { state: 'tx', county: 'harris', total_claims: 3 };
    const cases = [
      {
        note: 'three',
        as_of: '2026-11-20T12:00:00Z',
        effective_date: '2026-12-01',
        home,
        policy_type: 'ho3',
        expect: { status: 'ineligible' },
      },
    ];
    const { reviewed } = await reviewRuleSet(input(newer, { cases, inForce: [older] }));
    expect(reviewed?.identity).toMatchObject({ version: '2' });
    expect(reviewed?.cases).toMatchObject({ run: 1, failures: [{ code: 'case_fails', path: '/0/expect/status' }] });
    expect(reviewed?.changes.map(({ code }) => code)).toContain('newly_accepted');
    expect((await reviewRuleSet(input(older, { cases, inForce: [older] }))).reviewed).toMatchObject({
      cases: { run: 1, failures: [] },
      changes: [],
    });
  });

  it('counts the findings that it omits', async () => {
    const rules = Array.from({ length: 9 }, (_, index) => ({ ...claims(3), id: `claims-${index}` }));
    const { reviewed } = await reviewRuleSet(input(ruleSetFile({ rules }), { maxFindings: 2 }));
    const total = Object.values(reviewed!.unexplained).reduce((sum, each) => sum + each);
    expect([reviewed!.findings.length, reviewed!.omitted]).toEqual([2, total - 2]);
    expect(total).toBeGreaterThan(7);
  });

  it('stops when its work budget is spent, with a fault that an allowance can explain', async () => {
    const rules = Array.from({ length: 30 }, (_, index) => ({ ...claims(index % 8), id: `claims-${index}` }));
    const file = ruleSetFile({ version: '2', rules });
    const whole = await reviewRuleSet(input(file, { maxWork: 5_000_000 }));
    expect(whole).toEqual(await reviewRuleSet(input(file)));
    const cut = async (changes: object, more: Partial<ReviewInput> = {}) => {
      const { reviewed } = await reviewRuleSet(input({ ...file, ...changes }, { maxWork: 2_000, ...more }));
      return reviewed!;
    };
    const reviewed = await cut({});
    expect(reviewed.findings[0]).toMatchObject({ code: 'analysis_incomplete', severity: 'fault' });
    expect(reviewed.unexplained.fault).toBe(1);
    expect(reviewed.findings.length).toBeLessThan(whole.reviewed!.findings.length);
    // A second review of the file stops at the same place.
    expect(await cut({})).toEqual(reviewed);
    const allow = [
      { code: 'analysis_incomplete', why: 'Looked at in parts.' },
      { code: 'gap_territory', why: 'Not written there.' },
    ];
    const allowed = await cut({ allow });
    expect(allowed.unexplained.fault).toBe(0);
    expect(allowed.findings.map(({ code }) => code)).not.toContain('allowance_without_finding');
  });

  it('reports that only the comparison was cut short', async () => {
    const rules = Array.from({ length: 40 }, (_, index) => ({ ...claims(index % 9), id: `claims-${index}` }));
    const small = ruleSetFile({ version: '2', rules: [claims(4)] });
    const older = ruleSetFile({ version: '1', rules });
    const { reviewed } = await reviewRuleSet(input(small, { inForce: [older], maxWork: 3_000 }));
    const incomplete = reviewed!.findings.filter(({ code }) => code === 'analysis_incomplete');
    expect(incomplete.map(({ message }) => message)).toEqual([
      expect.stringContaining('The comparison with the version in force is incomplete'),
    ]);
    expect((await reviewRuleSet(input(small, { inForce: [older] }))).reviewed!.unexplained.fault).toBe(0);
  });

  it('aborts on a thread with its signal, and the thread then reviews for others', async () => {
    const thread = createReviewThread({ pool });
    const gone = new AbortController();
    const endless = thread.review(input(ruleSetFile({ rules: entangled(700) })), { signal: gone.signal });
    const reason = new Error('The caller has gone.');
    gone.abort(reason);
    await expect(endless).rejects.toBe(reason);
    await expect(thread.review(input(ruleSetFile()), { signal: gone.signal })).rejects.toBe(reason);
    expect(await thread.review(input(ruleSetFile()))).toEqual(await reviewRuleSet(input(ruleSetFile())));
    // An aborted call does not affect another one.
    const second = new AbortController();
    const both = [
      thread.review(input(ruleSetFile({ rules: [claims(3)] })), { signal: second.signal }),
      thread.review(input(ruleSetFile())),
    ];
    second.abort(reason);
    await expect(both[0]).rejects.toBe(reason);
    expect((await both[1])?.reviewed?.identity).toMatchObject({ carrierKey: expect.any(String) });
  });

  it('returns the same on a thread for the fixture carriers', async () => {
    const thread = createReviewThread({ pool });
    const inputs = fixtureFiles()
      .filter(({ name }) => name.endsWith('/rule-set.json'))
      .slice(0, 6)
      .map(({ name, file }) => {
        const cases = new URL(`../../../../../fixtures/carriers/${name.replace('rule-set', 'cases')}`, import.meta.url);
        return input(file, { cases: JSON.parse(readFileSync(cases, 'utf8')), inForce: [file] });
      });
    const reviews = await Promise.all(inputs.map((each) => thread.review(each)));
    for (const [index, review] of reviews.entries()) {
      expect(review).toEqual(await reviewRuleSet(inputs[index]!));
      expect(review.reviewed?.cases.failures).toEqual([]);
    }
  });
});

describe('a replay on a thread', () => {
  const replay = {
    file: ruleSetFile({ version: '2', rules: [claims(2)] }),
    inForce: [ruleSetFile({ version: '1', rules: [claims(5)] })],
    overrides: [],
    fromStranger: false,
    atMs: Date.parse('2026-11-20T12:00:00Z'),
    maxChanges: 10,
  };
  const homes = Array.from({ length: 7 }, (_, index) => ({
    id: `home-${index}`,
    request: { state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: index, effective_date: '2026-12-01' },
  }));
  const parts = [homes.slice(0, 3), [], homes.slice(3)];
  const thread = createReviewThread({ pool });

  it('returns the same for homes in parts of any size', async () => {
    const { replay: here } = openReplay(replay);
    await here!.evaluate(homes);
    async function* slowly() {
      for (const part of parts) {
        await new Promise(setImmediate);
        yield part;
      }
    }
    const expected = { faults: [], replayed: here!.result() };
    expect(expected.replayed.homes).toBe(homes.length);
    expect(await thread.replay(replay, parts)).toEqual(expected);
    expect(await thread.replay(replay, slowly())).toEqual(expected);
    expect(await thread.replay(replay, [])).toMatchObject({ faults: [], replayed: { homes: 0 } });
  });

  it('returns the faults of the version without reading homes', async () => {
    let reads = 0;
    function* counted() {
      reads++;
      yield homes;
    }
    const { faults, replayed } = await thread.replay({ ...replay, file: {} }, counted());
    expect([faults.length > 0, replayed]).toEqual([true, undefined]);
    expect(reads).toBeLessThanOrEqual(1);
  });

  it('rejects with the error of the homes, and with the reason of its signal', async () => {
    async function* broken() {
      yield homes;
      throw new RangeError('no more homes');
    }
    await expect(thread.replay(replay, broken())).rejects.toThrow('no more homes');
    const controller = new AbortController();
    async function* endless() {
      for (let part = 0; ; part++) {
        if (part === 3) controller.abort(new Error('gone'));
        yield homes;
      }
    }
    await expect(thread.replay(replay, endless(), { signal: controller.signal })).rejects.toThrow('gone');
    expect(pool.stats.running).toBe(0);
  });
});
