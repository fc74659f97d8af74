import { Engine } from 'json-rules-engine';
import { describe, expect, it } from 'vitest';
import { homeVocabulary } from '../vocabulary/home.ts';
import { checkRuleSet } from './check.ts';
import { applyOverride, checkOverride } from './override.ts';
import type { RuleSetFile } from './rule-set-file.ts';
import { toJsonRulesEngine } from './to-json-rules-engine.ts';

const always = { all: [] };

function offer(id: string, terms: unknown, more: object = {}) {
  return { id, outcome: 'offer', code: 'deductible', message: 'Accepted with terms.', when: always, terms, ...more };
}

function fileWith(...rules: readonly object[]) {
  return {
    format: 1,
    carrier: { key: 'offering', name: 'Offering' },
    version: '1',
    effective: { from: '2026-01-01' },
    rules,
    programs: [{ id: 'all', policy_types: ['ho3'], states: ['tx'] }],
  };
}

function faultsOf(terms: unknown) {
  return checkRuleSet(fileWith(offer('one', terms))).faults.map(({ path, code, message }) => ({ path, code, message }));
}

describe('terms of an offer', () => {
  it.each([
    ['an unknown term', { named_storm_deductable_percent: { min: 5 } }, 'unknown_term', /Did you mean/],
    ['a number instead of bounds', { named_storm_deductible_percent: 5 }, 'term_wrong_kind', /write \{ "min": 5 \}/],
    ['a unit in a text', { water_damage_limit: { max: '10000 dollars' } }, 'term_wrong_kind', /a number in dollars/],
    [
      'a number outside its range',
      { named_storm_deductible_percent: { min: 500 } },
      'term_out_of_range',
      /from 0 to 100/,
    ],
    ['an unknown word', { roof_settlement: 'actual cost' }, 'unknown_term_value', /use one of: replacement cost/],
    ['bounds of a term with words', { roof_settlement: { min: 1 } }, 'term_wrong_kind', /one of: replacement cost/],
    ['a flag that is false', { wind_excluded: false }, 'term_wrong_kind', /left out/],
    [
      'bounds that exclude each other',
      { coverage_c_percent: { min: 75, max: 25 } },
      'contradicting_terms',
      /no number is both/,
    ],
    ['no bounds', { coverage_c_percent: {} }, 'missing_key', /"min", "max" or both/],
    ['no terms', {}, 'missing_terms', /one or more terms/],
    ['an unknown key', { coverage_c_percent: { minimum: 5 } }, 'unknown_key', /Write "min"/],
    [
      'steps that do not go up',
      {
        named_storm_deductible_percent: {
          by: 'home_age',
          steps: [
            { below: 5, min: 1 },
            { below: 5, min: 2 },
          ],
        },
      },
      'unordered_steps',
      /must be more than 5/,
    ],
    [
      'an open step before the last',
      { named_storm_deductible_percent: { by: 'home_age', steps: [{ min: 1 }, { below: 5, min: 2 }] } },
      'unordered_steps',
      /Only the last step/,
    ],
    [
      'a table by a fact with words',
      { named_storm_deductible_percent: { by: 'roof_type', steps: [{ min: 1 }] } },
      'unknown_fact',
      /not a fact with numbers/,
    ],
    [
      'a table by an unknown fact',
      { named_storm_deductible_percent: { by: 'home_agee', steps: [{ min: 1 }] } },
      'unknown_fact',
      /Did you mean "home_age"/,
    ],
  ])('rejects %s', (_, terms, code, message) => {
    const faults = faultsOf(terms);
    expect(faults.map((fault) => fault.code)).toContain(code);
    expect(faults.find((fault) => fault.code === code)?.message).toMatch(message);
  });

  it('belong to offers only, and every offer has some', () => {
    const { faults } = checkRuleSet(
      fileWith(
        { ...offer('a', { wind_excluded: true }), outcome: 'refer' },
        { ...offer('b', undefined), terms: undefined },
      ),
    );
    expect(faults.map(({ path, code }) => [path, code])).toEqual([
      ['/rules/0/terms', 'terms_without_offer'],
      ['/rules/1', 'missing_terms'],
    ]);
  });

  it('may be custom, with one kind in a file', () => {
    const custom = { x_pool_fence: true, x_grade: ['a', 'b'], x_fee: { min: 50 } };
    expect(checkRuleSet(fileWith(offer('a', custom))).faults).toEqual([]);
    const { faults } = checkRuleSet(fileWith(offer('a', custom), offer('b', { x_fee: 'high' })));
    expect(faults).toMatchObject([{ path: '/rules/1/terms/x_fee', code: 'term_kind_conflict' }]);
  });

  it('add a referral for offers that contradict each other', () => {
    const { ruleSet } = checkRuleSet(
      fileWith(
        offer('high', { named_storm_deductible_percent: { min: 5 } }),
        offer('low', { named_storm_deductible_percent: { max: 2 }, roof_settlement: 'replacement cost' }),
        offer('roof', { roof_settlement: ['actual cash value', 'payment schedule'] }),
      ),
    );
    expect(ruleSet!.rules.filter((rule) => rule.contradicts)).toMatchObject([
      {
        id: 'high + low',
        outcome: 'refer',
        code: 'contradicting_terms',
        message: expect.stringContaining('"high" (named storm deductible: at least 5 %)'),
        contradicts: ['high', 'low'],
      },
      { id: 'low + roof', contradicts: ['low', 'roof'] },
    ]);
  });

  it('add a referral for three lists of words without a common word', () => {
    const { ruleSet } = checkRuleSet(
      fileWith(
        offer('a', { x_grade: ['1', '2'] }),
        offer('b', { x_grade: ['2', '3'] }),
        offer('c', { x_grade: ['1', '3'] }),
      ),
    );
    expect(ruleSet!.rules.filter((rule) => rule.contradicts).map(({ id }) => id)).toEqual(['a + b + c']);
  });

  it('bounds the number of contradictions', () => {
    const rules = Array.from({ length: 80 }, (_, index) =>
      offer(`rule-${index}`, { coverage_c_percent: index % 2 === 0 ? { min: 50 + index / 8 } : { max: 20 } }),
    );
    expect(checkRuleSet(fileWith(...rules)).faults).toMatchObject([{ code: 'too_many_contradictions' }]);
  });

  it('of an override contradict those of the carrier', () => {
    const { ruleSet } = checkRuleSet(fileWith(offer('carrier', { wind_hail_deductible_percent: { max: 2 } })));
    const { override, faults } = checkOverride({
      carrier_key: 'offering',
      add_rules: [offer('ours', { wind_hail_deductible_percent: { min: 3 } })],
    });
    expect(faults).toEqual([]);
    const rules = applyOverride(ruleSet!, override!).rules.map(({ id }) => id);
    expect(rules).toEqual(['carrier', 'ours', 'carrier + ours']);
  });

  it('are exported to json-rules-engine as parameters of the event', async () => {
    const { ruleSet } = checkRuleSet(
      fileWith(offer('high', { coverage_c_percent: { min: 50 } }), offer('low', { coverage_c_percent: { max: 40 } })),
    );
    const { rules, omitted } = toJsonRulesEngine(ruleSet!);
    const { events } = await new Engine([...rules]).run({ state: 'tx', policy_type: 'ho3', county: '48001' });
    expect(events.map((event) => event.params?.['terms'])).toEqual([
      { coverage_c_percent: { min: 50 } },
      { coverage_c_percent: { max: 40 } },
    ]);
    expect(omitted.contradictions).toMatchObject([{ offers: ['high', 'low'] }]);
    const again = checkRuleSet(fileWith(...rules)).ruleSet!;
    expect(again.rules.map(({ id, demands }) => [id, demands?.map(({ bound }) => bound)])).toEqual(
      ruleSet!.rules.map(({ id, demands }) => [id, demands?.map(({ bound }) => bound)]),
    );
  });

  it('are completed and checked by TypeScript', () => {
    const file = {
      format: 1,
      carrier: { key: 'typed', name: 'Typed' },
      version: '1',
      effective: { from: '2026-01-01' },
      rules: [
        {
          id: 'wind',
          outcome: 'offer',
          code: 'deductible',
          message: 'Wind deductible.',
          when: { all: [{ fact: 'home_age', operator: 'greaterThan', value: 20 }] },
          terms: {
            named_storm_deductible_percent: {
              by: 'distance_to_tidal_water_miles',
              steps: [{ below: 1, min: 5 }, { below: 5, min: 3 }, { min: 2 }],
            },
            roof_settlement: 'actual cash value',
            wind_excluded: true,
            x_grade: ['a'],
          },
        },
        {
          id: 'wrong',
          outcome: 'offer',
          code: 'deductible',
          message: 'Wrong.',
          when: { all: [] },
          // @ts-expect-error: a number is written with min or max.
          terms: { named_storm_deductible_percent: 5 },
        },
      ],
      programs: [{ id: 'all', policy_types: ['ho3'], states: ['tx'] }],
    } satisfies RuleSetFile;
    expect(checkRuleSet(file).faults.map(({ path }) => path)).toEqual([
      '/rules/1/terms/named_storm_deductible_percent',
    ]);
  });

  it('have registered names, labels and kinds', () => {
    const names = homeVocabulary.terms!.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('named_storm_deductible_percent');
  });
});
