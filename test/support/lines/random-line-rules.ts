import type { Vocabulary } from '@leeward/engine';
import type { Domain, Field } from '@leeward/engine/vocabulary';
import { pick } from '../random.ts';

type Json = Record<string, unknown>;
export type Random = () => number;
export type Value = number | string;

export const effectiveDate = '2026-11-20';
const context = { effectiveYear: 2026 };

/** For each field, the values that rules may compare it with, and one value of every cell between them. */
export interface Palette {
  readonly constants: ReadonlyMap<string, readonly Value[]>;
  readonly values: ReadonlyMap<string, readonly Value[]>;
}

/** Few constants a field, so that every completion of some missing fields can be tried. */
export function paletteOf(vocabulary: Vocabulary, random: Random): Palette {
  const constants = new Map<string, readonly Value[]>();
  const values = new Map<string, readonly Value[]>();
  // Related fields get the same limits; else one would leave no value for the other.
  const alike = new Map(vocabulary.relations.map(({ lower, higher }) => [higher, lower]));
  for (const field of vocabulary.fields) {
    const domain = field.domain(context);
    if (domain.kind === 'words') {
      const some = [...domain.words].sort(() => random() - 0.5).slice(0, 4);
      constants.set(field.name, some.slice(0, 3));
      values.set(field.name, some);
      continue;
    }
    const known = constants.get(alike.get(field.name) ?? '') as readonly number[] | undefined;
    const chosen = known ?? numbersOf(domain, random);
    constants.set(field.name, chosen);
    const cuts = vocabulary.derivedFacts
      .filter((fact) => fact.field === field.name)
      .flatMap((fact) => chosen.flatMap((value) => fact.cuts(fact.view(value, context), context)));
    values.set(field.name, around([...chosen, ...cuts], domain));
  }
  return { constants, values };
}

type Numbers = Extract<Domain, { kind: 'numbers' }>;

function numbersOf({ min, max, integer }: Numbers, random: Random): number[] {
  // Realistic limits, not spread over a domain of a hundred million.
  const from = Math.max(min, -50);
  const width = Math.min(max, from + (random() < 0.5 ? 100 : 5_000)) - from;
  const one = () => from + random() * width;
  return [one(), one()].map((value) => (integer ? Math.round(value) : Math.round(value * 4) / 4)).sort((a, b) => a - b);
}

function around(cuts: readonly number[], { min, max: largest, integer }: Numbers): number[] {
  const step = integer ? 1 : 0.125;
  const max = Math.min(largest, 1e7);
  const near = cuts.flatMap((cut) => [cut - step, cut, cut + step]);
  return [...new Set([min, ...near, max])].filter((value) => value >= min && value <= max).sort((a, b) => a - b);
}

/** Formats a value of the axis as a rule writes it. */
function written(field: Field, value: Value): unknown {
  return field.form ? field.form.write(value) : value;
}

const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];

function randomTest(vocabulary: Vocabulary, palette: Palette, random: Random, fields: readonly Field[]): Json {
  const field = pick(random, fields);
  const constants = palette.constants.get(field.name)!;
  if (field.member) {
    const operator = pick(random, ['contains', 'doesNotContain']);
    return { fact: field.member.set, operator, value: field.member.word };
  }
  const isNumber = field.domain(context).kind === 'numbers';
  const derived = vocabulary.derivedFacts.filter((fact) => fact.field === field.name);
  if (isNumber && !field.form && derived.length > 0 && random() < 0.5) {
    const { name, view } = pick(random, derived);
    const seen = view(pick(random, constants) as number, context);
    return { fact: name, operator: pick(random, orders), value: seen };
  }
  if (field.form?.range && random() < 0.5) {
    const [first, last] = [constants[0]!, constants.at(-1)!].map((value) => written(field, value));
    return { fact: field.name, operator: pick(random, ['in', 'notIn']), value: [`${first}-${last}`] };
  }
  const one = written(field, pick(random, constants));
  if (field.form?.range) return { fact: field.name, operator: pick(random, ['equal', 'notEqual']), value: one };
  if (isNumber) return { fact: field.name, operator: pick(random, [...orders, 'equal', 'notEqual']), value: one };
  if (random() < 0.4 && !field.form) {
    return { fact: field.name, operator: pick(random, ['in', 'notIn']), value: constants.slice(0, 2) };
  }
  return { fact: field.name, operator: pick(random, ['equal', 'notEqual']), value: one };
}

function randomCondition(depth: number, random: Random, test: () => Json): Json {
  const roll = random();
  if (depth === 0 || roll < 0.35) return test();
  if (roll < 0.45) return { not: randomCondition(depth - 1, random, test) };
  const list = Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomCondition(depth - 1, random, test));
  return random() < 0.5 ? { all: list } : { any: list };
}

/** A rule set of some rules over four fields of the line, for every policy type in Delaware. */
export function randomRules(
  vocabulary: Vocabulary,
  palette: Palette,
  random: Random,
): { file: Json; tested: string[] } {
  // The tests complete what is missing, and a fallback is never missing.
  const tested = vocabulary.fields
    .filter(({ fallback }) => !fallback)
    .sort(() => random() - 0.5)
    .slice(0, 4);
  const test = () => randomTest(vocabulary, palette, random, tested);
  const file = {
    format: 1,
    carrier: { key: 'random', name: 'Random' },
    line: vocabulary.line,
    version: '1',
    effective: { from: '2026-01-01' },
    rules: Array.from({ length: 2 + Math.floor(random() * 4) }, (_, index) => ({
      id: `r${index}`,
      outcome: pick(random, ['decline', 'decline', 'refer', 'require']),
      code: 'x_random',
      message: 'Random.',
      when: { all: [randomCondition(2, random, test)] },
    })),
    programs: [{ id: 'all', policy_types: [...vocabulary.policyTypes], states: ['de'] }],
  };
  return { file, tested: tested.map(({ name }) => name) };
}

/** Values of all fields, by axis, that meet the relations of the line. */
export function randomValues(vocabulary: Vocabulary, palette: Palette, random: Random): Map<string, Value> {
  const values = new Map(vocabulary.fields.map(({ name }) => [name, pick(random, palette.values.get(name)!)]));
  for (const { lower, higher } of vocabulary.relations) {
    if ((values.get(lower) as number) > (values.get(higher) as number)) values.set(higher, values.get(lower)!);
  }
  return values;
}

export function meetsRelations({ relations }: Vocabulary, values: ReadonlyMap<string, Value>): boolean {
  return relations.every(({ lower, higher }) => (values.get(lower) as number) <= (values.get(higher) as number));
}

/** Returns the facts of a fully known property for json-rules-engine. */
export function plainFacts(vocabulary: Vocabulary, values: ReadonlyMap<string, Value>): Json {
  const facts: Json = {};
  for (const field of vocabulary.fields) {
    const value = values.get(field.name)!;
    if (!field.member) facts[field.name] = written(field, value);
    else {
      const { set, word } = field.member;
      const words = (facts[set] as string[] | undefined) ?? [];
      facts[set] = value === 'yes' ? [...words, word] : words;
    }
  }
  for (const { name, field, view } of vocabulary.derivedFacts) {
    facts[name] = view(values.get(field) as number, context);
  }
  return facts;
}
