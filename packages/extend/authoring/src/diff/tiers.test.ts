import { checkRuleSet, createCatalog, parseRequest, type RuleSet } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { randomProperty, randomRuleSet } from '../../../../../test/support/engine/random-rule-sets.ts';
import { tinyLine } from '../../../../../test/support/engine/tiny-line.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { analyseRuleSet } from '../analysis/analyse.ts';
import { readAskedAt } from '../finding/asked-at.ts';
import { evaluatePlainly } from '../finding/evaluate-home.ts';
import { changeBetween, diffRuleSets } from './diff.ts';

const at = readAskedAt('2026-11-20')!;

type Json = Record<string, unknown>;

const decline = (id: string, fact: string, operator: string, value: unknown): Json => ({
  id,
  outcome: 'decline',
  code: 'claims',
  message: `Declined by ${id}.`,
  when: { all: [{ fact, operator, value }] },
});
const tier = (rank: number, rules: readonly Json[], more: Json = {}): Json => ({
  id: `rank-${rank}`,
  policy_types: ['ho3'],
  states: ['tx'],
  tier: { of: 'homeowners', rank },
  rules,
  ...more,
});

function ruleSetOf(programs: readonly Json[], rules: readonly Json[] = []): RuleSet {
  const { ruleSet, faults } = checkRuleSet({
    format: 1,
    carrier: { key: 'tiered', name: 'Tiered' },
    version: '1',
    effective: { from: '2026-01-01' },
    rules,
    programs,
  });
  expect(faults).toEqual([]);
  return ruleSet!;
}

const over = (id: string, claims: number) => decline(id, 'total_claims', 'greaterThan', claims);

describe('the analysis of tiers', () => {
  const codesOf = (ruleSet: RuleSet) => analyseRuleSet(ruleSet, { at }).findings.map(({ code }) => code);

  it('accepts a ladder whose tiers each take some homes', () => {
    const ladder = [tier(1, [over('none', 0)]), tier(2, [over('two', 2)])];
    expect(codesOf(ruleSetOf(ladder)).filter((code) => code.includes('tier') || code.startsWith('rule'))).toEqual([]);
  });

  it('finds a tier that no home reaches', () => {
    const { findings } = analyseRuleSet(ruleSetOf([tier(1, [over('two', 2)]), tier(2, [over('none', 0)])]), { at });
    expect(findings.find(({ code }) => code === 'tier_never_reached')).toMatchObject({
      path: '/programs/1/tier',
      severity: 'warning',
      message:
        'No home gets the tier "rank-2" (HO3): "rank-1" takes every home that it takes. Are the ranks in the right order?',
      example: { state: 'tx', total_claims: 0 },
    });
  });

  it('reaches a tier that only refers if the better one declines', () => {
    const refer = { ...over('look', 2), outcome: 'refer' };
    const reached = ruleSetOf([tier(1, [over('two', 2)]), tier(2, [refer])]);
    expect(codesOf(reached)).not.toContain('tier_never_reached');
    const hidden = ruleSetOf([
      tier(1, [{ ...over('first', 0), outcome: 'refer' }]),
      tier(2, [{ ...refer, when: over('', 0)['when'] }]),
    ]);
    expect(codesOf(hidden)).toContain('tier_never_reached');
  });

  it('finds a tier without another one', () => {
    expect(codesOf(ruleSetOf([tier(1, [])]))).toContain('tier_alone');
    const apart = ruleSetOf([tier(1, []), tier(2, [], { policy_types: ['ho5'] })]);
    expect(analyseRuleSet(apart, { at }).findings.filter(({ code }) => code === 'tier_alone')).toMatchObject([
      { path: '/programs/0/tier', message: expect.stringContaining('shares no policy type and county') },
      { path: '/programs/1/tier' },
    ]);
  });

  it('finds values between two tiers that neither takes', () => {
    const old = (id: string, operator: string, value: number) => decline(id, 'roof_age', operator, value);
    const ladder = ruleSetOf([
      tier(1, [old('new', 'greaterThan', 10)]),
      tier(2, [old('used', 'lessThan', 12), old('worn', 'greaterThan', 20)]),
    ]);
    const gap = analyseRuleSet(ladder, { at }).findings.find(({ code }) => code === 'gap_tiers');
    expect(gap).toMatchObject({
      message:
        'Every tier declines an ordinary home with age of the roof 11 years, although "rank-2" takes it below and "rank-1" above. Should their limits meet?',
      example: { roof_age: 11 },
    });
  });

  it('does not take a rule of another tier for one that covers a rule at the top', () => {
    const ruleSet = ruleSetOf([tier(1, [over('none', 0)]), tier(2, [])], [over('two', 2)]);
    expect(codesOf(ruleSet)).not.toContain('rule_covered_by_one');
    const every = ruleSetOf([tier(1, [over('none', 0)]), tier(2, [over('one', 1)])], [over('two', 2)]);
    expect(codesOf(every)).toContain('rule_covered_by_several');
  });
});

describe('the comparison of tiers', () => {
  it('reports homes that move from one tier to another', () => {
    const older = ruleSetOf([tier(1, [over('a', 0)]), tier(2, [over('b', 2)])]);
    const newer = ruleSetOf([tier(1, [over('a', 1)]), tier(2, [over('b', 2)])]);
    const { findings } = diffRuleSets(older, newer, { at });
    expect(findings.filter(({ code }) => !code.startsWith('rule_'))).toMatchObject([
      {
        code: 'tier_changed',
        message: 'HO3: Moved from "rank-2" to "rank-1": claims in five years 1.',
        path: '/programs/0',
        example: { total_claims: 1 },
      },
    ]);
    expect(diffRuleSets(older, older, { at }).findings).toEqual([]);
  });

  it('names the rules of all tiers that decline together', () => {
    const older = ruleSetOf([tier(1, [over('a', 0)]), tier(2, [over('b', 2)])]);
    const newer = ruleSetOf([tier(1, [over('a', 0)]), tier(2, [over('b', 1)])]);
    expect(diffRuleSets(older, newer, { at }).findings[0]).toMatchObject({
      code: 'newly_declined',
      message: expect.stringContaining('Newly declined by "a" and "b": claims in five years 2.'),
      path: '/programs/1/rules/0',
      ruleId: 'b',
    });
  });

  it('has the change of every home of random ladders', () => {
    const random = createRandom(Number(process.env['LEEWARD_SEED'] ?? 20261128));
    const withTiers = (): RuleSet => {
      const ruleSet = randomRuleSet(random);
      const extra = randomRuleSet(random);
      // Rules of several files would share ids.
      const renamed = extra.programs.map((program) => ({
        ...program,
        id: `next-${program.id}`,
        rules: program.rules.map((rule) => ({ ...rule, id: `next-${rule.id}` })),
      }));
      const counties = new Map(ruleSet.programs[0]!.places.counties);
      return {
        ...ruleSet,
        programs: [
          { ...ruleSet.programs[0]!, tier: { of: 'boats', rank: 1 } },
          { ...renamed[0]!, places: { states: ['de'], counties }, tier: { of: 'boats', rank: 2 } },
          ...ruleSet.programs.slice(1),
        ],
      };
    };
    let changed = 0;
    const count = testVolume(60);
    for (let index = 0; index < count; index++) {
      const [older, newer] = [withTiers(), withTiers()];
      const diff = diffRuleSets(older, newer, { at, vocabulary: tinyLine });
      for (let home = 0; home < 40; home++) {
        const { property, choices } = randomProperty(random);
        if (choices.size > 0) continue;
        const change = changeBetween(
          evaluatePlainly(older, property)!.status,
          evaluatePlainly(newer, property)!.status,
        );
        expect(diff.changeOf(property)).toBe(change);
        if (change) changed++;
      }
    }
    expect(changed).toBeGreaterThan(count / 4);
  });
});

it('evaluates a home plainly as the engine does, with its tier', () => {
  const file = ruleSetOf([tier(1, [over('a', 0)]), tier(2, [over('b', 2)])]);
  const catalog = createCatalog([{ file: file.file }]);
  for (const total_claims of [0, 1, 2, 3]) {
    const parsed = parseRequest(
      { state: 'tx', county: 'harris', policy_type: 'ho3', total_claims },
      { now: new Date('2026-11-20T12:00:00Z') },
    );
    if (!parsed.ok) throw new Error('The home was refused.');
    const { property } = parsed.request;
    const [verdict] = catalog.decideSync(property).verdicts;
    const plain = evaluatePlainly(file, property)!;
    expect(plain.status).toBe(verdict!.status);
    expect(plain.tier?.id).toBe(verdict!.tier?.programId);
  }
});
