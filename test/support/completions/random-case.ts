import type { Vocabulary } from '@leeward/engine';
import { choiceField, createVocabulary, flagField, integerField, type ListField } from '@leeward/engine/vocabulary';
import { pick, wholeNumber } from '../random.ts';
import type { Complete, Item, Json } from './expected-answer.ts';

type Random = () => number;

const any = { kind: 'any' } as const;
const description = 'For a test.';
const numbers = ['a', 'b', 'c'];
const words = ['red', 'green', 'blue'];
const settlements = ['full', 'part', 'none'];

const itemFields: ListField['fields'] = [
  { name: 'kind', kind: 'word', label: 'kind', description, words: ['wet', 'dry'] },
  { name: 'size', kind: 'number', label: 'size', description, min: 0, max: 2 },
  { name: 'date', kind: 'date', label: 'date', description, age: 'age_years', ageLabel: 'age' },
];
/** Days on both sides of the anniversaries that rules test, of all dates and of a partial one. */
const days = ['2025-09-09', '2025-03-01', '2024-03-02', '2023-07-07', '2023-01-01'];
const partial: Readonly<Record<string, readonly string[]>> = {
  '2025': ['2025-09-09', '2025-03-01'],
  '2025-03': ['2025-03-02', '2025-03-01'],
  '2024': ['2024-03-02', '2024-03-01'],
  '2023-07': ['2023-07-07'],
};

/** A vocabulary of few values, and a rule set for it. */
export function randomCase(random: Random): { readonly vocabulary: Vocabulary; readonly file: Json } {
  const hasCount = random() < 0.5;
  const maxItems = pick(random, [1, 2]);
  const things: ListField = {
    name: 'things',
    label: 'things',
    itemLabel: 'thing',
    description,
    maxItems,
    fields: itemFields,
    ...(hasCount ? { countedBy: { field: 'recent', years: 2, date: 'date' } } : {}),
  };
  const field = (name: string) => {
    const min = wholeNumber(random, 0, 1);
    return integerField(name, { label: name, min, max: min + wholeNumber(random, 1, 3), change: any, description });
  };
  const vocabulary = createVocabulary({
    line: 'test',
    policyTypes: ['one'],
    policyTypeSpellings: {},
    fields: [
      ...numbers.map(field),
      choiceField('color', { label: 'color', words, change: any, description }),
      flagField('lit', { label: 'lit', change: any, description }),
      integerField('recent', { label: 'recent things', min: 0, max: maxItems, change: any, description }),
    ],
    derivedFacts: [],
    relations: random() < 0.4 ? [{ lower: 'a', higher: 'b' }] : [],
    lists: [things],
    givenTogether: [],
    codes: [],
    terms: [
      { name: 'deductible', label: 'deductible', kind: 'number', unit: 'percent', min: 0, max: 100 },
      { name: 'hidden', label: 'hidden', kind: 'flag' },
      { name: 'settlement', label: 'settlement', kind: 'word', words: settlements },
    ],
  });
  const rules = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => randomRule(random, `${prefix}${index + 1}`));
  const program = (id: string, tier?: Json) => ({
    id,
    policy_types: ['one'],
    states: ['tx'],
    ...(tier ? { tier } : {}),
    rules: rules(wholeNumber(random, 0, 2), id),
  });
  const tierCount = random() < 0.3 ? wholeNumber(random, 2, 3) : 0;
  const file = {
    format: 1,
    carrier: { key: 'test', name: 'Test' },
    line: 'test',
    version: '1',
    effective: { from: '2026-01-01' },
    rules: rules(wholeNumber(random, 1, 3), 'r'),
    programs:
      tierCount === 0
        ? [program('p')]
        : Array.from({ length: tierCount }, (_, index) => program(`t${index}`, { of: 'main', rank: index + 1 })),
  };
  return { vocabulary, file };
}

function randomRule(random: Random, id: string): Json {
  const outcome = pick(random, ['decline', 'decline', 'refer', 'require', 'inform', 'offer', 'offer']);
  return {
    id,
    outcome,
    code: 'x_rule',
    message: id,
    [random() < 0.8 ? 'when' : 'unless']: randomGroup(random),
    ...(outcome === 'offer' ? { terms: randomTerms(random) } : {}),
  };
}

function randomTerms(random: Random): Json {
  const limits = () =>
    pick(random, [{ min: wholeNumber(random, 1, 4) }, { max: wholeNumber(random, 2, 5) }, { min: 2, max: 3 }]);
  const list = () => pick(random, [['full'], ['full', 'part'], ['part', 'none'], 'none']);
  return pick<() => Json>(random, [
    () => ({ deductible: limits() }),
    () => ({ settlement: list() }),
    () => ({ hidden: true }),
    () => ({ deductible: { by: 'a', steps: [{ below: 2, ...limits() }, limits()] } }),
    () => ({ settlement: { by: 'b', steps: [{ below: 2, value: list() }, { below: 3 }] }, hidden: true }),
  ])();
}

const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive', 'equal', 'notEqual'];

function randomGroup(random: Random): Json {
  const parts = Array.from({ length: wholeNumber(random, 1, 2) }, () => randomTest(random));
  return pick<() => Json>(random, [() => ({ all: parts }), () => ({ any: parts }), () => ({ not: { all: parts } })])();
}

function randomTest(random: Random): Json {
  const limit = wholeNumber(random, 0, 4);
  const operator = pick(random, orders);
  return pick<() => Json>(random, [
    () => ({ fact: pick(random, [...numbers, 'recent']), operator, value: limit }),
    () => ({ fact: 'color', operator: pick(random, ['in', 'notIn']), value: words.filter(() => random() < 0.5) }),
    () => ({ fact: 'lit', operator: 'equal', value: random() < 0.5 }),
    () => ({ ...aggregate(random), operator, value: limit }),
    () => ({ ...aggregate(random), operator, value: limit }),
    () => ({ ...operation(random, 1), operator, value: limit }),
    () => ({ fact: pick(random, numbers), operator, value: operation(random, 1) }),
    () => ({ ...aggregate(random), operator, value: { fact: pick(random, numbers) } }),
  ])();
}

function operand(random: Random, depth: number): unknown {
  return pick<() => unknown>(random, [
    () => ({ fact: pick(random, numbers) }),
    () => ({ fact: pick(random, numbers) }),
    () => wholeNumber(random, 0, 3),
    () => (depth > 0 ? operation(random, depth - 1) : aggregate(random)),
  ])();
}

function operation(random: Random, depth: number): Json {
  const two = () => [operand(random, depth), operand(random, depth)];
  return pick<() => Json>(random, [
    () => ({ [pick(random, ['add', 'multiply', 'min', 'max', 'subtract'])]: two() }),
    () => ({ percent_of: [pick(random, [50, 150]), operand(random, depth)] }),
  ])();
}

function aggregate(random: Random): Json {
  const itemTest = (): Json =>
    pick<() => Json>(random, [
      () => ({ fact: 'kind', operator: pick(random, ['equal', 'notEqual']), value: pick(random, ['wet', 'dry']) }),
      () => ({ fact: 'age_years', operator: pick(random, orders.slice(0, 4)), value: wholeNumber(random, 1, 2) }),
      () => ({ fact: 'size', operator: pick(random, orders), value: wholeNumber(random, 0, 2) }),
    ])();
  const where = pick<() => Json>(random, [
    () => ({}),
    () => ({ where: itemTest() }),
    () => ({ where: { all: [itemTest(), itemTest()] } }),
    () => ({ where: { any: [itemTest(), { not: itemTest() }] } }),
  ])();
  if (random() < 0.5) return { count: 'things', ...where };
  return { [pick(random, ['sum', 'min', 'max'])]: 'things', of: 'size', ...where };
}

const MAX_COMPLETIONS = 1_500;

/** Some knowledge of a home, and all completions of it. */
export function randomHome(
  vocabulary: Vocabulary,
  random: Random,
): { readonly known: Json; readonly completions: readonly Complete[] } {
  for (;;) {
    const { known, choices } = randomKnowledge(vocabulary, random);
    const count = Object.values(choices).reduce((product, each) => product * each.length, 1);
    if (count > MAX_COMPLETIONS) continue;
    let all: Complete[] = [{}];
    for (const [name, values] of Object.entries(choices)) {
      all = all.flatMap((home) => values.map((value) => ({ ...home, [name]: value })));
    }
    const completions = all.filter((home) => isConsistent(home, known, vocabulary));
    // Known values that contradict each other have other rules.
    if (completions.length > 0 && !isContradicted(known, vocabulary)) return { known, completions };
  }
}

type Values = readonly (number | string | boolean | readonly Item[])[];

function randomKnowledge(vocabulary: Vocabulary, random: Random): { known: Json; choices: Record<string, Values> } {
  const known: Json = {};
  const choices: Record<string, Values> = {};
  for (const field of vocabulary.fields) {
    const { name } = field;
    const domain = field.domain({ effectiveYear: 2026 });
    const roll = random();
    if (domain.kind === 'words') {
      const all: Values = field.form ? [false, true] : domain.words;
      const value = pick(random, all);
      choices[name] = roll < 0.5 ? [value] : all;
      if (roll < 0.5) known[name] = value;
      else if (roll < 0.7 && !field.form) {
        choices[name] = domain.words.slice(0, 2);
        known[name] = { kind: 'one of', words: domain.words.slice(0, 2) };
      }
      continue;
    }
    const { min, max } = domain;
    const all = Array.from({ length: max - min + 1 }, (_, index) => min + index);
    const value = pick(random, all);
    choices[name] = roll < 0.5 ? [value] : all;
    if (roll < 0.5) known[name] = value;
    else if (roll < 0.7 && value < max) {
      known[name] = { kind: 'between', min: value, max: value + 1 };
      choices[name] = [value, value + 1];
    }
  }
  const { maxItems } = vocabulary.lists![0]!;
  if (random() < 0.7) {
    const items = Array.from({ length: wholeNumber(random, 0, maxItems) }, () => partialItem(random));
    known['things'] = items;
    choices['things'] = items.reduce<Item[][]>(
      (lists, item) => lists.flatMap((list) => completeItems(item).map((each) => [...list, each])),
      [[]],
    );
  } else choices['things'] = allLists(maxItems);
  return { known, choices };
}

function partialItem(random: Random): Partial<Item> {
  return {
    ...(random() < 0.7 ? { kind: pick(random, ['wet', 'dry']) } : {}),
    ...(random() < 0.7 ? { size: wholeNumber(random, 0, 2) } : {}),
    ...(random() < 0.8 ? { date: pick(random, [...days, ...Object.keys(partial)]) } : {}),
  };
}

function completeItems({ kind, size, date }: Partial<Item>): Item[] {
  const dates = date === undefined ? days : (partial[date] ?? [date]);
  return (kind === undefined ? ['wet', 'dry'] : [kind]).flatMap((one) =>
    (size === undefined ? [0, 1, 2] : [size]).flatMap((two) =>
      dates.map((three) => ({ kind: one, size: two, date: three })),
    ),
  );
}

/** All lists of up to so many items, in one order. */
function allLists(maxItems: number): Item[][] {
  const items = completeItems({});
  const pairs = items.flatMap((first, index) => items.slice(index).map((second) => [first, second]));
  return [[], ...items.map((item) => [item]), ...(maxItems > 1 ? pairs : [])];
}

/** Relations hold, and the count is that of the list, unless both are known. */
function isConsistent(home: Complete, known: Json, { relations, lists }: Vocabulary): boolean {
  if (relations.some(({ lower, higher }) => home[lower]! > home[higher]!)) return false;
  const counted = lists![0]!.countedBy;
  if (!counted || (known['things'] !== undefined && known[counted.field] !== undefined)) return true;
  const isRecent = ({ date }: Item) => date > '2024-03-01';
  return home[counted.field] === (home['things'] as readonly Item[]).filter(isRecent).length;
}

/** True if known values or bounds break a relation. */
function isContradicted(known: Json, { relations }: Vocabulary): boolean {
  const ends = (value: unknown) =>
    typeof value === 'object'
      ? (value as { min: number; max: number })
      : { min: value as number, max: value as number };
  return relations.some(
    ({ lower, higher }) =>
      known[lower] !== undefined && known[higher] !== undefined && ends(known[lower]).min > ends(known[higher]).max,
  );
}
