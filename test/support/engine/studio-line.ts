import {
  choiceField,
  createVocabulary,
  dateField,
  decimalField,
  flagField,
  integerField,
  setField,
} from '@leeward/engine/vocabulary';
import { pick, wholeNumber } from '../random.ts';

const description = 'For tests.';
const any = { kind: 'any' } as const;

/** A line of business with a field of every kind, so small that every completion of it can be tried. */
export const studioLine = createVocabulary({
  line: 'studio',
  policyTypes: ['basic', 'plus'],
  policyTypeSpellings: {},
  fields: [
    flagField('alarm', { label: 'alarm', change: { kind: 'words', words: ['yes'] }, description }),
    dateField('inspected', {
      label: 'last inspection',
      min: '2024-02-28',
      max: '2024-03-02',
      change: { kind: 'higher' },
      description,
    }),
    dateField('opened', {
      label: 'opening',
      min: '2024-02-28',
      max: '2024-03-02',
      change: { kind: 'never' },
      description,
    }),
    ...setField('tools', {
      label: 'tools',
      words: ['saw', 'gas forge'],
      change: { kind: 'words', words: ['no'] },
      description,
    }),
    integerField('floor', { label: 'floor', min: -2, max: 1, change: any, description }),
    decimalField('slope', { label: 'slope', min: -1, max: 0.5, change: any, description }),
    choiceField('wall', { label: 'wall', words: ['wood', 'brick'], change: any, description }),
  ],
  derivedFacts: [],
  relations: [{ lower: 'opened', higher: 'inspected' }],
  givenTogether: [],
  codes: ['rot'],
});

/** A studio as a request gives it. */
export type Studio = Readonly<Record<string, unknown>>;

/** Every value of a field that rules over small constants can tell apart, as a request gives it. */
export const studioValues: Readonly<Record<string, readonly unknown[]>> = {
  alarm: [true, false],
  inspected: ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02'],
  opened: ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02'],
  tools: [[], ['saw'], ['gas forge'], ['saw', 'gas forge']],
  floor: [-2, -1, 0, 1],
  slope: [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5],
  wall: ['wood', 'brick'],
};

type Json = Record<string, unknown>;
type Random = () => number;
const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];
const dates = ['inspected', 'opened'];

function some<T>(random: Random, values: readonly T[]): T[] {
  return values.filter(() => random() < 0.5);
}

function randomTest(random: Random): Json {
  const fact = pick(random, Object.keys(studioValues));
  const not = random() < 0.15 ? 'not:' : '';
  if (fact === 'tools') {
    const words = ['saw', 'gas forge'];
    if (random() < 0.5)
      return { fact, operator: `${not}${pick(random, ['contains', 'doesNotContain'])}`, value: pick(random, words) };
    const apart = pick(random, ['someFact', 'everyFact']);
    if (random() < 0.2)
      return { fact, operator: `${not}${apart}:${pick(random, ['equal', 'not:equal'])}`, value: pick(random, words) };
    if (random() < 0.3) {
      return {
        fact,
        operator: `${not}${pick(random, ['someValue', 'everyValue'])}:contains`,
        value: some(random, words),
      };
    }
    return { fact, operator: `${not}${apart}:${pick(random, ['in', 'notIn'])}`, value: some(random, words) };
  }
  // Limits leave gaps between them: one value in the middle stands for all values of a gap.
  const values = fact === 'slope' ? [-1, -0.5, 0, 0.5] : studioValues[fact]!;
  if (random() < 0.25) return { fact, operator: `${not}${pick(random, ['in', 'notIn'])}`, value: some(random, values) };
  const isOrdered = fact !== 'alarm' && fact !== 'wall';
  const operator = `${not}${pick(random, isOrdered ? [...orders, ...orders, 'equal', 'notEqual'] : ['equal', 'notEqual'])}`;
  if (dates.includes(fact) && random() < 0.2) return { fact, operator, value: { fact: pick(random, dates) } };
  return { fact, operator, value: pick(random, values) };
}

function randomCondition(random: Random, depth: number): Json {
  const roll = random();
  if (depth === 0 || roll < 0.3) return randomTest(random);
  if (roll < 0.45) return { not: randomCondition(random, depth - 1) };
  const list = Array.from({ length: wholeNumber(random, 1, 3) }, () => randomCondition(random, depth - 1));
  return roll < 0.75 ? { all: list } : { any: list };
}

/** A rule set of some rules. */
export function randomStudioFile(random: Random): Json {
  return {
    format: 1,
    carrier: { key: 'studios', name: 'Studios' },
    line: 'studio',
    version: '1',
    effective: { from: '2026-01-01' },
    rules: Array.from({ length: wholeNumber(random, 2, 5) }, (_, index) => ({
      id: `r${index}`,
      outcome: pick(random, ['decline', 'decline', 'refer', 'require']),
      code: 'rot',
      message: '{inspected}, {alarm}, {tools}, floor {floor}.',
      when: { all: [randomCondition(random, 2)] },
    })),
    programs: [{ id: 'all', policy_types: ['basic'], states: ['de'] }],
  };
}
