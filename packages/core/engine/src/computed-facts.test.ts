/**
 * Brute force over computed facts: the possible statuses of every verdict against the statuses of all completions of the
 * home, evaluated by plain arithmetic on the rules as written.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testVolume } from '../../../../test/support/test-volume.ts';
import { createCatalog, createProperty, whatWouldChange } from './index.ts';
import { createVocabulary, integerField, type ListField } from './vocabulary/index.ts';
import type { Vocabulary } from './vocabulary/vocabulary.ts';

const number = (name: string, min: number, max: number, unit?: string) =>
  integerField(name, {
    label: name,
    min,
    max,
    change: { kind: 'any' },
    description: name,
    ...(unit === undefined ? {} : { unit }),
  });

const things: ListField = {
  name: 'things',
  label: 'things',
  itemLabel: 'thing',
  description: 'Things.',
  maxItems: 2,
  countedBy: { field: 'recent', years: 2, date: 'date' },
  fields: [
    { name: 'kind', kind: 'word', label: 'kind', description: 'Kind.', words: ['wet', 'dry'] },
    { name: 'size', kind: 'number', label: 'size', description: 'Size.', min: 0, max: 2 },
    { name: 'date', kind: 'date', label: 'date', description: 'Date.', age: 'age_years', ageLabel: 'age' },
    { name: 'hot', kind: 'flag', label: 'hot', description: 'Hot.' },
  ],
};

const vocabulary: Vocabulary = createVocabulary({
  line: 'test',
  policyTypes: ['one'],
  policyTypeSpellings: {},
  fields: [number('recent', 0, 2), number('a', 0, 3), number('b', 1, 4), number('c', 0, 2)],
  derivedFacts: [],
  relations: [{ lower: 'c', higher: 'b' }],
  lists: [things],
  givenTogether: [],
  codes: [],
});

const EFFECTIVE = '2026-03-01';
/** Dates on both sides of each anniversary that the rules test. */
const dates = [
  '2025-09-09',
  '2025-03-01',
  '2025-02-28',
  '2024-03-02',
  '2024-03-01',
  '2023-01-01',
  '2022-01-01',
  '2020-06-06',
];

type Item = { kind?: string; size?: number; date?: string; hot?: boolean };
type Home = { recent?: number; a?: number; b?: number; c?: number; things?: Item[] };

/** Complete years, by counting anniversaries. */
function ageOf(date: string): number {
  let age = 0;
  for (let year = Number(date.slice(0, 4)) + 1; `${year}${date.slice(4)}` <= EFFECTIVE; year++) age++;
  return age;
}

type Json = Record<string, unknown>;

const compare: Record<string, (a: number, b: number) => boolean> = {
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
  lessThan: (a, b) => a < b,
  lessThanInclusive: (a, b) => a <= b,
  greaterThan: (a, b) => a > b,
  greaterThanInclusive: (a, b) => a >= b,
};

function holdsOnItem(condition: Json, item: Item): boolean {
  if (condition['all']) return (condition['all'] as Json[]).every((each) => holdsOnItem(each, item));
  if (condition['any']) return (condition['any'] as Json[]).some((each) => holdsOnItem(each, item));
  if (condition['not']) return !holdsOnItem(condition['not'] as Json, item);
  const { fact, operator, value } = condition as { fact: string; operator: string; value: never };
  const known = fact === 'age_years' ? ageOf(item.date!) : (item as Json)[fact];
  return compare[operator]!(known as never, value);
}

function numberOf(expression: unknown, home: Home): number {
  if (typeof expression === 'number') return expression;
  const source = expression as Json;
  if (typeof source['fact'] === 'string') return (home as Json)[source['fact']] as number;
  for (const key of ['count', 'sum', 'min', 'max']) {
    if (typeof source[key] !== 'string') continue;
    const where = source['where'] as Json | undefined;
    const items = home.things!.filter((item) => where === undefined || holdsOnItem(where, item));
    if (key === 'count') return items.length;
    const field = source['of'] as string;
    const numbers = items.map((item) => (field === 'age_years' ? ageOf(item.date!) : item.size!));
    if (key === 'sum') return numbers.reduce((sum, each) => sum + each, 0);
    if (numbers.length === 0) return key === 'max' ? -1 : field === 'size' ? 3 : 301;
    return key === 'max' ? Math.max(...numbers) : Math.min(...numbers);
  }
  const of = (key: string) => (source[key] as unknown[]).map((each) => numberOf(each, home));
  if (source['add']) return of('add').reduce((a, b) => a + b);
  if (source['subtract']) return of('subtract').reduce((a, b) => a - b);
  if (source['multiply']) return of('multiply').reduce((a, b) => a * b);
  if (source['percent_of']) return of('percent_of').reduce((a, b) => (a * b) / 100);
  return source['min'] ? Math.min(...of('min')) : Math.max(...of('max'));
}

function holds(condition: Json, home: Home): boolean {
  if (condition['all']) return (condition['all'] as Json[]).every((each) => holds(each, home));
  if (condition['any']) return (condition['any'] as Json[]).some((each) => holds(each, home));
  if (condition['not']) return !holds(condition['not'] as Json, home);
  const { operator, value, ...left } = condition as { operator: string; value: unknown };
  return compare[operator]!(numberOf(left, home), numberOf(value, home));
}

/** Every completion of a home. */
function* completions(home: Home): Generator<Home> {
  const values = (known: number | undefined, min: number, max: number) =>
    known === undefined ? Array.from({ length: max - min + 1 }, (_, index) => min + index) : [known];
  const lists = home.things === undefined ? allLists : completeItems(home.things);
  for (const list of lists) {
    const count = list.filter((item) => ageOf(item.date!) < 2).length;
    // An unknown list agrees with its count, and an unknown count with its list. If both are given, both are used.
    const recents = home.recent === undefined ? [count] : [home.recent];
    for (const recent of recents) {
      if (home.things === undefined && recent !== count) continue;
      for (const a of values(home.a, 0, 3)) {
        for (const b of values(home.b, 1, 4)) {
          for (const c of values(home.c, 0, 2)) {
            const contradicts = home.b !== undefined && home.c !== undefined;
            if (c > b && !contradicts) continue;
            yield { recent, a, b, c, things: list };
          }
        }
      }
    }
  }
}

function completeItem(item: Item): Item[] {
  const results: Item[] = [];
  for (const kind of item.kind === undefined ? ['wet', 'dry'] : [item.kind])
    for (const size of item.size === undefined ? [0, 1, 2] : [item.size])
      for (const date of item.date === undefined ? dates : [item.date])
        for (const hot of item.hot === undefined ? [true, false] : [item.hot]) results.push({ kind, size, date, hot });
  return results;
}

function completeItems(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>(
    (lists, item) => lists.flatMap((list) => completeItem(item).map((each) => [...list, each])),
    [[]],
  );
}

const allItems = completeItem({});
const allLists: Item[][] = [[], ...allItems.map((item) => [item])];
for (let first = 0; first < allItems.length; first++) {
  for (let second = first; second < allItems.length; second++) allLists.push([allItems[first]!, allItems[second]!]);
}

const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];
const order = fc.constantFrom(...orders);
const anyOperator = fc.constantFrom(...orders, 'equal', 'notEqual');

const itemTest: fc.Arbitrary<Json> = fc.oneof(
  fc.record({
    fact: fc.constant('kind'),
    operator: fc.constantFrom('equal', 'notEqual'),
    value: fc.constantFrom('wet', 'dry'),
  }),
  fc.record({ fact: fc.constant('age_years'), operator: order, value: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ fact: fc.constant('size'), operator: anyOperator, value: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ fact: fc.constant('hot'), operator: fc.constant('equal'), value: fc.boolean() }),
);
const where: fc.Arbitrary<Json> = fc.oneof(
  itemTest,
  fc.record({ all: fc.array(itemTest, { minLength: 1, maxLength: 3 }) }),
  fc.record({ any: fc.array(itemTest, { minLength: 1, maxLength: 2 }) }),
  fc.record({ not: itemTest }),
);
const optionalWhere = fc.option(where, { nil: undefined }).map((condition) => (condition ? { where: condition } : {}));
const aggregate: fc.Arbitrary<Json> = fc.oneof(
  optionalWhere.map((each) => ({ count: 'things', ...each })),
  fc
    .tuple(fc.constantFrom('sum', 'min', 'max'), fc.constantFrom('size', 'size', 'age_years'), optionalWhere)
    .map(([apply, of, each]) => ({ [apply]: 'things', of, ...each })),
);
const fact: fc.Arbitrary<Json> = fc.record({ fact: fc.constantFrom('a', 'b', 'c', 'recent') });
const operand: fc.Arbitrary<unknown> = fc.oneof(fact, fact, fc.integer({ min: 0, max: 3 }), aggregate);
const operation: fc.Arbitrary<Json> = fc.oneof(
  fc
    .tuple(fc.constantFrom('add', 'multiply', 'min', 'max'), fc.array(operand, { minLength: 2, maxLength: 3 }))
    .map(([apply, of]) => ({ [apply]: of })),
  fc.tuple(operand, operand).map((of) => ({ subtract: of })),
  fc.tuple(fc.constantFrom(50, 150), operand).map((of) => ({ percent_of: of })),
);
const limit = fc.integer({ min: 0, max: 4 });
const leaf: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(aggregate, anyOperator, limit).map(([left, operator, value]) => ({ ...left, operator, value })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fact, anyOperator, operation).map(([left, operator, value]) => ({ ...left, operator, value })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(operation, anyOperator, limit).map(([left, operator, value]) => ({ ...left, operator, value })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fact, anyOperator, limit).map(([left, operator, value]) => ({ ...left, operator, value })),
  },
);
const condition: fc.Arbitrary<Json> = fc.oneof(
  fc.array(leaf, { minLength: 1, maxLength: 2 }).map((all) => ({ all })),
  fc.array(leaf, { minLength: 1, maxLength: 2 }).map((any) => ({ any })),
  fc.array(leaf, { minLength: 1, maxLength: 2 }).map((any) => ({ not: { any } })),
);
const ruleSet = fc.array(fc.tuple(fc.constantFrom('decline', 'refer', 'require'), condition), {
  minLength: 1,
  maxLength: 4,
});
const item: fc.Arbitrary<Item> = fc.record(
  {
    kind: fc.constantFrom('wet', 'dry'),
    size: fc.integer({ min: 0, max: 2 }),
    date: fc.constantFrom(...dates),
    hot: fc.boolean(),
  },
  { requiredKeys: [] },
);
const fullItem: fc.Arbitrary<Item> = fc.constantFrom(...allItems);
const home: fc.Arbitrary<Home> = fc.record(
  {
    recent: fc.integer({ min: 0, max: 2 }),
    a: fc.integer({ min: 0, max: 3 }),
    b: fc.integer({ min: 1, max: 4 }),
    c: fc.integer({ min: 0, max: 2 }),
    things: fc.array(fc.oneof(item, fullItem), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
/** Unknown lists have thousands of completions, so they are given fewer unknown numbers. */
const affordable = home.map((each) => (each.things === undefined ? { a: 1, b: 2, c: 1, ...each } : each));

const statusOf = (rules: readonly (readonly [string, Json])[], home: Home) => {
  const has = (outcome: string) => rules.some(([each, when]) => each === outcome && holds(when, home));
  return has('decline') ? 'ineligible' : has('refer') ? 'referral' : 'eligible';
};

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

function propertyOf(values: Home) {
  return createProperty({
    vocabulary,
    state: 'tx',
    counties: ['48201'],
    policyType: 'one',
    effectiveDate: EFFECTIVE,
    asOfMs: Date.parse('2026-03-01T00:00:00Z'),
    values: values as never,
  });
}

/** Compares the proposed changes of a complete home with every possible change. */
function checkChanges(
  catalog: ReturnType<typeof catalogFor>,
  property: ReturnType<typeof propertyOf>,
  rules: readonly (readonly [string, Json])[],
  { a, b, c, recent, things: list }: Home,
  context: () => string,
): void {
  const isComplete = [a, b, c, recent].every((each) => each !== undefined);
  if (!isComplete || c! > b! || !list?.every((each) => completeItem(each).length === 1)) return;
  const answer = whatWouldChange(catalog, property, { carrierKey: 'c', aim: 'eligible' });
  const known = { a, b, c, recent, things: list } as Home;
  let fewest = Number.POSITIVE_INFINITY;
  const range = (min: number, max: number) => Array.from({ length: max - min + 1 }, (_, index) => min + index);
  const targets = range(0, 3).flatMap((a) =>
    range(1, 4).flatMap((b) => range(0, 2).map((c) => ({ a, b, c, things: list }))),
  );
  for (const each of targets) {
    // A field is not moved past the present value of a related one.
    if (each.c > b! || each.b < c!) continue;
    for (const count of [0, 1, 2]) {
      const changed = { ...each, recent: count };
      const size = (['a', 'b', 'c', 'recent'] as const).filter((name) => changed[name] !== known[name]).length;
      if (size < fewest && statusOf(rules, changed) === 'eligible') fewest = size;
    }
  }
  if (answer.outcome === 'none_needed') expect(statusOf(rules, known), context()).toBe('eligible');
  else if (answer.outcome === 'ways') {
    const proposed = answer.ways[0]!.changes.length;
    if (!answer.conservative) expect(proposed, context()).toBe(fewest);
    expect(proposed, context()).toBeGreaterThanOrEqual(fewest);
    const changed: Json = { ...known };
    for (const { field, to } of answer.ways[0]!.changes) changed[field] = to;
    expect(statusOf(rules, changed as Home), `${context()} ${JSON.stringify(answer)}`).toBe('eligible');
  } else if (!answer.conservative) expect(fewest, context()).toBe(Number.POSITIVE_INFINITY);
}

let exactCount = 0;
let openCount = 0;

test('agrees with every completion of the home', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(ruleSet, fc.array(affordable, { minLength: 8, maxLength: 8 }), async (rules, homes) => {
      const catalog = catalogFor(rules);
      const reference = catalogFor(rules, 'reference');
      for (const values of homes) {
        const property = propertyOf(values);
        const verdict = catalog.decideSync(property).verdicts[0]!;
        const actual = new Set<string>();
        const required = rules.map(() => ({ always: true, sometimes: false }));
        for (const each of completions(values)) {
          actual.add(statusOf(rules, each));
          rules.forEach(([outcome, when], index) => {
            if (outcome !== 'require') return;
            if (holds(when, each)) required[index]!.sometimes = true;
            else required[index]!.always = false;
          });
        }
        const context = () =>
          JSON.stringify({
            rules,
            values,
            verdict: { ...verdict, statuses: verdict.possibleStatuses },
            actual: [...actual],
          });
        for (const status of actual) expect(verdict.possibleStatuses, context()).toContain(status);
        if (!verdict.conservative) expect(verdict.possibleStatuses.length, context()).toBe(actual.size);
        if (verdict.possibleStatuses.length > 1) {
          openCount++;
          if (!verdict.conservative) exactCount++;
          expect(verdict.missingFields.length, context()).toBeGreaterThan(0);
        }
        const certain = verdict.requirements.map(({ ruleId }) => ruleId);
        const possible = verdict.possibleRequirements.map(({ ruleId }) => ruleId);
        required.forEach(({ always, sometimes }, index) => {
          if (rules[index]![0] !== 'require') return;
          const id = `r${index}`;
          if (certain.includes(id)) expect(always, context()).toBe(true);
          if (sometimes) expect([...certain, ...possible], context()).toContain(id);
          if (verdict.conservative) return;
          expect(certain.includes(id), context()).toBe(always);
          expect(possible.includes(id), context()).toBe(sometimes && !always);
        });
        checkChanges(catalog, property, rules, values, context);
        const byEngine = (await reference.decide(property)).verdicts[0]!;
        for (const status of actual) expect(byEngine.possibleStatuses, context()).toContain(status);
      }
    }),
    { numRuns: testVolume(150) },
  );
  // Most open verdicts need no mark.
  expect(exactCount / openCount).toBeGreaterThan(0.2);
});

test('reports a list as missing if a date lacks its day', () => {
  const catalog = catalogFor([
    [
      'decline',
      {
        all: [
          {
            count: 'things',
            where: { all: [{ fact: 'age_years', operator: 'lessThan', value: 1 }] },
            operator: 'equal',
            value: 1,
          },
        ],
      },
    ],
  ]);
  const asksFor = (date: string) =>
    catalog.decideSync(propertyOf({ things: [{ kind: 'wet', size: 1, hot: true, date }] })).verdicts[0]!.missingFields;
  expect(asksFor('2025')).toEqual(['things']);
  expect(asksFor('2025-03')).toEqual(['things']);
  expect(asksFor('2025-03-02')).toEqual([]);
});
