import { pick, wholeNumber } from '../../../../../test/support/random.ts';
import { choiceField } from '../vocabulary/choice-field.ts';
import { decimalField, integerField } from '../vocabulary/number-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

const never = { kind: 'never' } as const;
const any = { kind: 'any' } as const;
const lower = { kind: 'lower' } as const;
const description = 'For a test.';

/** A line with a field of every kind of change, so small that every change can be tried. */
export const workshopLine: Vocabulary = {
  line: 'workshop',
  policyTypes: ['basic'],
  policyTypeSpellings: {},
  fields: [
    integerField('benches', { label: 'benches', min: 0, max: 3, change: any, description }),
    integerField('doors', { label: 'doors', min: 1, max: 3, change: never, description }),
    choiceField('wall', {
      label: 'wall',
      words: ['wood', 'tin', 'brick'],
      change: { kind: 'words', words: ['brick', 'tin'] },
      description,
    }),
    choiceField('lock', { label: 'lock', words: ['none', 'latch'], change: any, description }),
    integerField('built', { label: 'year built', min: 0, max: 4, change: never, description }),
    integerField('painted', { label: 'year painted', min: 0, max: 4, change: { kind: 'higher' }, description }),
    integerField('oiled', { label: 'years since oiled', min: 0, max: 3, change: lower, description }),
    decimalField('length', { label: 'length', unit: 'meters', min: 0, max: 3, change: lower, description }),
  ],
  derivedFacts: [
    {
      name: 'paint_age',
      field: 'painted',
      label: 'age of the paint',
      unit: 'years',
      view: (year) => Math.max(0, 3 - year),
      cuts: (constant) => [3 - constant, 3],
      range: { min: 0, max: 3, integer: true },
    },
  ],
  relations: [{ lower: 'built', higher: 'painted' }],
  givenTogether: [],
  codes: ['rot'],
};

/** A value of every possible cell. */
export const workshopValues: Readonly<Record<string, readonly (number | string)[]>> = {
  benches: [0, 1, 2, 3],
  doors: [1, 2, 3],
  wall: ['wood', 'tin', 'brick'],
  lock: ['none', 'latch'],
  built: [0, 1, 2, 3, 4],
  painted: [0, 1, 2, 3, 4],
  oiled: [0, 1, 2, 3],
  length: [0, 0.5, 1, 1.5, 2, 2.5, 3],
};

type Json = Record<string, unknown>;
type Random = () => number;
const numeric = ['benches', 'doors', 'built', 'painted', 'paint_age', 'oiled', 'length'];
const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive', 'equal', 'notEqual'];

function randomTest(random: Random): Json {
  const fact = pick(random, [...Object.keys(workshopValues), 'paint_age']);
  const not = random() < 0.15 ? 'not:' : '';
  if (!numeric.includes(fact)) {
    const words = workshopValues[fact]!;
    if (random() < 0.5) return { fact, operator: `${not}in`, value: words.filter(() => random() < 0.5) };
    return { fact, operator: `${not}${pick(random, ['equal', 'notEqual'])}`, value: pick(random, words) };
  }
  const operator = `${not}${pick(random, orders)}`;
  if (random() < 0.12) return { fact, operator, value: { fact: pick(random, numeric) } };
  return { fact, operator, value: wholeNumber(random, 0, 3) };
}

function randomCondition(random: Random, depth: number): Json {
  const roll = random();
  if (depth === 0 || roll < 0.3) return randomTest(random);
  if (roll < 0.45) return { not: randomCondition(random, depth - 1) };
  const list = Array.from({ length: wholeNumber(random, 1, 3) }, () => randomCondition(random, depth - 1));
  return roll < 0.75 ? { all: list } : { any: list };
}

export function randomWorkshopFile(random: Random): Json {
  const rules = Array.from({ length: wholeNumber(random, 2, 6) }, (_, index) => ({
    id: `r${index}`,
    outcome: pick(random, ['decline', 'decline', 'refer', 'require']),
    code: 'rot',
    message: '{benches} benches.',
    when: { all: [randomCondition(random, 2), randomCondition(random, 1)] },
  }));
  return {
    format: 1,
    carrier: { key: 'workshops', name: 'Workshops' },
    line: 'workshop',
    version: '1',
    effective: { from: '2026-01-01' },
    rules,
    programs: [{ id: 'all', policy_types: ['basic'], states: ['de'] }],
  };
}
