import { readdirSync, readFileSync } from 'node:fs';
import { checkRuleSet, homeVocabulary, type Property, type RuleSet } from '@leeward/engine';
import { expect, it } from 'vitest';
import { randomHomeCondition } from '../../../../../test/support/engine/random-home-rules.ts';
import { borderHomes } from '../../../../../test/support/engine/random-homes.ts';
import { createRandom, pick } from '../../../../../test/support/random.ts';
import { toDmn } from '../dmn/to-dmn.ts';
import { evaluatePlainly } from '../finding/evaluate-home.ts';
import { importDmn } from './import-dmn.ts';

const folder = new URL('../../../../../fixtures/carriers/', import.meta.url);
const options = {
  carrierKey: 'again',
  carrierName: 'Again',
  states: ['tx'],
  policyTypes: ['ho3'],
  from: '2020-01-01',
};
type Json = Record<string, unknown>;

function ruleSetOf(file: object): RuleSet {
  const { ruleSet, faults } = checkRuleSet(file);
  if (!ruleSet) throw new Error(JSON.stringify(faults.slice(0, 3)));
  return ruleSet;
}

/** The status, and the rules that hold without those that the tables lack. */
function answerOf(ruleSet: RuleSet, property: Property, omitted: ReadonlySet<string>) {
  const answer = evaluatePlainly(ruleSet, property);
  const held = [...(answer?.holding ?? [])].filter(({ id, outcome }) => outcome !== 'offer' && !omitted.has(id));
  const rules = held.map(({ id, outcome, code, message }) => [id, outcome, code, message].join());
  return { status: answer?.status, rules: rules.sort() };
}

it('restores the rules and programs of the fixture carriers, with the same answers', () => {
  const statuses = new Set<string | undefined>();
  let tiered = 0;
  for (const carrier of readdirSync(folder)) {
    const file: Json = JSON.parse(readFileSync(new URL(`${carrier}/rule-set.json`, folder), 'utf8'));
    // Moratoria depend on the time of the question, and are not in the tables.
    const before = ruleSetOf({ ...file, moratoria: [] });
    const { xml, omitted } = toDmn(before, homeVocabulary);
    const { ruleSet, findings, read, accepted } = importDmn(xml, options);
    const faults = findings.filter(({ severity }) => severity === 'fault').map(({ code }) => code);
    if (omitted.tiers.length > 0) {
      tiered++;
      expect([carrier, faults]).toEqual([carrier, ['programs_left_out']]);
      continue;
    }
    expect([carrier, faults]).toEqual([carrier, omitted.terms.length > 0 ? ['terms_left_out'] : []]);
    expect(read - accepted).toBe(omitted.terms.length);
    const after = ruleSetOf(ruleSet);
    const home = borderHomes([before], '2026-11-20', Date.parse('2026-11-20T12:00:00Z'));
    const random = createRandom(5);
    for (let index = 0; index < 40; index++) {
      const policyTypes = before.programs.flatMap((program) => program.policyTypes);
      const property = { ...home(random), policyType: pick(random, policyTypes) };
      const expected = answerOf(before, property, new Set());
      statuses.add(expected.status);
      expect([carrier, answerOf(after, property, new Set())]).toEqual([carrier, expected]);
    }
  }
  expect([...statuses].sort()).toEqual(['eligible', 'ineligible', 'not_offered', 'referral']);
  expect(tiered).toBeLessThan(5);
});

it('restores random rules', () => {
  const random = createRandom(11);
  let held = 0;
  for (let count = 0; count < 25; count++) {
    const rules = Array.from({ length: 6 }, (_, index) => ({
      id: `rule ${index}`,
      outcome: pick(random, ['decline', 'refer', 'require']),
      code: 'x_rule',
      message: `Rule "${index}" & more: {state}.`,
      when: { all: [randomHomeCondition(random, 2, [])] },
    }));
    const before = ruleSetOf({
      format: 1,
      carrier: { key: 'bayou', name: 'Bayou' },
      version: '1',
      effective: { from: '2026-01-01' },
      rules,
      programs: [{ id: 'all', policy_types: ['ho3', 'ho5', 'dp3'], states: ['tx', 'la'] }],
    });
    const { xml, omitted } = toDmn(before, homeVocabulary);
    const { ruleSet, findings } = importDmn(xml, options);
    expect(findings.filter(({ severity }) => severity === 'fault')).toEqual([]);
    const missing = new Set(omitted.rules.map(({ id }) => id));
    const after = ruleSetOf(ruleSet);
    const home = borderHomes([before], '2026-11-20', Date.parse('2026-11-20T12:00:00Z'));
    for (let index = 0; index < 30; index++) {
      const property = { ...home(random), policyType: 'ho3' };
      const [expected, answer] = [answerOf(before, property, missing), answerOf(after, property, missing)];
      expect(answer.rules).toEqual(expected.rules);
      if (missing.size === 0) expect(answer.status).toBe(expected.status);
      held += expected.rules.length;
    }
  }
  expect(held).toBeGreaterThan(100);
});

it('restores counts, sums and comparisons as they were written', () => {
  const test = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
  const water = { all: [test('kind', 'equal', 'water'), test('age_years', 'lessThan', 3)] };
  const conditions = [
    { count: 'losses', where: water, operator: 'greaterThanInclusive', value: 2 },
    { sum: 'losses', of: 'amount', operator: 'greaterThan', value: 15_000 },
    {
      max: 'losses',
      of: 'amount',
      where: { any: [test('kind', 'in', ['water', 'fire']), { not: test('status', 'equal', 'open') }] },
      operator: 'lessThan',
      value: 9,
    },
    test('dwelling_a', 'lessThan', { multiply: [150, { fact: 'square_feet' }] }),
    test('dwelling_a', 'greaterThan', { percent_of: [80, { add: [{ fact: 'dwelling_a' }, 5] }] }),
    test('roof_age', 'greaterThan', { fact: 'home_age' }),
    test('dogs', 'contains', 'akita'),
    { min: [{ fact: 'roof_age' }, { subtract: [{ fact: 'home_age' }, 2] }], operator: 'equal', value: 4 },
  ];
  const rules = conditions.map((condition, index) => ({
    id: `r${index}`,
    outcome: 'refer',
    code: 'x_rule',
    message: 'M.',
    when: { all: [condition] },
  }));
  const programs = [{ id: 'tx', policy_types: ['ho3'], states: ['tx'], counties: { tx: { exclude: ['48167'] } } }];
  const file = { format: 1, carrier: { key: 'b', name: 'B' }, version: '1', effective: { from: '2026-01-01' } };
  const { xml, omitted } = toDmn(ruleSetOf({ ...file, rules, programs }), homeVocabulary);
  expect(omitted.rules).toEqual([]);
  const { ruleSet, findings } = importDmn(xml, options);
  expect(findings).toEqual([]);
  expect((ruleSet['rules'] as { when: { all: unknown[] } }[]).map(({ when }) => when.all[0])).toEqual(conditions);
  expect(ruleSet['programs']).toEqual(programs);
});
