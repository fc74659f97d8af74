import { type Property, parseRequest, type RuleSet } from '@leeward/engine';
import { createReferenceEvaluator, evaluateByEngine } from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { createCarriers, toRuleSets } from '../../../../../benchmarks/engine/carriers.ts';
import { checked, fixtureFiles } from '../../../../../test/support/engine/fixture-carriers.ts';
import { borderHomes } from '../../../../../test/support/engine/random-homes.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { readAskedAt } from '../finding/asked-at.ts';
import { evaluatePlainly } from '../finding/evaluate-home.ts';
import type { Finding } from '../finding/finding.ts';
import { type Analysis, analyseRuleSet } from './analyse.ts';

const at = readAskedAt('2026-11-20')!;
const reference = createReferenceEvaluator({ operators: {}, facts: {} });

function propertyOf(example: Readonly<Record<string, unknown>>, analysis: Analysis): Property {
  const dates = { as_of: analysis.at.asOf, effective_date: analysis.at.effectiveDate };
  const parsed = parseRequest({ ...example, ...dates }, { now: new Date(0) });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

/** True if json-rules-engine confirms the finding for its example. */
async function isTrueOfExample(finding: Finding, ruleSet: RuleSet, analysis: Analysis): Promise<boolean> {
  const property = propertyOf(finding.example!, analysis);
  const found = await evaluateByEngine(ruleSet, property.policyType!, property, reference);
  const holding = new Set(found?.rules.filter(({ truth }) => truth === 'true').map(({ rule }) => rule.id));
  const others = finding.otherRuleIds ?? [];
  switch (finding.code) {
    case 'rule_covered_by_one':
    case 'rule_covered_by_several':
      return holding.has(finding.ruleId!) && others.some((id) => holding.has(id));
    case 'outcomes_overlap':
      return holding.has(finding.ruleId!) && others.every((id) => holding.has(id));
    case 'declines_everybody':
    case 'refers_everybody':
      return [finding.ruleId!, ...others].some((id) => holding.has(id));
    case 'value_between_limits':
      return ![finding.ruleId!, ...others].some((id) => holding.has(id));
    case 'gap_rules':
      return found !== undefined && holding.size === 0 && found.territory === 'false';
    case 'gap_territory':
      return found?.territory === 'true';
    case 'moratorium_over':
    case 'unusual_limit':
    case 'message_names_another_limit':
      return found !== undefined;
    default:
      return false;
  }
}

const codesWithExample = [
  'declines_everybody',
  'refers_everybody',
  'rule_covered_by_one',
  'rule_covered_by_several',
  'outcomes_overlap',
  'gap_rules',
  'gap_territory',
];

async function evaluateAll(ruleSets: readonly RuleSet[], allOverlaps = false) {
  const counts: Record<string, number> = {};
  let examples = 0;
  const wrong: string[] = [];
  const analyses = ruleSets.map((ruleSet) => analyseRuleSet(ruleSet, { at, allOverlaps }));
  for (const [index, analysis] of analyses.entries()) {
    for (const finding of analysis.findings) {
      counts[finding.code] = (counts[finding.code] ?? 0) + 1;
      if (!finding.example) {
        if (codesWithExample.includes(finding.code)) wrong.push(`no example: ${finding.message}`);
        continue;
      }
      examples++;
      if (!(await isTrueOfExample(finding, ruleSets[index]!, analysis))) wrong.push(finding.message);
    }
  }
  return { analyses, counts, examples, wrong };
}

/** Random homes for which a rule that never holds does hold, or a covered rule holds alone. */
function contradictions(ruleSet: RuleSet, analysis: Analysis, homes: number, seed: number): string[] {
  const random = createRandom(seed);
  const home = borderHomes([ruleSet], analysis.at.effectiveDate, analysis.at.asOfMs);
  const claims = analysis.findings.filter(({ code }) => code === 'rule_never_holds' || code.startsWith('rule_covered'));
  const wrong: string[] = [];
  if (claims.length === 0) return wrong;
  for (let index = 0; index < homes; index++) {
    const evaluation = evaluatePlainly(ruleSet, home(random));
    if (!evaluation) throw new Error('a complete home is always evaluation');
    const holding = new Set([...evaluation.holding].map(({ id }) => id));
    for (const { code, ruleId, otherRuleIds } of claims) {
      if (!holding.has(ruleId!)) continue;
      if (code === 'rule_never_holds' || !otherRuleIds!.some((id) => holding.has(id))) wrong.push(`${code} ${ruleId}`);
    }
  }
  return wrong;
}

describe('the analysis of the invented carriers', () => {
  it('has an example for each finding, and json-rules-engine confirms every one', async () => {
    const ruleSets = fixtureFiles().map(({ file }) => checked(file));
    const { analyses, examples, wrong, counts } = await evaluateAll(ruleSets);
    expect(wrong).toEqual([]);
    expect(examples).toBeGreaterThan(200);
    expect(counts['ran_out']).toBeUndefined();
    for (const [index, analysis] of analyses.entries()) {
      expect(contradictions(ruleSets[index]!, analysis, testVolume(90), 7 + index)).toEqual([]);
    }
  });
});

describe('the analysis of generated programs', () => {
  it('has no finding that json-rules-engine or a random home contradicts', async () => {
    const carriers = toRuleSets(createCarriers(20261120, testVolume(2))).map(checked);
    const { analyses, counts, examples, wrong } = await evaluateAll(carriers);
    expect(wrong).toEqual([]);
    expect(examples).toBeGreaterThan(100);
    expect(counts['rule_covered_by_one']).toBeGreaterThan(0);
    const homes = testVolume(500) / carriers.length;
    for (const [index, analysis] of analyses.entries()) {
      expect(contradictions(carriers[index]!, analysis, homes, 99 + index)).toEqual([]);
    }
    if (process.env['LEEWARD_TEST_VOLUME']) console.info({ carriers: carriers.length, counts, examples });
  });
});

describe('planted faults', () => {
  const all = (...tests: unknown[]) => ({ all: tests });
  const findingsOf = (overrides: Record<string, unknown>, options: { boxes?: number; allOverlaps?: boolean } = {}) => {
    return analyseRuleSet(checked(ruleSetFile(overrides)), { at, ...options }).findings;
  };
  const rule = (id: string, when: unknown, more: object = {}) => ruleFile({ id, when, message: 'No.', ...more });
  const of = (findings: readonly Finding[], code: string) => findings.filter((finding) => finding.code === code);

  it.each([
    ['tests that exclude each other', all(test('roof_age', 'greaterThan', 20), test('roof_age', 'lessThan', 10))],
    ['an age below zero', all(test('home_age', 'lessThan', 0))],
    ['two words at once', all(test('usage', 'equal', 'rental'), test('usage', 'equal', 'vacant'))],
    ['ages and years of one house', all(test('home_age', 'greaterThan', 30), test('year_built', 'greaterThan', 2000))],
    [
      'miles and feet of one distance',
      all(test('distance_to_coast_miles', 'greaterThan', 2), test('distance_to_coast_feet', 'lessThan', 9000)),
    ],
    ['a state not written', all(test('state', 'equal', 'fl'))],
    ['a policy type not written', all(test('policy_type', 'equal', 'dp3'))],
    ['nothing between whole numbers', all(test('total_claims', 'greaterThan', 2), test('total_claims', 'lessThan', 3))],
  ])('a rule that never holds: %s', (_, when) => {
    expect(of(findingsOf({ rules: [rule('dead', when)] }), 'rule_never_holds')).toMatchObject([
      { ruleId: 'dead', path: '/rules/0' },
    ]);
  });

  it('a rule covered by one, by a worse one, and by an equal one before it', () => {
    const findings = findingsOf({
      rules: [
        rule('wide', all(test('total_claims', 'greaterThan', 2))),
        rule('narrow', all(test('total_claims', 'greaterThan', 4), test('usage', 'equal', 'rental'))),
        rule('milder', all(test('total_claims', 'equal', 7)), { outcome: 'refer' }),
        rule('same', all(test('total_claims', 'greaterThanInclusive', 3))),
      ],
    });
    expect(of(findings, 'rule_covered_by_one').map(({ ruleId, otherRuleIds }) => [ruleId, otherRuleIds])).toEqual([
      ['narrow', ['wide']],
      ['milder', ['wide']],
      ['same', ['wide']],
    ]);
  });

  it('a rule covered by several together, and by nothing less', () => {
    const findings = findingsOf({
      rules: [
        rule('low', all(test('dwelling_a', 'lessThan', 200_000))),
        rule('high', all(test('dwelling_a', 'greaterThanInclusive', 200_000), test('usage', 'notEqual', 'primary'))),
        rule('other', all(test('total_claims', 'greaterThan', 9))),
        rule('both', all(test('usage', 'in', ['rental', 'vacant']))),
      ],
    });
    expect(of(findings, 'rule_covered_by_several')).toMatchObject([{ ruleId: 'both', otherRuleIds: ['low', 'high'] }]);
    const example = of(findings, 'rule_covered_by_several')[0]!.example!;
    expect(['rental', 'vacant']).toContain(example['usage']);
  });

  it('a gap between bands that should meet', () => {
    const findings = findingsOf({
      rules: [
        rule('low', all(test('dwelling_a', 'lessThan', 100_000))),
        rule('high', all(test('dwelling_a', 'greaterThan', 100_000)), { outcome: 'refer' }),
      ],
    });
    const gap = of(findings, 'gap_rules')[0]!;
    expect(gap.message).toContain('dwelling coverage A $100,000');
    expect(gap.example).toMatchObject({ dwelling_a: 100_000 });
    const closed = findingsOf({
      rules: [
        rule('low', all(test('dwelling_a', 'lessThan', 100_000))),
        rule('high', all(test('dwelling_a', 'greaterThanInclusive', 100_000)), { outcome: 'refer' }),
      ],
    });
    expect(of(closed, 'gap_rules')).toEqual([]);
  });

  it('a county that two programs leave out between them, and types that none offers', () => {
    const program = (id: string, include: string[]) => ({
      id,
      policy_types: ['ho3'],
      states: ['de'],
      counties: { de: { include } },
    });
    const findings = findingsOf({
      rules: [],
      programs: [program('north', ['new castle']), program('south', ['sussex'])],
    });
    expect(of(findings, 'gap_territory')).toMatchObject([{ example: { state: 'de', county: 'kent' } }]);
    expect(of(findings, 'gap_policy_type')).toMatchObject([
      { policyTypes: ['ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'] },
    ]);
  });

  describe('a program that declines every home', () => {
    const limit = (from: number, to: number) =>
      all(test('dwelling_a', 'greaterThanInclusive', from), test('dwelling_a', 'lessThanInclusive', to));
    const unless = (id: string, condition: unknown, overrides = {}) => {
      const { when: _, ...kept } = rule(id, all(), overrides);
      return { ...kept, unless: condition };
    };

    it('for swapped limits', () => {
      const swapped = findingsOf({ rules: [unless('coverage-a', limit(500_000, 100_000))] });
      const [found, ...others] = of(swapped, 'declines_everybody');
      expect(others).toEqual([]);
      expect(found).toMatchObject({ ruleId: 'coverage-a', path: '/rules/0', policyTypes: ['ho3', 'ho5'] });
      expect(found!.message).toContain('swapped');
      expect(found!.example).toMatchObject({ state: 'tx', dwelling_a: expect.any(Number) });
      expect(of(findingsOf({ rules: [unless('coverage-a', limit(100_000, 500_000))] }), 'declines_everybody')).toEqual(
        [],
      );
    });

    it('for limits of several rules together, with a smallest set of them', () => {
      const rules = [
        rule('claims', all(test('total_claims', 'greaterThan', 2)), { outcome: 'decline' }),
        rule('low', all(test('dwelling_a', 'lessThan', 500_000)), { outcome: 'decline' }),
        rule('high', all(test('dwelling_a', 'greaterThan', 100_000)), { outcome: 'decline' }),
      ];
      expect(of(findingsOf({ rules }), 'declines_everybody')).toMatchObject([
        { ruleId: 'low', otherRuleIds: ['high'], path: '/programs/0' },
      ]);
    });

    it('for one that is closed on purpose, which the message mentions', () => {
      const rules = [rule('closed', all(), { outcome: 'decline' })];
      const [found] = of(findingsOf({ rules }), 'declines_everybody');
      expect(found!.message).toContain('has no test');
      expect(found!.message).not.toContain('swapped');
    });

    it('for one that refers all homes that it does not decline', () => {
      const rules = [
        rule('old', all(test('roof_age', 'greaterThan', 20)), { outcome: 'decline' }),
        unless('coverage-a', limit(500_000, 100_000), { outcome: 'refer' }),
      ];
      const findings = findingsOf({ rules });
      expect(of(findings, 'refers_everybody')).toMatchObject([{ ruleId: 'coverage-a' }]);
      expect(of(findings, 'declines_everybody')).toEqual([]);
    });

    it('only for the program and policy type that decline every home', () => {
      const findings = findingsOf({
        rules: [],
        programs: [
          { id: 'open', policy_types: ['ho3'], states: ['tx'], rules: [] },
          { id: 'shut', policy_types: ['dp3'], states: ['tx'], rules: [unless('swapped', limit(9, 8))] },
          { id: 'shut-too', policy_types: ['ho3'], states: ['la'], rules: [unless('swapped-too', limit(9, 8))] },
        ],
      });
      expect(of(findings, 'declines_everybody')).toMatchObject([
        { ruleId: 'swapped', policyTypes: ['dp3'], example: { state: 'tx' } },
        { ruleId: 'swapped-too', policyTypes: ['ho3'], example: { state: 'la' } },
      ]);
    });
  });

  it('two outcomes for the same homes; without a common field only on request', () => {
    const rules = [
      rule('old', all(test('roof_age', 'greaterThan', 20)), { outcome: 'decline' }),
      rule('older', all(test('roof_age', 'greaterThan', 15), test('roof_type', 'equal', 'metal')), {
        outcome: 'refer',
      }),
      rule('claims', all(test('total_claims', 'greaterThan', 1)), { outcome: 'refer' }),
    ];
    const found = of(findingsOf({ rules }), 'outcomes_overlap');
    expect(found).toMatchObject([{ ruleId: 'older', otherRuleIds: ['old'], example: { roof_type: 'metal' } }]);
    expect(found[0]!.example!['roof_age']).toBeGreaterThan(20);
    expect(of(findingsOf({ rules }, { allOverlaps: true }), 'outcomes_overlap')).toHaveLength(2);
  });

  it('values outside a domain, tests that always or never hold, facts against facts', () => {
    const findings = findingsOf({
      rules: [
        rule('far', all(test('protection_class', 'greaterThan', 12))),
        rule('always', all(test('total_claims', 'greaterThanInclusive', 0), test('acreage', 'greaterThan', 3))),
        rule('never', { any: [test('roof_age', 'lessThan', 0), test('acreage', 'greaterThan', 7)] }),
        rule('heater', all(test('water_heater_age', 'greaterThan', { fact: 'home_age' }))),
      ],
    });
    expect(of(findings, 'value_out_of_domain')).toMatchObject([{ path: '/rules/0/when/all/0/value' }]);
    expect(of(findings, 'test_always_holds')).toMatchObject([{ path: '/rules/1/when/all/0', ruleId: 'always' }]);
    expect(of(findings, 'test_never_holds')).toMatchObject([{ path: '/rules/2/when/any/0', ruleId: 'never' }]);
    expect(of(findings, 'opaque_test')).toMatchObject([{ path: '/rules/3/when/all/0', ruleId: 'heater' }]);
  });

  it('a condition of events or losses that no item can meet', () => {
    const count = (list: string, ...tests: unknown[]) => {
      return all({ count: list, where: all(...tests), operator: 'greaterThan', value: 0 });
    };
    const near = test('miles_from_home', 'lessThan', 100);
    const storm = test('kind', 'equal', 'hurricane');
    const unmet = {
      'two kinds': count('events', storm, test('kind', 'equal', 'tornado')),
      'a box without ground': count('events', test('latitude', 'greaterThan', 30), test('latitude', 'lessThan', 20)),
      'near and far': count('events', storm, near, test('miles_from_home', 'greaterThanInclusive', 100)),
      'a number below zero': count('events', test('hours_since_start', 'lessThan', 0)),
      'excluded by each alternative': count('events', near, {
        any: [test('miles_from_home', 'greaterThan', 200), all(storm, { not: storm })],
      }),
      'ages of losses': count('losses', test('age_years', 'greaterThan', 5), test('age_years', 'lessThan', 3)),
    };
    const met = [
      count('events', storm, near, test('hours_since_end', 'lessThan', 72)),
      count('events', test('ongoing', 'equal', false), test('hours_since_end', 'greaterThan', 5)),
      count('events', test('kind', 'equal', 'x_riot'), { any: [near, test('miles_from_home', 'greaterThan', 200)] }),
      count('losses', test('age_years', 'greaterThan', 5), test('age_years', 'lessThan', 7)),
    ];
    const moratoria = Object.entries(unmet).map(([id, when]) => ({ id, states: ['tx'], when, message: 'Stopped.' }));
    const rules = met.map((when, index) => rule(`met-${index}`, when));
    expect(of(findingsOf({ rules, moratoria }), 'items_never_match').map(({ ruleId, path }) => [ruleId, path])).toEqual(
      Object.keys(unmet).map((id, index) => [id, `/moratoria/${index}/when/all/0`]),
    );
  });

  it('an example if one fact is tested against another', () => {
    const findings = findingsOf({
      rules: [
        rule('heater', all(test('water_heater_age', 'greaterThan', { fact: 'home_age' })), { outcome: 'refer' }),
        rule(
          'again',
          all(test('water_heater_age', 'greaterThan', { fact: 'home_age' }), test('usage', 'equal', 'vacant')),
        ),
      ],
    });
    const [overlap] = of(findings, 'outcomes_overlap');
    expect(overlap?.example).toMatchObject({ usage: 'vacant' });
  });

  it('reports searches that ran out', () => {
    const findings = findingsOf(
      { rules: [rule('a', all(test('acreage', 'greaterThan', 3))), rule('b', all(test('acreage', 'greaterThan', 5)))] },
      { boxes: 1 },
    );
    expect(of(findings, 'rule_covered_by_one')).toEqual([]);
    expect(of(findings, 'ran_out').length).toBeGreaterThan(0);
  });

  it('reports policy types that it cannot analyse, with the reason', () => {
    // Ten pairs, each of which can fail in several ways: 1,024 terms and more.
    const pair = (index: number) => ({
      any: [
        test('dwelling_a', 'equal', 100_000 + index),
        test('total_claims', 'equal', index),
        test('acreage', 'equal', index),
      ],
    });
    const many = {
      all: Array.from({ length: 12 }, (_, index) => ({
        any: [{ all: [test('hvac_age', 'equal', index), test('no_prior', 'equal', index)] }, pair(index)],
      })),
    };
    const findings = findingsOf({ rules: [rule('many', { not: many }), rule('x', many)] });
    expect(of(findings, 'not_analysed').length + of(findings, 'rule_never_holds').length).toBeGreaterThan(0);
    expect(findings.every(({ message }) => message.length > 0)).toBe(true);
  });

  it('depends on the date: a rule that never holds this year may hold in another', () => {
    const overrides = {
      rules: [rule('future', all(test('year_built', 'greaterThan', 2030)))],
      effective: { from: '2026-01-01', until: null },
    };
    const on = (date: string) =>
      of(analyseRuleSet(checked(ruleSetFile(overrides)), { at: readAskedAt(date)! }).findings, 'rule_never_holds');
    expect(on('2026-06-01')).toHaveLength(1);
    expect(on('2031-06-01')).toHaveLength(0);
    expect(on('2020-06-01')).toHaveLength(1);
  });
});
