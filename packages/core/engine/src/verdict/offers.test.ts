import { describe, expect, it } from 'vitest';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { createProperty } from '../request/property.ts';
import { checkRuleSet } from '../rule-set/check.ts';
import { choiceField } from '../vocabulary/choice-field.ts';
import { createVocabulary } from '../vocabulary/fact-index.ts';
import { integerField } from '../vocabulary/number-field.ts';
import type { Verdict } from './verdict.ts';

const any = { kind: 'any' } as const;
const description = 'For a test.';

/** Small enough to try every completion of a shed. */
const sheds = createVocabulary({
  line: 'shed',
  policyTypes: ['basic'],
  policyTypeSpellings: {},
  fields: [
    integerField('shelves', { label: 'shelves', min: 0, max: 3, change: any, description }),
    choiceField('wall', { label: 'wall', words: ['wood', 'tin', 'brick'], change: any, description }),
    integerField('built', { label: 'built', min: 0, max: 3, change: any, description }),
    integerField('painted', { label: 'painted', min: 0, max: 3, change: any, description }),
  ],
  derivedFacts: [],
  relations: [{ lower: 'built', higher: 'painted' }],
  givenTogether: [],
  codes: ['rot'],
  terms: [
    { name: 'deductible', label: 'deductible', kind: 'number', unit: 'percent', min: 0, max: 100 },
    { name: 'settlement', label: 'settlement', kind: 'word', words: ['full', 'partial', 'none'] },
    { name: 'wet', label: 'wet excluded', kind: 'flag' },
  ],
});

const domains: Readonly<Record<string, readonly (number | string)[]>> = {
  shelves: [0, 1, 2, 3],
  wall: ['wood', 'tin', 'brick'],
  built: [0, 1, 2, 3],
  painted: [0, 1, 2, 3],
};
const fields = Object.keys(domains);
const numeric = ['shelves', 'built', 'painted'];

type Json = Record<string, unknown>;
type Shed = Readonly<Record<string, number | string>>;
type Random = () => number;

function randomTest(random: Random): Json {
  if (random() < 0.3) {
    return { fact: 'wall', operator: 'in', value: ['wood', 'tin', 'brick'].filter(() => random() < 0.5) };
  }
  const operator = pick(random, ['lessThan', 'greaterThanInclusive', 'equal']);
  return { fact: pick(random, numeric), operator, value: wholeNumber(random, 0, 3) };
}

function randomRoot(random: Random): Json {
  const tests = Array.from({ length: wholeNumber(random, 1, 2) }, () => randomTest(random));
  return random() < 0.5 ? { all: tests } : { any: tests };
}

function randomTerms(random: Random): Json {
  const words = () => {
    const list = ['full', 'partial', 'none'].filter(() => random() < 0.6);
    return list.length === 0 ? 'full' : list;
  };
  const bounds = (): Json => {
    const min = wholeNumber(random, 0, 6);
    const roll = random();
    if (roll < 0.5) return { min };
    return roll < 0.8 ? { max: min } : { min, max: min + wholeNumber(random, 0, 3) };
  };
  const table = (step: () => Json): Json => {
    const limits = [1, 2, 3].filter(() => random() < 0.6);
    return {
      by: pick(random, numeric),
      steps: [
        ...limits.map((below) => ({ below, ...(random() < 0.9 ? step() : {}) })),
        ...(limits.length === 0 || random() < 0.8 ? [step()] : []),
      ],
    };
  };
  const roll = random();
  const isTable = random() < 0.4;
  if (roll < 0.5) return { deductible: isTable ? table(bounds) : bounds() };
  if (roll < 0.8) return { settlement: isTable ? table(() => ({ value: words() })) : words() };
  return { wet: isTable ? table(() => ({ value: true })) : true };
}

function randomFile(random: Random): Json {
  const rule = (id: string): Json => {
    const outcome = random() < 0.85 ? 'offer' : pick(random, ['decline', 'refer']);
    return {
      id,
      outcome,
      code: 'rot',
      message: 'A {wall} wall.',
      [random() < 0.8 ? 'when' : 'unless']: randomRoot(random),
      ...(outcome === 'offer' ? { terms: randomTerms(random) } : {}),
    };
  };
  return {
    format: 1,
    carrier: { key: 'sheds', name: 'Sheds' },
    line: 'shed',
    version: '1',
    effective: { from: '2026-01-01' },
    rules: Array.from({ length: wholeNumber(random, 1, 4) }, (_, index) => rule(`top-${index}`)),
    programs: [
      {
        id: 'all',
        policy_types: ['basic'],
        states: ['de'],
        rules: Array.from({ length: wholeNumber(random, 0, 2) }, (_, index) => rule(`own-${index}`)),
      },
    ],
  };
}

function holds(condition: Json, shed: Shed): boolean {
  if (condition['all']) return (condition['all'] as Json[]).every((each) => holds(each, shed));
  if (condition['any']) return (condition['any'] as Json[]).some((each) => holds(each, shed));
  const { fact, operator, value } = condition as { fact: string; operator: string; value: unknown };
  const own = shed[fact]!;
  switch (operator) {
    case 'in':
      return (value as unknown[]).includes(own);
    case 'lessThan':
      return (own as number) < (value as number);
    case 'equal':
      return own === value;
    default:
      return (own as number) >= (value as number);
  }
}

interface Answer {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly words: readonly string[] | undefined;
  readonly wet: boolean;
  readonly status: string;
}

function answerOf(file: Json, shed: Shed): Answer {
  const rules = [...(file['rules'] as Json[]), ...((file['programs'] as Json[])[0]!['rules'] as Json[])];
  let min: number | undefined;
  let max: number | undefined;
  let words: readonly string[] | undefined;
  let wet = false;
  const statuses = new Set<string>();
  for (const rule of rules) {
    const isHeld = 'when' in rule ? holds(rule['when'] as Json, shed) : !holds(rule['unless'] as Json, shed);
    if (!isHeld) continue;
    if (rule['outcome'] !== 'offer') statuses.add(rule['outcome'] as string);
    for (const [name, written] of Object.entries((rule['terms'] ?? {}) as Json)) {
      const table = written as { by?: string; steps?: Json[] };
      const step = table.by
        ? table.steps!.find(({ below }) => below === undefined || (shed[table.by!] as number) < (below as number))
        : undefined;
      const value = table.by ? (name === 'deductible' ? step : step?.['value']) : written;
      if (value === undefined) continue;
      if (name === 'wet') wet = true;
      else if (name === 'settlement') {
        const list = [value].flat() as string[];
        words = (words ?? ['full', 'partial', 'none']).filter((word) => list.includes(word));
      } else {
        const bounds = value as { min?: number; max?: number };
        if (bounds.min !== undefined) min = Math.max(min ?? bounds.min, bounds.min);
        if (bounds.max !== undefined) max = Math.min(max ?? bounds.max, bounds.max);
      }
    }
  }
  const contradicts = (min !== undefined && max !== undefined && min > max) || words?.length === 0;
  const status = statuses.has('decline')
    ? 'ineligible'
    : statuses.has('refer') || contradicts
      ? 'referral'
      : 'eligible';
  return { min, max, words, wet, status };
}

function completions(given: Shed): Shed[] {
  let sheds: Shed[] = [{}];
  for (const field of fields) {
    const values = given[field] === undefined ? domains[field]! : [given[field]];
    sheds = sheds.flatMap((shed) => values.map((value) => ({ ...shed, [field]: value })));
  }
  const related = sheds.filter((shed) => shed['built']! <= shed['painted']!);
  return related.length > 0 ? related : sheds;
}

function boundsOf({ terms = {}, possibleTerms = {} }: Verdict) {
  const all = ['full', 'partial', 'none'];
  const { deductible, settlement, wet } = terms;
  const remaining = settlement?.oneOf ?? all;
  return {
    min: deductible?.min,
    max: deductible?.max,
    words: all.filter((word) => remaining.includes(word)),
    wet: wet?.applies === true,
    possibleMin: possibleTerms['deductible']?.min ?? deductible?.min,
    possibleMax: possibleTerms['deductible']?.max ?? deductible?.max,
    possiblyExcluded: all.filter(
      (word) => !remaining.includes(word) || possibleTerms['settlement']?.mayExclude?.includes(word),
    ),
    possiblyWet: wet?.applies === true || possibleTerms['wet']?.applies === true,
  };
}

function expectedOf(answers: readonly Answer[]) {
  const all = ['full', 'partial', 'none'];
  const isDefined = <T>(value: T | undefined): value is T => value !== undefined;
  const mins = answers.map(({ min }) => min);
  const maxs = answers.map(({ max }) => max);
  const known = { mins: mins.filter(isDefined), maxs: maxs.filter(isDefined) };
  const isAllowed = (word: string) => (answer: Answer) => answer.words?.includes(word) ?? true;
  return {
    min: mins.every(isDefined) ? Math.min(...mins) : undefined,
    max: maxs.every(isDefined) ? Math.max(...maxs) : undefined,
    words: all.filter((word) => answers.some(isAllowed(word))),
    wet: answers.every(({ wet }) => wet),
    possibleMin: known.mins.length > 0 ? Math.max(...known.mins) : undefined,
    possibleMax: known.maxs.length > 0 ? Math.min(...known.maxs) : undefined,
    possiblyExcluded: all.filter((word) => !answers.every(isAllowed(word))),
    possiblyWet: answers.some(({ wet }) => wet),
  };
}

describe('terms of offers', () => {
  it('are certain in all completions and possible in some', async () => {
    const random = createRandom(Number(process.env['LEEWARD_SEED'] ?? 20261126));
    let marked = 0;
    let contradicting = 0;
    let open = 0;
    const count = testVolume(300);
    for (let index = 0; index < count; index++) {
      const file = randomFile(random);
      const { faults } = checkRuleSet(file, { vocabulary: sheds });
      expect(faults).toEqual([]);
      const catalog = createCatalog([{ file }], { vocabulary: sheds });
      const reference = createCatalog([{ file }], { vocabulary: sheds, evaluator: 'reference' });
      for (let home = 0; home < 8; home++) {
        const shed = Object.fromEntries(
          fields.filter(() => random() < 0.5).map((field) => [field, pick(random, domains[field]!)]),
        );
        const property = createProperty({
          vocabulary: sheds,
          state: 'de',
          counties: ['10001'],
          policyType: 'basic',
          effectiveDate: '2026-06-01',
          asOfMs: 0,
          values: shed,
        });
        const answers = completions(shed).map((each) => answerOf(file, each));
        const [verdict] = catalog.decideSync(property).verdicts;
        const expected = expectedOf(answers);
        const statuses = ['eligible', 'referral', 'ineligible'].filter((status) =>
          answers.some((each) => each.status === status),
        );
        const isTest = Object.keys(shed).length < fields.length;
        if (verdict!.conservative) marked++;
        else {
          expect(boundsOf(verdict!), JSON.stringify({ file, shed })).toEqual(expected);
          expect(verdict!.possibleStatuses, JSON.stringify({ file, shed })).toEqual(statuses);
        }
        if (verdict!.reasons.some(({ code }) => code === 'contradicting_terms')) contradicting++;
        if (verdict!.possibleTerms) open++;
        for (const term of Object.values(verdict!.possibleTerms ?? {})) {
          expect(term.fields.length).toBeGreaterThan(0);
          for (const field of term.fields) expect(shed[field]).toBeUndefined();
        }
        const [plain] = (await reference.decide(property)).verdicts;
        const { min, max, words, wet } = boundsOf(plain!);
        if (min !== undefined) expect(min).toBeLessThanOrEqual(expected.min!);
        if (max !== undefined) expect(max).toBeGreaterThanOrEqual(expected.max!);
        for (const word of expected.words) expect(words).toContain(word);
        if (wet) expect(expected.wet).toBe(true);
        if (!isTest) expect(boundsOf(plain!)).toEqual(expected);
      }
    }
    expect(marked).toBeLessThan(count * 8 * 0.2);
    expect(contradicting).toBeGreaterThan(0);
    expect(open).toBeGreaterThan(count);
  });
});
