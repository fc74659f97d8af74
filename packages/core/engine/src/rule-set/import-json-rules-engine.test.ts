import { Engine, type RuleProperties } from 'json-rules-engine';
import { describe, expect, it } from 'vitest';
import { randomHomeCondition } from '../../../../../test/support/engine/random-home-rules.ts';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { factsOfProperty } from '../condition/facts.ts';
import { treeTruth } from '../condition/tree-truth.ts';
import { completeHome, propertyOf } from '../testing/complete-homes.ts';
import { checkRuleSet } from './check.ts';
import type { Rule } from './rule-set.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
type Json = Record<string, unknown>;

const texas = { id: 'texas', policy_types: ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'], states: ['tx'] };
const fileOf = (overrides: Json): Json => ({
  format: 1,
  carrier: { key: 'test', name: 'Test' },
  version: '1',
  effective: { from: '2026-01-01' },
  programs: [texas],
  ...overrides,
});

function rulesOf(overrides: Json): readonly Rule[] {
  const { ruleSet, faults } = checkRuleSet(fileOf(overrides));
  if (!ruleSet) throw new Error(JSON.stringify(faults, null, 1));
  return [...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)];
}

const two = { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 2 }] };

describe('a rule of json-rules-engine', () => {
  it('takes its outcome from its event, code and message from its params, its id from its name', () => {
    const [rule] = rulesOf({
      rules: [
        {
          name: 'many claims',
          conditions: two,
          event: {
            type: 'refer',
            params: { code: 'claims', message: 'Claims: {total_claims}.', other: { kept: true } },
          },
          priority: 5,
        },
      ],
    });
    expect(rule).toMatchObject({
      id: 'many claims',
      outcome: 'refer',
      code: 'claims',
      message: 'Claims: {total_claims}.',
      priority: 5,
    });
  });

  it('else has the code x_imported, its id as message, and its number in the file as id', () => {
    const plain = { conditions: two, event: { type: 'decline' } };
    const rules = rulesOf({
      rules: [
        plain,
        { ...plain, name: 0 },
        { ...plain, name: '' },
        { ...plain, event: { type: 'decline', params: { code: 'theirs', message: 5 } } },
      ],
      programs: [{ ...texas, rules: [plain, { ...plain, name: 'named' }, plain] }],
    });
    expect(rules.map((rule) => [rule.id, rule.code, rule.message])).toEqual([
      ['rule-1', 'x_imported', 'rule-1'],
      ['0', 'x_imported', '0'],
      ['rule-3', 'x_imported', 'rule-3'],
      ['rule-4', 'x_imported', 'rule-4'],
      ['rule-5', 'x_imported', 'rule-5'],
      ['named', 'x_imported', 'named'],
      ['rule-7', 'x_imported', 'rule-7'],
    ]);
  });

  it('says what its event means: an outcome, one of the map, or acceptance', () => {
    const rules = rulesOf({
      outcomes: {
        deny: 'decline',
        accept: { otherwise: 'decline' },
        review: { otherwise: 'refer' },
        require: 'inform',
      },
      rules: ['deny', 'accept', 'review', 'require', 'refer'].map((type) => ({
        name: type,
        conditions: two,
        event: { type },
      })),
    });
    expect(
      rules.map((rule) => [rule.id, rule.outcome, treeTruth(rule.condition, new Map([['total_claims', 5]]))]),
    ).toEqual([
      ['deny', 'decline', 'true'],
      ['accept', 'decline', 'false'],
      ['review', 'refer', 'false'],
      ['require', 'inform', 'true'],
      ['refer', 'refer', 'true'],
    ]);
  });

  it('orders reasons by priority, highest first, and changes no status by it', async () => {
    const rule = (name: string, priority: number | undefined, type = 'decline') => ({
      name,
      conditions: two,
      event: { type },
      ...(priority === undefined ? {} : { priority }),
    });
    const rules = [rule('a', undefined), rule('b', 50), rule('c', 2), rule('d', undefined), rule('e', 100, 'refer')];
    for (const evaluator of ['compiled', 'reference'] as const) {
      const catalog = createCatalog([{ file: fileOf({ rules }) }], { evaluator });
      const home = (total_claims: number) =>
        propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', total_claims });
      const [verdict] = (await catalog.decide(home(3))).verdicts;
      expect([verdict?.status, verdict?.reasons.map((reason) => reason.ruleId)]).toEqual([
        'ineligible',
        ['b', 'c', 'a', 'd'],
      ]);
      expect((await catalog.decide(home(2))).verdicts[0]).toMatchObject({ status: 'eligible', reasons: [] });
    }
  });

  it('reads a condition of two kinds as json-rules-engine does, with a warning', async () => {
    const old = { fact: 'home_age', operator: 'greaterThan', value: 50 };
    const conditions = [
      { any: [old], all: two.all },
      { all: two.all, not: old },
      { all: [{ any: [old], ...two.all[0] }] },
      { not: { all: two.all, any: [old] } },
    ];
    const { ruleSet, warnings } = checkRuleSet(
      fileOf({
        rules: conditions.map((each, index) => ({ name: `${index}`, conditions: each, event: { type: 'decline' } })),
      }),
    );
    expect(warnings.map((warning) => warning.code)).toEqual(conditions.map(() => 'ambiguous_condition'));
    for (const total_claims of [0, 3]) {
      for (const year_built of [1950, 2020]) {
        const property = propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', total_claims, year_built });
        const facts = factsOfProperty(property, 'ho3', '48201');
        const engine = new Engine(
          conditions.map(
            (each, index) =>
              ({ name: `${index}`, conditions: each, event: { type: 'x' } }) as unknown as RuleProperties,
          ),
        );
        const { results } = await engine.run({ total_claims, home_age: facts.get('home_age') });
        const theirs = results.map((result) => result.name).sort();
        expect(
          ruleSet!.rules.filter((rule) => treeTruth(rule.condition, facts) === 'true').map((rule) => rule.id),
        ).toEqual(theirs);
      }
    }
  });
});

/** Facts as for json-rules-engine, with the county by FIPS code. */
const plainFacts = (body: Json) => {
  const property = propertyOf(body);
  return factsOfProperty(property, property.policyType!, property.counties?.[0]);
};

/** Without counties by name, which only this format has. */
function randomConditions(random: () => number, shared: readonly string[]): Json {
  for (;;) {
    const condition = randomHomeCondition(random, 3, shared);
    if (!JSON.stringify(condition).includes('"county"')) return condition;
  }
}

it(`rules load unchanged and fire as in json-rules-engine itself (seed ${seed})`, async () => {
  const random = createRandom(seed);
  const outcomes = { deny: 'decline', accept: { otherwise: 'decline' }, check: 'refer' };
  let firings = 0;
  let compared = 0;
  for (let file = 0; file < testVolume(20); file++) {
    const conditions = { a: randomConditions(random, []), b: randomConditions(random, ['a']) };
    const rules = Array.from({ length: wholeNumber(random, 1, 8) }, (_, index) => ({
      name: `rule ${index}`,
      conditions: randomConditions(random, ['a', 'b']),
      event: { type: pick(random, ['deny', 'accept', 'check', 'decline', 'require']), params: { message: 'm' } },
      ...(random() < 0.3 ? { priority: wholeNumber(random, 1, 100) } : {}),
    }));
    const ours = rulesOf({ conditions, outcomes, rules });
    for (let home = 0; home < 12; home++) {
      const facts = plainFacts(completeHome(random, [['tx', 'harris']]));
      const engine = new Engine(structuredClone(rules) as unknown as RuleProperties[]);
      for (const [name, condition] of Object.entries(conditions))
        engine.setCondition(name, structuredClone(condition) as never);
      const fired = new Set((await engine.run(Object.fromEntries(facts))).results.map((result) => result.name));
      for (const [index, rule] of ours.entries()) {
        const fires = fired.has(rule.id);
        const holds = rules[index]!.event.type === 'accept' ? !fires : fires;
        expect([rule.id, treeTruth(rule.condition, facts)]).toEqual([rule.id, holds ? 'true' : 'false']);
        if (fires) firings++;
        compared++;
      }
    }
  }
  expect(firings).toBeGreaterThan(compared / 10);
  expect(firings).toBeLessThan((compared * 9) / 10);
});
