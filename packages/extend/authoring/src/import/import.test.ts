import { checkRuleSet } from '@leeward/engine';
import { factsOfProperty } from '@leeward/engine/compiled';
import { Engine } from 'json-rules-engine';
import { describe, expect, it } from 'vitest';
import { borderHomes } from '../../../../../test/support/engine/random-homes.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { evaluatePlainly } from '../finding/evaluate-home.ts';
import { type ImportOptions, importJsonRulesEngine } from './import-json-rules-engine.ts';

const options: ImportOptions = {
  carrierKey: 'theirs',
  carrierName: 'Theirs',
  states: ['tx'],
  policyTypes: ['ho3'],
  from: '2026-01-01',
};
const test = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
const rules = [
  {
    name: 'claims',
    conditions: { all: [test('total_claims', 'greaterThan', 2)] },
    event: { type: 'deny' },
    priority: 5,
  },
  {
    name: 'roof',
    conditions: {
      any: [
        { all: [test('roof_type', 'in', ['metal', 'tile']), test('roof_age', 'greaterThan', 30)] },
        { not: test('roof_age', 'lessThanInclusive', 45) },
      ],
    },
    event: { type: 'review', params: { code: 'roof_age', message: 'Old.' } },
  },
  { name: 'ours', conditions: { all: [test('dwelling_a', 'lessThanInclusive', 900_000)] }, event: { type: 'accept' } },
];

it('imports json-rules-engine rules that decide like the originals', async () => {
  const imported = importJsonRulesEngine(rules, options);
  expect(imported).toMatchObject({ read: 3, accepted: 3, findings: [] });
  const { ruleSet, faults } = checkRuleSet(imported.ruleSet);
  expect(faults).toEqual([]);
  const home = borderHomes([ruleSet!], '2026-11-20', Date.parse('2026-11-20T12:00:00Z'));
  const random = createRandom(3);
  const seen = new Set<string>();
  for (let index = 0; index < 300; index++) {
    const property = { ...home(random), policyType: 'ho3' };
    const facts = Object.fromEntries(factsOfProperty(property, 'ho3', property.counties![0]));
    const { events } = await new Engine(rules as never[]).run(facts);
    const fired = new Set(events.map(({ type }) => type));
    const wanted =
      fired.has('deny') || !fired.has('accept') ? 'ineligible' : fired.has('review') ? 'referral' : 'eligible';
    seen.add(wanted);
    expect(evaluatePlainly(ruleSet!, property)!.status).toBe(wanted);
  }
  expect(seen.size).toBe(3);
});

it.each([[7], ['rules'], [{ rules: 7 }], [null]])('rejects %j instead of a list of rules', (file) => {
  expect(importJsonRulesEngine(file, options)).toMatchObject({
    accepted: 0,
    findings: [{ code: 'not_rules', path: '' }],
  });
});

it('survives values that are not rules, and prototype keys', () => {
  const hostile = JSON.parse(
    '[7, null, [], {"__proto__": 1}, {"conditions": {"all": []}, "event": {"type": "__proto__"}}, {"conditions": {"all": []}, "event": {"type": "constructor"}}]',
  );
  const { accepted, findings } = importJsonRulesEngine(hostile, options);
  expect(accepted).toBe(0);
  expect(new Set(findings.map(({ path }) => path.split('/')[1])).size).toBe(6);
});

describe('the import of rules with other names', () => {
  const theirs = [
    { conditions: { all: [test('roofAge', 'greaterThan', 20)] }, event: { type: 'deny' } },
    { conditions: { all: [test('state', 'in', ['FL', 'Texas'])] }, event: { type: 'deny' } },
    { conditions: { any: [{ not: test('roof_type', 'equal', 'Metal') }] }, event: { type: 'deny' } },
    { conditions: { all: [test('county', 'equal', 'Harris County')] }, event: { type: 'deny' } },
    { conditions: { all: [test('policy_type', 'equal', 'HO-3')] }, event: { type: 'deny' } },
    {
      conditions: { all: [test('claims', 'lessThan', { fact: 'roofAge' })] },
      event: { type: 'deny' },
    },
  ];
  const facts = { roofAge: 'roof_age', claims: 'total_claims' };

  it('maps names of facts, and reads constants like requests', () => {
    const { ruleSet, findings, accepted } = importJsonRulesEngine(theirs, { ...options, facts });
    expect([findings.filter(({ severity }) => severity === 'fault'), accepted]).toEqual([[], 6]);
    const conditions = (ruleSet['rules'] as { conditions: unknown }[]).map((rule) => rule.conditions);
    expect(conditions).toEqual([
      { all: [test('roof_age', 'greaterThan', 20)] },
      { all: [test('state', 'in', ['fl', 'tx'])] },
      { any: [{ not: test('roof_type', 'equal', 'metal') }] },
      { all: [test('county', 'equal', 'Harris County, tx')] },
      { all: [test('policy_type', 'equal', 'ho3')] },
      { all: [test('total_claims', 'lessThan', { fact: 'roof_age' })] },
    ]);
    expect(checkRuleSet(ruleSet).faults).toEqual([]);
  });

  it('suggests the mapping for a fact with another spelling', () => {
    const { findings, accepted } = importJsonRulesEngine([theirs[0], theirs[5]], options);
    expect(accepted).toBe(0);
    const messages = findings.map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining('Here: --fact roofAge=roof_age.'),
      expect.stringContaining('Here: --fact claims=FACT.'),
      expect.stringContaining('Here: --fact roofAge=roof_age.'),
    ]);
  });

  it('keeps a county that is in none or several of the states', () => {
    const rule = { conditions: { all: [test('county', 'equal', 'Orange')] }, event: { type: 'deny' } };
    const imported = importJsonRulesEngine([rule], { ...options, states: ['tx', 'fl'] });
    expect(imported).toMatchObject({ accepted: 0, findings: [{ path: '/0/conditions/all/0/value' }] });
  });
});

describe('the import of rules that depend on their program', () => {
  const rule = (...all: object[]) => ({ conditions: { all }, event: { type: 'deny' } });

  it('leaves out a path into a fact, unless the path has a name here', () => {
    const account = { ...test('account', 'greaterThan', 5), path: '$.claims' };
    const other = test('roof_age', 'lessThan', { fact: 'account', path: 'roof.age' });
    const without = importJsonRulesEngine([rule(account), rule(other)], options);
    expect(without.accepted).toBe(0);
    expect(without.findings).toMatchObject([
      {
        code: 'fact_path',
        path: '/0/conditions/all/0/path',
        message: expect.stringContaining("'account$.claims=FACT'"),
      },
      { code: 'fact_path', path: '/1/conditions/all/0/value/path' },
    ]);
    const facts = { account$: 'x', 'account$.claims': 'total_claims', 'account$.roof.age': 'home_age' };
    const imported = importJsonRulesEngine([rule(account), rule(other)], { ...options, facts });
    expect(imported).toMatchObject({ accepted: 2, findings: [] });
    expect((imported.ruleSet['rules'] as { conditions: unknown }[]).map(({ conditions }) => conditions)).toEqual([
      { all: [test('total_claims', 'greaterThan', 5)] },
      { all: [test('roof_age', 'lessThan', { fact: 'home_age' })] },
    ]);
  });

  it('leaves out a path into a fact that has a name here', () => {
    const facts = { roof: 'roof_age' };
    const rules = [rule({ ...test('roof', 'greaterThan', 5), path: '$.age' })];
    expect(importJsonRulesEngine(rules, { ...options, facts })).toMatchObject({
      accepted: 0,
      findings: [{ code: 'fact_path' }],
    });
  });

  it('leaves out facts with parameters', () => {
    const rules = [
      rule({ ...test('roof_age', 'greaterThan', 5), params: { round: true } }),
      rule({ ...test('roof_age', 'greaterThan', 5), params: {} }),
    ];
    expect(importJsonRulesEngine(rules, options)).toMatchObject({
      accepted: 1,
      findings: [{ code: 'fact_params', path: '/0/conditions/all/0/params' }],
    });
  });

  it('reads the shared conditions that its rules use', () => {
    const old = { all: [test('roofAge', 'greaterThan', 30)] };
    const conditions = { old, worn: { any: [{ condition: 'old' }] }, unused: { all: [test('x', 'equal', 1)] } };
    const file = { conditions, rules: [rule({ condition: 'worn' }), rule({ condition: 'none' })] };
    const { ruleSet, accepted, findings } = importJsonRulesEngine(file, { ...options, facts: { roofAge: 'roof_age' } });
    expect(accepted).toBe(1);
    expect(findings).toMatchObject([
      {
        code: 'unknown_condition',
        path: '/rules/1/conditions/all/0/condition',
        message: expect.stringContaining('"conditions"'),
      },
    ]);
    expect(ruleSet['conditions']).toEqual({
      worn: { any: [{ condition: 'old' }] },
      old: { all: [test('roof_age', 'greaterThan', 30)] },
    });
    expect(checkRuleSet(ruleSet).faults).toEqual([]);
  });

  it('reports a fault of a shared condition once, and every rule that uses it', () => {
    const conditions = { bad: { all: [test('credit_score', 'lessThan', 600)] } };
    const file = { conditions, rules: [rule({ condition: 'bad' }), rule({ condition: 'bad' })] };
    const { accepted, findings } = importJsonRulesEngine(file, options);
    expect(accepted).toBe(0);
    expect(findings.map(({ code, path }) => [code, path])).toEqual([
      ['unknown_fact', '/conditions/bad/all/0/fact'],
      ['condition_left_out', '/rules/0/conditions'],
      ['condition_left_out', '/rules/1/conditions'],
    ]);
  });

  it('survives conditions that use each other', () => {
    const conditions = { a: { any: [{ condition: 'b' }] }, b: { any: [{ condition: 'a' }] } };
    const { accepted, findings } = importJsonRulesEngine({ conditions, rules: [rule({ condition: 'a' })] }, options);
    expect([accepted, findings[0]?.code]).toEqual([0, 'condition_cycle']);
  });

  it('notes parameters of events that have no effect', () => {
    const event = { type: 'deny', params: { message: 'Old.', points: 5, next: { fact: 'roof_age' } } };
    const { accepted, findings } = importJsonRulesEngine(
      [{ ...rule(test('roof_age', 'greaterThan', 5)), event }],
      options,
    );
    expect(accepted).toBe(1);
    expect(findings).toMatchObject([{ code: 'unused_params', path: '/0/event/params', severity: 'note' }]);
    expect(findings[0]!.message).toMatch(/^"points", "next" of the event/);
  });
});
