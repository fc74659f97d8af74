import { Engine } from 'json-rules-engine';
import { describe, expect, it } from 'vitest';
import { randomHomeCondition } from '../../../../../test/support/engine/random-home-rules.ts';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { factsOfProperty } from '../condition/facts.ts';
import { treeTruth } from '../condition/tree-truth.ts';
import type { Property } from '../request/property.ts';
import { completeHome, propertyOf } from '../testing/complete-homes.ts';
import { checkRuleSet } from './check.ts';
import { coversCounty } from './places.ts';
import type { RuleSet } from './rule-set.ts';
import { type JsonRulesEngineRule, toJsonRulesEngine } from './to-json-rules-engine.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
type Random = () => number;
type Json = Record<string, unknown>;

function ruleSetOf(file: Json): RuleSet {
  const { ruleSet, faults } = checkRuleSet(file);
  if (!ruleSet) throw new Error(JSON.stringify(faults, null, 1));
  return ruleSet;
}

function factsOf(property: Property): Map<string, unknown> {
  return factsOfProperty(property, property.policyType!, property.counties?.[0]);
}

function engineWith(rules: readonly JsonRulesEngineRule[]): Engine {
  const engine = new Engine();
  for (const rule of rules) engine.addRule({ ...rule });
  return engine;
}

async function fired(engine: Engine, property: Property): Promise<string[]> {
  const { results } = await engine.run(Object.fromEntries(factsOf(property)));
  return results.map((result) => result.name).sort();
}

/** Rules of the program of the home, and top rules. */
function holding(ruleSet: RuleSet, property: Property): string[] {
  const facts = factsOf(property);
  const program = ruleSet.programs.find(
    (each) =>
      each.policyTypes.includes(property.policyType!) &&
      coversCounty(each.places, property.state, property.counties![0]!),
  );
  return program
    ? [...ruleSet.rules, ...program.rules]
        .filter((rule) => treeTruth(rule.condition, facts) === 'true')
        .map((rule) => rule.id)
        .sort()
    : [];
}

function randomRules(random: Random, name: string): Json[] {
  return Array.from({ length: wholeNumber(random, 1, 5) }, (_, index) => ({
    id: `${name} ${index}`,
    outcome: pick(random, ['decline', 'refer', 'require', 'inform']),
    code: 'x_test',
    message: 'Roof: {roof_age}.',
    [pick(random, ['when', 'when', 'unless'])]: randomHomeCondition(random, 2, ['old', 'poor']),
    ...(random() < 0.3 ? { priority: pick(random, [0, -3, 0.5, 2, 10]) } : {}),
  }));
}

function randomFile(random: Random): Json {
  const programs: Json[] = [
    {
      id: 'texas',
      policy_types: ['ho3', 'ho5'],
      states: ['tx'],
      counties: { tx: { exclude: ['galveston', 'chambers'] } },
    },
    {
      id: 'gulf',
      policy_types: ['ho3'],
      states: ['tx', 'fl', 'la'],
      counties: { tx: { include: ['galveston'] }, la: { exclude: [] } },
    },
    {
      id: 'elsewhere',
      policy_types: ['dp1', 'dp3'],
      states: ['tx', 'fl', 'md'],
      counties: { md: { include: ['baltimore'] } },
    },
    { id: 'wind', policy_types: ['wind only'], states: ['tx', 'fl'] },
  ].filter(() => random() < 0.7);
  if (programs.length === 0) programs.push({ id: 'all', policy_types: ['x-wind'], states: ['tx'] });
  return {
    format: 1,
    carrier: { key: 'test', name: 'Test' },
    version: '1',
    effective: { from: '2026-01-01' },
    conditions: { old: randomHomeCondition(random, 1), poor: { not: { condition: 'old' } } },
    rules: randomRules(random, 'top'),
    programs: programs.map((program) => ({ ...program, rules: randomRules(random, program['id'] as string) })),
  };
}

const places = [
  ['tx', 'harris'],
  ['tx', 'galveston'],
  ['tx', 'chambers'],
  ['fl', 'miami-dade'],
  ['md', 'baltimore city'],
  ['md', 'baltimore county'],
  ['la', 'orleans'],
] as const;

describe('a rule set as json-rules-engine’s rules', () => {
  it(`fires there exactly where it holds here, on complete homes anywhere (seed ${seed})`, async () => {
    const files = testVolume(20);
    const random = createRandom(seed);
    let firings = 0;
    let silent = 0;
    for (let file = 0; file < files; file++) {
      const ruleSet = ruleSetOf(randomFile(random));
      const { rules } = toJsonRulesEngine(ruleSet);
      expect(rules).toHaveLength(
        ruleSet.rules.length + ruleSet.programs.reduce((sum, each) => sum + each.rules.length, 0),
      );
      const engine = engineWith(JSON.parse(JSON.stringify(rules)));
      for (let home = 0; home < 12; home++) {
        const body = completeHome(random, places);
        const property = propertyOf(body);
        const expected = holding(ruleSet, property);
        const theirs = await fired(engine, property);
        if (JSON.stringify(theirs) !== JSON.stringify(expected))
          expect({ body, rules, fired: theirs }).toEqual({ body, rules, fired: expected });
        firings += expected.length;
        if (expected.length === 0) silent++;
      }
    }
    expect(firings).toBeGreaterThan(8 * files);
    expect(silent).toBeGreaterThan(1.6 * files);
  });

  it('comes back unchanged in meaning when it is loaded again', () => {
    const random = createRandom(seed + 1);
    for (let file = 0; file < testVolume(20); file++) {
      const source = randomFile(random);
      const ruleSet = ruleSetOf(source);
      const everywhere = {
        id: 'everywhere',
        policy_types: ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'],
        states: ['tx', 'fl', 'md', 'la'],
      };
      const again = ruleSetOf({
        ...source,
        conditions: {},
        rules: JSON.parse(JSON.stringify(toJsonRulesEngine(ruleSet).rules)),
        programs: [everywhere],
      });
      const ids = (rules: RuleSet['rules']) =>
        [...rules]
          .sort((a, b) => b.priority - a.priority)
          .map((rule) => `${rule.id} ${rule.outcome} ${rule.code} ${rule.message}`);
      expect(ids(again.rules)).toEqual(
        ids([...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)]),
      );
      for (let home = 0; home < 10; home++) {
        const property = propertyOf(completeHome(random, places));
        if (!everywhere.states.includes(property.state)) continue;
        expect(holding(again, property)).toEqual(holding(ruleSet, property));
      }
    }
  });

  const file = {
    format: 1,
    carrier: { key: 'test', name: 'Test' },
    version: '1',
    effective: { from: '2026-01-01', until: '2027-01-01' },
    conditions: { old: { all: [{ fact: 'home_age', operator: 'greaterThan', value: 50 }] } },
    rules: [
      {
        id: 'old',
        outcome: 'refer',
        code: 'home_age',
        message: 'Old: {home_age}.',
        when: { condition: 'old' },
        priority: 7,
      },
    ],
    programs: [
      {
        id: 'texas',
        policy_types: ['ho3', 'ho5'],
        states: ['tx', 'la'],
        counties: { tx: { exclude: ['galveston', 'chambers'] } },
        rules: [
          {
            id: 'shore',
            outcome: 'decline',
            code: 'distance_to_coast',
            message: 'Too near.',
            unless: {
              all: [
                { fact: 'distance_to_coast_miles', operator: 'greaterThan', value: 2.5, $comment: 'a note' },
                { fact: 'distance_to_ocean_feet', operator: 'greaterThan', value: { fact: 'distance_to_coast_feet' } },
                { fact: 'county', operator: 'notEqual', value: 'harris, tx' },
              ],
            },
          },
        ],
      },
    ],
    moratoria: [
      { id: 'storm', from: '2026-09-24T17:00:00-05:00', until: null, states: ['tx'], message: 'Storm in {state}.' },
    ],
  };

  it('has places in `all`, `unless` under `not`, limits as written, counties by FIPS, and dates omitted', () => {
    const texas = [
      { fact: 'policy_type', operator: 'in', value: ['ho3', 'ho5'] },
      {
        any: [
          { fact: 'state', operator: 'in', value: ['la'] },
          {
            all: [
              { fact: 'state', operator: 'equal', value: 'tx' },
              { fact: 'county', operator: 'notIn', value: ['48071', '48167'] },
            ],
          },
        ],
      },
    ];
    expect(toJsonRulesEngine(ruleSetOf(file))).toEqual({
      rules: [
        {
          name: 'old',
          conditions: { all: [...texas, { fact: 'home_age', operator: 'greaterThan', value: 50 }] },
          event: { type: 'refer', params: { code: 'home_age', message: 'Old: {home_age}.' } },
          priority: 7,
        },
        {
          name: 'shore',
          conditions: {
            all: [
              ...texas,
              {
                not: {
                  all: [
                    { fact: 'distance_to_coast_miles', operator: 'greaterThan', value: 2.5 },
                    {
                      fact: 'distance_to_ocean_feet',
                      operator: 'greaterThan',
                      value: { fact: 'distance_to_coast_feet' },
                    },
                    { fact: 'county', operator: 'notEqual', value: '48201' },
                  ],
                },
              },
            ],
          },
          event: { type: 'decline', params: { code: 'distance_to_coast', message: 'Too near.' } },
        },
      ],
      omitted: { effective: { from: '2026-01-01', until: '2027-01-01' }, moratoria: file.moratoria },
    });
  });

  it('shares nothing with the rule set it comes from', () => {
    const ruleSet = ruleSetOf(structuredClone(file));
    const before = JSON.stringify(ruleSet.file);
    const { rules } = toJsonRulesEngine(ruleSet);
    for (const rule of rules) {
      const { all } = rule.conditions as { all: { value?: unknown[] }[] };
      all[0]!.value!.push('spoilt');
    }
    expect(JSON.stringify(ruleSet.file)).toBe(before);
    expect(JSON.stringify(toJsonRulesEngine(ruleSet))).not.toContain('spoilt');
  });

  it('has priorities that json-rules-engine accepts, in the same order', async () => {
    const priorities = [-2, 0, 0.5, 1, 3];
    const rules = priorities.map((priority) => ({
      id: `p${priority}`,
      outcome: 'decline',
      code: 'claims',
      message: 'm',
      when: { all: [] },
      priority,
    }));
    const exported = toJsonRulesEngine(ruleSetOf({ ...file, rules })).rules.slice(0, priorities.length);
    // By rank; 1 is the default of json-rules-engine.
    expect(exported.map((rule) => rule.priority)).toEqual([undefined, 2, 3, 4, 5]);
    expect(
      await fired(
        engineWith(exported),
        propertyOf({ ...completeHome(createRandom(1)), state: 'la', county: 'orleans', policy_type: 'ho3' }),
      ),
    ).toHaveLength(5);
  });
});
