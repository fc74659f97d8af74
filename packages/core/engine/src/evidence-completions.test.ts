/**
 * Brute force over evidence: the possible statuses of every verdict against those of all completions of the home,
 * evaluated by plain comparisons on the rules as written.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testVolume } from '../../../../test/support/test-volume.ts';
import { createCatalog, createProperty, evidenceSources } from './index.ts';
import { createVocabulary, integerField } from './vocabulary/index.ts';
import type { Vocabulary } from './vocabulary/vocabulary.ts';

const number = (name: string) =>
  integerField(name, { label: name, min: 0, max: 3, unit: 'years', change: { kind: 'never' }, description: name });

const vocabulary: Vocabulary = createVocabulary({
  line: 'test',
  policyTypes: ['one'],
  policyTypeSpellings: {},
  fields: [number('a'), number('b')],
  derivedFacts: [],
  relations: [],
  givenTogether: [],
  codes: [],
});

const EFFECTIVE = '2026-03-01';
type Json = Record<string, unknown>;
interface Known {
  readonly asOf?: string;
  readonly source?: string;
}
interface Home {
  readonly a?: number;
  readonly evidence: { readonly a?: Known; readonly b?: Known };
}
interface Complete {
  readonly a: number;
  readonly age: { readonly a: number; readonly b: number };
  readonly source: { readonly a: string; readonly b: string };
}

/** Each date with the ages of the days that it can mean, worked out by hand. */
const dates: Record<string, readonly number[]> = {
  '2026-03-01': [0],
  '2026': [0],
  '2025-03-02': [0],
  '2025-03-01': [1],
  '2025-03': [0, 1],
  '2025-02': [1],
  '2025': [0, 1],
  '2024': [1, 2],
  '2024-02-29': [2],
  '2022-06': [3],
};
const sources = ['permit', 'invoice', 'x_one', 'x_two'];
const allAges = [0, 1, 2, 3, 4, 300];

const compare: Record<string, (a: number, b: number) => boolean> = {
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
  lessThan: (a, b) => a < b,
  greaterThan: (a, b) => a > b,
};

function numberOf(operand: unknown, home: Complete): number {
  if (typeof operand === 'number') return operand;
  const { fact, add } = operand as { fact?: string; add?: unknown[] };
  if (add) return add.reduce<number>((sum, each) => sum + numberOf(each, home), 0);
  return fact === 'a' ? home.a : home.age[fact![0] as 'a' | 'b'];
}

function holds(condition: Json, home: Complete): boolean {
  if (condition['all']) return (condition['all'] as Json[]).every((each) => holds(each, home));
  if (condition['any']) return (condition['any'] as Json[]).some((each) => holds(each, home));
  if (condition['not']) return !holds(condition['not'] as Json, home);
  const { operator, value, ...left } = condition as { operator: string; value: unknown; fact?: string };
  if (!left.fact?.endsWith('.source')) return compare[operator]!(numberOf(left, home), numberOf(value, home));
  const isListed = [value].flat().includes(home.source[left.fact[0] as 'a' | 'b']);
  return operator === 'equal' || operator === 'in' ? isListed : !isListed;
}

function* completions({ a, evidence }: Home): Generator<Complete> {
  const ages = (known: Known | undefined) => (known?.asOf === undefined ? allAges : dates[known.asOf]!);
  // A source that no rule names, and one that is not registered.
  const words = (known: Known | undefined) => (known?.source ? [known.source] : [...sources, 'photo', 'x_unnamed']);
  for (const value of a === undefined ? [0, 1, 2, 3] : [a])
    for (const ageA of ages(evidence.a))
      for (const ageB of ages(evidence.b))
        for (const sourceA of words(evidence.a))
          for (const sourceB of words(evidence.b))
            yield { a: value, age: { a: ageA, b: ageB }, source: { a: sourceA, b: sourceB } };
}

const age: fc.Arbitrary<Json> = fc.constantFrom('a', 'b').map((name) => ({ fact: `${name}.evidence_age_years` }));
const operator = fc.constantFrom(...Object.keys(compare));
const limit = fc.integer({ min: 0, max: 4 });
const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.tuple(age, operator, limit).map(([left, operator, value]) => ({ ...left, operator, value })),
  fc.tuple(operator, limit).map(([operator, value]) => ({ fact: 'a', operator, value })),
  fc.tuple(operator, age).map(([operator, value]) => ({ fact: 'a', operator, value })),
  fc
    .tuple(fc.array(age, { minLength: 2, maxLength: 2 }), operator, limit)
    .map(([add, operator, value]) => ({ add, operator, value })),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('equal', 'notEqual'), fc.constantFrom(...sources))
    .map(([name, operator, value]) => ({ fact: `${name}.source`, operator, value })),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('in', 'notIn'), fc.subarray(sources))
    .map(([name, operator, value]) => ({ fact: `${name}.source`, operator, value })),
  fc
    .constantFrom('a', 'b')
    .map((name) => ({ fact: `${name}.source`, operator: 'in', value: [...evidenceSources, 'x_one'] })),
);
const leaves = fc.array(leaf, { minLength: 1, maxLength: 3 });
const condition: fc.Arbitrary<Json> = fc.oneof(
  leaves.map((all) => ({ all })),
  leaves.map((any) => ({ any })),
  leaves.map((any) => ({ not: { any } })),
);
const ruleSet = fc.array(fc.tuple(fc.constantFrom('decline', 'refer'), condition), { minLength: 1, maxLength: 3 });
const known: fc.Arbitrary<Known> = fc.record(
  { asOf: fc.constantFrom(...Object.keys(dates)), source: fc.constantFrom(...sources, 'photo', 'x_unnamed') },
  { requiredKeys: [] },
);
const home: fc.Arbitrary<Home> = fc.record(
  { a: fc.integer({ min: 0, max: 3 }), evidence: fc.record({ a: known, b: known }, { requiredKeys: [] }) },
  { requiredKeys: ['evidence'] },
) as fc.Arbitrary<Home>;

function catalogFor(rules: readonly (readonly [string, Json])[], evaluator?: 'reference') {
  const file = {
    format: 1,
    carrier: { key: 'c', name: 'C' },
    line: 'test',
    version: '1',
    effective: { from: '2026-01-01' },
    rules: rules.map(([outcome, when], index) => ({ id: `r${index}`, outcome, code: 'x_test', message: 'm', when })),
    programs: [{ id: 'p', policy_types: ['one'], states: ['tx'] }],
  };
  return createCatalog([{ file }], { vocabulary, ...(evaluator ? { evaluator } : {}) });
}

test('agrees with every completion of the evidence', { timeout: 600_000 }, async () => {
  let exact = 0;
  let open = 0;
  await fc.assert(
    fc.asyncProperty(ruleSet, fc.array(home, { minLength: 10, maxLength: 10 }), async (rules, homes) => {
      const [catalog, reference] = [catalogFor(rules), catalogFor(rules, 'reference')];
      const has = (outcome: string, at: Complete) => rules.some(([each, when]) => each === outcome && holds(when, at));
      for (const { a, evidence } of homes) {
        const property = createProperty({
          vocabulary,
          state: 'tx',
          counties: ['48201'],
          policyType: 'one',
          effectiveDate: EFFECTIVE,
          asOfMs: Date.parse('2026-03-01T00:00:00Z'),
          values: { a },
          evidence: evidence as never,
        });
        const statuses = new Set<string>();
        for (const at of completions({ ...(a === undefined ? {} : { a }), evidence })) {
          statuses.add(has('decline', at) ? 'ineligible' : has('refer', at) ? 'referral' : 'eligible');
        }
        const [verdict] = catalog.decideSync(property).verdicts;
        const [byEngine] = (await reference.decide(property)).verdicts;
        const possible = verdict!.status === 'needs_information' ? verdict!.possibleStatuses! : [verdict!.status];
        const context = JSON.stringify({ rules, a, evidence, possible, statuses: [...statuses] });
        expect(
          [...statuses].every((each) => possible.includes(each as never)),
          context,
        ).toBe(true);
        const coarse = byEngine!.status === 'needs_information' ? byEngine!.possibleStatuses! : [byEngine!.status];
        expect(
          [...statuses].every((each) => coarse.includes(each as never)),
          context,
        ).toBe(true);
        if (!verdict!.conservative) expect(possible.length, context).toBe(statuses.size);
        if (statuses.size > 1) open++;
        if (!verdict!.conservative) exact++;
        if (statuses.size > 1) expect(verdict!.missingFields.length, context).toBeGreaterThan(0);
      }
    }),
    { numRuns: testVolume(300) },
  );
  expect(open).toBeGreaterThan(100);
  expect(exact).toBeGreaterThan(100);
});
