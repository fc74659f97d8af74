import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fixtureCatalog, fixtureEntries, fixtureHomes } from '../../../../../test/support/engine/fixture-catalog.ts';
import { moratorium, program, ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { cellsOfRow } from '../../../../../test/support/test-volume.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { operatorFunction } from '../condition/operators.ts';
import { between } from '../request/knowledge.ts';
import { parseRequest } from '../request/parse-request.ts';
import { createProperty, type Property } from '../request/property.ts';
import { explainDecision } from './explain-decision.ts';
import { explainVerdict } from './explain-verdict.ts';
import type { ExplainedTest, ExplainedTree } from './explanation.ts';

const now = new Date('2026-11-20T12:00:00Z');
const entries = fixtureEntries();
const catalog = fixtureCatalog();

function propertyOf(body: Record<string, unknown>): Property {
  const parsed = parseRequest(body, { now });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

const harris = {
  state: 'tx',
  county: 'harris',
  policy_type: 'ho3',
  dwelling_a: 100_000,
  year_built: 1987,
  roof_type: '3-tab shingle',
  roof_age: 22,
};

const carrierWith = (overrides: Record<string, unknown>, options = {}) =>
  createCatalog([{ file: ruleSetFile({ rules: [], programs: [program()], ...overrides }) }], options);
const explain = (of: ReturnType<typeof carrierWith>, property: Property, tree = false) =>
  explainVerdict(of, property, { carrierKey: 'pine_ridge', policyType: 'ho3', tree });

describe('an explanation', () => {
  it('names the rules that decided, each with its tests as their author wrote them', async () => {
    const explanation = await explainVerdict(catalog, propertyOf(harris), { carrierKey: 'bayou_mutual' });
    expect(explanation).toMatchObject({
      carrierKey: 'bayou_mutual',
      policyType: 'ho3',
      status: 'ineligible',
      evaluator: 'compiled',
      ruleSet: { version: expect.any(String), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const roof = explanation.decidedBy.find((rule) => rule.ruleId === 'tx-roof-3-tab');
    expect(roof).toEqual({
      ruleId: 'tx-roof-3-tab',
      kind: 'rule',
      outcome: 'decline',
      code: 'roof_age',
      message: expect.stringContaining('22'),
      program: 'tx-homeowners',
      truth: 'true',
      tests: [
        {
          fact: 'roof_type',
          operator: 'equal',
          limit: '3-tab shingle',
          field: 'roof_type',
          label: 'roof type',
          value: '3-tab shingle',
          truth: 'true',
          text: 'Roof type: 3-tab shingle.',
        },
        {
          fact: 'roof_age',
          operator: 'greaterThan',
          limit: 15,
          field: 'roof_age',
          label: 'age of the roof',
          unit: 'years',
          value: 22,
          truth: 'true',
          text: 'Age of the roof: 22 years, which is more than 15 years.',
        },
      ],
    });
    // Written with unless: the tests that fail are what makes it hold.
    const coverage = explanation.decidedBy.find((rule) => rule.ruleId === 'tx-coverage-a');
    expect(coverage?.tests).toMatchObject([
      { fact: 'dwelling_a', operator: 'greaterThanInclusive', limit: 150_000, value: 100_000, truth: 'false' },
    ]);
    expect(explanation.decidedBy.some((rule) => rule.tree)).toBe(false);
    expect(explanation.rules).toBeUndefined();
  });

  it('keeps the units of the author: miles, feet, ages, names or codes of counties', async () => {
    const rules = [
      ruleFile({ id: 'miles', when: { all: [test('distance_to_coast_miles', 'lessThan', 2.5)] } }),
      ruleFile({ id: 'feet', when: { all: [test('distance_to_tidal_water_feet', 'lessThan', 12_000)] } }),
      ruleFile({ id: 'age', when: { all: [test('home_age', 'greaterThan', 30)] } }),
      ruleFile({ id: 'year', when: { all: [test('year_built', 'lessThan', 1990)] } }),
      ruleFile({ id: 'names', when: { all: [test('county', 'in', ['Harris County, TX', 'galveston, tx'])] } }),
      ruleFile({ id: 'codes', when: { all: [test('county', 'in', ['48201'])] } }),
    ];
    const { decidedBy } = await explain(
      carrierWith({ rules }),
      propertyOf({ ...harris, distance_to_coast_miles: 1.2 }),
    );
    expect(decidedBy.map((rule) => [rule.ruleId, ...rule.tests.map((each) => [each.limit, each.value])])).toEqual([
      ['miles', [2.5, 1.2]],
      ['feet', [12_000, 6336]],
      ['age', [30, 39]],
      ['year', [1990, 1987]],
      ['names', [['Harris County, TX', 'galveston, tx'], 'harris, tx']],
      ['codes', [['48201'], '48201']],
    ]);
  });

  it('tells what is missing, known within bounds, one of several words, or follows from another field', async () => {
    const rules = [
      ruleFile({ id: 'claims', when: { all: [test('total_claims', 'greaterThan', 2)] } }),
      ruleFile({ id: 'coast', when: { all: [test('distance_to_coast_miles', 'lessThan', 1)] } }),
      ruleFile({ id: 'roof', when: { all: [test('roof_age', 'greaterThan', 15)] } }),
      ruleFile({ id: 'usage', when: { all: [test('usage', 'equal', 'vacant')] } }),
      ruleFile({ id: 'never', when: { all: [test('total_claims', 'greaterThan', 500)] } }),
    ];
    const property = createProperty({
      ...propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3' }),
      values: {
        year_built: 2000,
        distance_to_tidal_water_meters: between(1609.344, 3218.688),
        usage: { kind: 'one of', words: ['vacant', 'rental'] },
      },
    });
    const { status, decidedBy } = await explain(carrierWith({ rules }), property);
    expect(status).toBe('needs_information');
    expect(decidedBy.map(({ ruleId, truth, tests: [only] }) => [ruleId, truth, only?.value, only?.inferred])).toEqual([
      ['claims', 'undecided', null, undefined],
      ['roof', 'undecided', { min: 0, max: 26 }, true],
      ['usage', 'undecided', { oneOf: ['vacant', 'rental'] }, undefined],
    ]);
    const { rules: all } = await explain(carrierWith({ rules }), property, true);
    expect(all?.map(({ ruleId, truth }) => [ruleId, truth])).toEqual([
      ['claims', 'undecided'],
      ['coast', 'false'],
      ['roof', 'undecided'],
      ['usage', 'undecided'],
      ['never', 'false'],
    ]);
    expect(all?.[1]?.tree).toMatchObject({
      kind: 'all',
      truth: 'false',
      children: [{ kind: 'test', value: { min: 1, max: 2 }, limit: 1, truth: 'false' }],
    });
  });

  it('returns the whole tree on request, with shared conditions expanded and unless under a not', async () => {
    const conditions = { old: { any: [test('home_age', 'greaterThan', 50), test('roof_age', 'greaterThan', 20)] } };
    const rules = [
      ruleFile({
        when: { all: [{ condition: 'old' }, { not: { all: [test('usage', 'equal', 'primary')] } }] },
      }),
    ];
    const { decidedBy, rules: all } = await explain(carrierWith({ conditions, rules }), propertyOf(harris), true);
    expect(decidedBy.map((rule) => rule.truth)).toEqual(['undecided']);
    expect(all?.[0]?.tree).toMatchObject({
      kind: 'all',
      truth: 'undecided',
      children: [
        {
          kind: 'any',
          truth: 'true',
          children: [
            { kind: 'test', fact: 'home_age', value: 39, truth: 'false' },
            { kind: 'test', fact: 'roof_age', value: 22, truth: 'true' },
          ],
        },
        {
          kind: 'not',
          truth: 'undecided',
          children: [{ kind: 'all', truth: 'undecided', children: [{ kind: 'test', fact: 'usage', value: null }] }],
        },
      ],
    });
  });

  it('says where a territory or a moratorium decided', async () => {
    const programs = [program({ counties: { tx: { exclude: ['harris'] } } })];
    const outside = await explain(carrierWith({ programs }), propertyOf(harris));
    expect(outside.decidedBy).toMatchObject([
      {
        kind: 'territory',
        code: 'territory',
        ruleId: 'texas',
        tests: [{ fact: 'county', operator: 'notIn', limit: ['harris, tx'], value: 'harris, tx', truth: 'false' }],
      },
    ]);
    const stopped = await explain(
      carrierWith({ moratoria: [moratorium({ until: null, states: ['tx'] })] }),
      propertyOf(harris),
    );
    expect(stopped.decidedBy).toMatchObject([
      {
        kind: 'moratorium',
        code: 'moratorium',
        ruleId: 'storm',
        tests: [{ fact: 'as_of', limit: { until: null }, truth: 'true' }],
      },
    ]);
  });

  it('explains a policy type that is not offered, and rejects unknown carriers and policy types', async () => {
    const florida = await explain(carrierWith({}), propertyOf({ ...harris, state: 'fl', county: 'bay' }));
    expect(florida).toMatchObject({ status: 'not_offered', decidedBy: [], ruleSet: { version: '1' } });
    const early = await explain(carrierWith({}), propertyOf({ ...harris, effective_date: '2025-12-31' }));
    expect(early).toMatchObject({ status: 'not_offered', decidedBy: [], ruleSet: null });
    const property = propertyOf(harris);
    await expect(explainVerdict(catalog, property, { carrierKey: 'bayou_mutal' })).rejects.toThrow(
      'Did you mean "bayou_mutual"?',
    );
    await expect(explainVerdict(catalog, property, { carrierKey: '__proto__' })).rejects.toThrow(RangeError);
    await expect(explainVerdict(catalog, propertyOf({ state: 'tx' }), { carrierKey: 'bayou_mutual' })).rejects.toThrow(
      'policyType',
    );
  });

  it('reads facts of the host, and names the evaluator', async () => {
    const hosted = carrierWith(
      {
        rules: [
          ruleFile({
            message: 'Zone.',
            when: {
              all: [
                { fact: 'flood', operator: 'startsWith', value: 'V', path: '$.zone', params: { map: 'new' } },
                test('total_claims', 'lessThan', { fact: 'allowance' }),
              ],
            },
          }),
        ],
      },
      {
        facts: {
          flood: async ({ map }: Record<string, unknown>) => ({ zone: map === 'new' ? 'VE' : 'X' }),
          allowance: 5,
        },
        operators: { startsWith: (fact: unknown, value: unknown) => String(fact).startsWith(String(value)) },
      },
    );
    const { status, evaluator, decidedBy } = await explain(hosted, propertyOf({ ...harris, total_claims: 1 }));
    expect([status, evaluator]).toEqual(['ineligible', 'reference']);
    expect(decidedBy[0]?.tests).toMatchObject([
      { fact: 'flood', operator: 'startsWith', limit: 'V', value: 'VE', truth: 'true', field: 'flood' },
      { fact: 'total_claims', limitFact: 'allowance', limit: 5, value: 1, truth: 'true' },
    ]);
  });

  it('truncates a tree that is too large to read', async () => {
    const double = (of: unknown) => ({ all: [of, of] });
    let condition: unknown = double(test('total_claims', 'greaterThan', 2));
    for (let level = 0; level < 12; level++) condition = double(condition);
    const { rules } = await explain(
      carrierWith({ rules: [ruleFile({ when: condition })] }),
      propertyOf({ ...harris, total_claims: 5 }),
      true,
    );
    expect(JSON.stringify(rules).length).toBeLessThan(1_000_000);
    expect(JSON.stringify(rules)).toContain('"truncated":true');
  });
});

function* testsOf(tree: ExplainedTree): Generator<ExplainedTest> {
  if (tree.kind === 'test') yield tree;
  else for (const child of tree.children) yield* testsOf(child);
}

it('agrees with the verdict, and each test with its operator, on every fixture home', async () => {
  const random = createRandom(1);
  const reference = createCatalog(entries, { evaluator: 'reference' });
  let recomputed = 0;
  let trees = 0;
  const homes = cellsOfRow(fixtureHomes(), 0, 3);
  for (const home of homes) {
    const body = Object.fromEntries(
      Object.entries(home).filter(
        ([key]) => ['state', 'policy_type', 'roof_age', 'roof_type', 'lat', 'lng'].includes(key) || random() < 0.8,
      ),
    );
    const property = propertyOf(body);
    const decision = await catalog.decide(property);
    const explained = await explainDecision(catalog, property);
    expect(JSON.parse(JSON.stringify(explained))).toEqual(explained);
    expect(explained.verdicts.map(({ explanation: _, ...verdict }) => verdict)).toEqual(decision.verdicts);
    for (const { explanation, ...verdict } of explained.verdicts) {
      expect(explanation.status).toBe(verdict.status);
      const ids = explanation.decidedBy.map((rule) => rule.ruleId);
      if (verdict.status === 'needs_information') expect(ids.length).toBeGreaterThan(0);
      else expect(ids).toEqual(verdict.reasons.map((reason) => reason.ruleId));
      for (const { tree, truth, tests } of explanation.rules ?? []) {
        if (!tree) continue;
        trees++;
        // The whole is at least as certain as its tests.
        if (tree.truth === 'false' || (tree.truth === 'true' && property.counties?.length === 1))
          expect(truth).toBe(tree.truth);
        const leaves = [...testsOf(tree)];
        for (const each of tests) {
          const wanted = { kind: 'test', ...each };
          if (each.fact === 'county' || leaves.some((leaf) => isDeepStrictEqual(leaf, wanted))) continue;
          expect(leaves).toContainEqual(wanted);
        }
        for (const each of leaves) {
          if (each.value === null || typeof each.value === 'object') continue;
          // The other side is another fact or arithmetic.
          if (typeof each.limit === 'object' && !Array.isArray(each.limit)) continue;
          recomputed++;
          expect(each.truth).toBe(String(operatorFunction(each.operator)!(each.value, each.limit)));
        }
      }
    }
    const byReference = await explainDecision(reference, property);
    for (const { explanation } of byReference.verdicts) {
      for (const { tree, truth } of explanation.rules ?? []) {
        // If the county is known, json-rules-engine evaluates test by test, like the tree.
        if (tree && property.counties?.length === 1) expect(truth).toBe(tree.truth);
      }
    }
  }
  expect(trees).toBeGreaterThan(18 * homes.length);
  expect(recomputed).toBeGreaterThan(52 * homes.length);
});
