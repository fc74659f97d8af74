import { describe, expect, it } from 'vitest';
import {
  hostileProducts,
  hostileRepeats,
  hostileRuleSets,
  hostileTests,
} from '../../../../../test/support/engine/hostile-rule-sets.ts';
import { randomHomeCondition } from '../../../../../test/support/engine/random-home-rules.ts';
import { ruleFile, ruleSetFile, test, withRule } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { compileProgram, isCompiled } from '../compiled/compile-program.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { type CheckOptions, checkRuleSet } from './check.ts';
import { checkOverride } from './override.ts';
import { createTermCounter } from './term-count.ts';

const stranger: CheckOptions = { fromStranger: true };
const faultsOf = (file: unknown, options?: CheckOptions) => checkRuleSet(file, options).faults;
const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);

describe('work that rules make', () => {
  it('is rejected by its expanded size, even in a small file', () => {
    const products = hostileRuleSets.products();
    expect(JSON.stringify(products).length).toBeLessThan(17_000);
    expect(faultsOf(products, stranger)).toMatchObject([
      {
        path: '',
        code: 'expansion_too_large',
        message: expect.stringContaining('20000 combinations of tests; at most 4096'),
      },
    ]);
    expect(faultsOf(hostileRuleSets.repeated(), stranger)[0]!.message).toMatch(/The largest is "r0" with \d+\.$/);
    // The operator's limits allow seconds of work.
    expect(faultsOf(products)).toEqual([]);
    expect(faultsOf(hostileProducts(110, 6, 10)).map(({ code }) => code)).toEqual(['expansion_too_large']);
  });

  it('is refused of an override alike', () => {
    const { rules } = hostileTests(20, 6) as { rules: Record<string, unknown>[] };
    expect(checkOverride({ carrier_key: 'x', add_rules: rules }).faults).toEqual([]);
    const when = { all: [0, 1, 2, 3].map((list) => ({ any: anyOf(list) })) };
    expect(checkOverride({ carrier_key: 'x', add_rules: [{ ...rules[0], when }] }).faults).toMatchObject([
      { path: '/add_rules/0', code: 'expansion_too_large', message: expect.stringContaining('"r0"') },
    ]);
  });

  it('names a single rule that exceeds the limit', () => {
    const when = { all: [0, 1, 2, 3].map((list) => ({ any: anyOf(list) })) };
    expect(faultsOf(withRule({ when }), stranger)).toMatchObject([
      {
        path: '/rules/0',
        message: expect.stringMatching(/^The rule "claims" comes to 10000 combinations of tests; at most 1024/),
      },
    ]);
  });

  it('is bounded in cells and in lists that are taken apart', () => {
    const many = hostileTests(500, 6) as Record<string, unknown>;
    expect(faultsOf(many, stranger)).toEqual([]);
    const value = Array.from({ length: 15_000 }, (_, index) => index);
    const rules = [
      ...(hostileTests(480, 1) as { rules: unknown[] }).rules,
      ruleFile({ when: { all: [test('acreage', 'in', value)] } }),
    ];
    expect(faultsOf(ruleSetFile({ rules }), stranger)).toMatchObject([
      { code: 'expansion_too_large', message: expect.stringContaining('times different values') },
    ]);
    expect(faultsOf(ruleSetFile({ rules }))).toEqual([]);
    const apart = withRule({ when: { all: [test('acreage', 'someValue:lessThan', value)] } });
    expect(faultsOf(apart, stranger)).toMatchObject([{ message: expect.stringContaining('under someValue') }]);
  });

  it('stays far below the limits for ordinary rules', () => {
    // Words tested one by one, instead of with `in`.
    const any = (fact: string, words: readonly string[]) => ({ any: words.map((word) => test(fact, 'equal', word)) });
    const when = {
      all: [
        any('roof_type', ['slate', 'metal', 'tile', 'flat', '3-tab shingle']),
        any('primary_wiring', ['cloth', 'copper', 'knob and tube', 'aluminum single']),
        any('primary_plumbing', ['lead', 'pex', 'copper', 'cast iron', 'galvanized', 'polybutylene']),
        any('structure_type', ['townhouse', 'log cabin', 'mobile home', 'manufactured']),
        any('ownership', ['trust', 'llc', 'estate']),
      ],
    };
    const rules = Array.from({ length: 150 }, (_, index) => ruleFile({ id: `r${index}`, when }));
    expect(faultsOf(ruleSetFile({ rules }), stranger)).toEqual([]);
  });
});

it(`terms are never more than was counted (seed ${seed})`, () => {
  const random = createRandom(seed);
  let compared = 0;
  for (let round = 0; round < 400; round++) {
    const when = randomHomeCondition(random, 4);
    const { ruleSet } = checkRuleSet(withRule({ when }));
    if (!ruleSet) continue;
    const program = compileProgram(ruleSet, 'ho3', 2026, homeVocabulary);
    if (!program || !isCompiled(program)) continue;
    const counted = createTermCounter(homeVocabulary).of(ruleSet.rules[0]!.condition);
    expect(program.rules[0]!.terms.length).toBeLessThanOrEqual(counted);
    compared++;
  }
  expect(compared).toBeGreaterThan(200);
});

it('shared conditions are written out once', () => {
  const file = hostileRepeats(5, 20, { seed: 3 });
  const { ruleSet } = checkRuleSet(file);
  const counter = createTermCounter(homeVocabulary);
  const counts = ruleSet!.rules.map(({ condition }) => counter.of(condition));
  const first = createTermCounter(homeVocabulary);
  first.of(ruleSet!.rules[0]!.condition);
  // The others only add their root.
  expect(counter.written()).toBe(first.written() + 4 * counts[0]!);
});

function anyOf(list: number) {
  const facts = [
    'dwelling_a',
    'year_built',
    'hvac_age',
    'water_heater_age',
    'lapse_in_coverage',
    'no_prior',
    'acreage',
  ];
  const more = ['total_claims', 'roof_age', 'distance_to_coast_miles'];
  return [...facts, ...more].map((fact) => test(fact, 'equal', 10 + list));
}
