import { codeWords, wordOf } from '@leeward/terms';

/** Compares a fact with a value. May throw where json-rules-engine throws, for example `in` with a number. */
export type OperatorFunction = (factValue: unknown, value: unknown) => boolean;

export interface Operator {
  readonly name: string;
  /** `order` needs a number, `list` a list on the right, `member` a list on the left, `ranges` pairs of numbers. */
  readonly shape: 'equality' | 'order' | 'list' | 'member' | 'ranges';
  /** Words between a label and a value: "is more than". */
  readonly words: string;
  readonly test: OperatorFunction;
}

const isNumeric = (value: unknown): boolean => !Number.isNaN(Number.parseFloat(value as string));
type Comparable = number;
const order =
  (compare: (a: Comparable, b: Comparable) => boolean): OperatorFunction =>
  (a, b) =>
    isNumeric(a) && compare(a as Comparable, b as Comparable);

type WordlessOperator = Omit<Operator, 'words'> & { readonly name: keyof typeof codeWords.operator };

function withWords(operator: WordlessOperator): Operator {
  return { ...operator, words: codeWords.operator[operator.name] };
}

/** The differential test covers each row. */
export const operators: readonly Operator[] = (
  [
    { name: 'equal', shape: 'equality', test: (a, b) => a === b },
    { name: 'notEqual', shape: 'equality', test: (a, b) => a !== b },
    { name: 'in', shape: 'list', test: (a, b) => (b as unknown[]).indexOf(a) > -1 },
    { name: 'notIn', shape: 'list', test: (a, b) => (b as unknown[]).indexOf(a) === -1 },
    { name: 'contains', shape: 'member', test: (a, b) => Array.isArray(a) && a.indexOf(b) > -1 },
    {
      name: 'doesNotContain',
      shape: 'member',
      test: (a, b) => Array.isArray(a) && a.indexOf(b) === -1,
    },
    { name: 'lessThan', shape: 'order', test: order((a, b) => a < b) },
    { name: 'lessThanInclusive', shape: 'order', test: order((a, b) => a <= b) },
    { name: 'greaterThan', shape: 'order', test: order((a, b) => a > b) },
    { name: 'greaterThanInclusive', shape: 'order', test: order((a, b) => a >= b) },
  ] satisfies WordlessOperator[]
).map(withWords);

/**
 * Operators that rules cannot name: `in` and `notIn` with ranges become them. Their value is the first and last number of
 * each range in turn, ascending.
 */
export const rangeOperators: readonly Operator[] = (
  [
    { name: 'inRanges', shape: 'ranges', test: isInRanges },
    { name: 'notInRanges', shape: 'ranges', test: (a, b) => !isInRanges(a, b) },
  ] satisfies WordlessOperator[]
).map(withWords);

function isInRanges(value: unknown, ranges: unknown): boolean {
  const ends = ranges as readonly number[];
  let low = 0;
  let high = ends.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[2 * middle + 1]! < (value as number)) low = middle + 1;
    else high = middle;
  }
  return 2 * low < ends.length && ends[2 * low]! <= (value as number);
}

type Next = OperatorFunction;
const decorators: Readonly<Record<string, (a: unknown, b: unknown, next: Next) => boolean>> = {
  someFact: (a, b, next) => Array.isArray(a) && a.some((each) => next(each, b)),
  everyFact: (a, b, next) => Array.isArray(a) && a.every((each) => next(each, b)),
  someValue: (a, b, next) => (b as unknown[]).some((each) => next(a, each)),
  everyValue: (a, b, next) => (b as unknown[]).every((each) => next(a, each)),
  swap: (a, b, next) => next(b, a),
  not: (a, b, next) => !next(a, b),
};

/** Names of the operators. */
export const operatorNames: readonly string[] = operators.map((operator) => operator.name);
/** Names that may precede an operator, as in `not:lessThan`. */
export const decoratorNames: readonly string[] = Object.keys(decorators);

const byName = new Map([...operators, ...rangeOperators].map((operator) => [operator.name, operator]));

/** An operator and the decorators before it, as in `not:lessThan`. */
export interface ParsedOperator {
  readonly base: Operator;
  readonly decorators: readonly string[];
}

/** Undefined if either is unknown. */
export function parseOperator(name: string): ParsedOperator | undefined {
  const parts = name.split(':');
  const base = byName.get(parts.pop() ?? '');
  if (!base || parts.length > 16 || !parts.every((part) => Object.hasOwn(decorators, part))) return undefined;
  return { base, decorators: parts };
}

/** Decorators apply from left to right. */
export function operatorFunction(name: string): OperatorFunction | undefined {
  const parsed = parseOperator(name);
  return parsed && decorated(parsed.decorators, parsed.base.test);
}

export function hostOperatorFunction(
  name: string,
  hostOperators: Readonly<Record<string, OperatorFunction>>,
): OperatorFunction | undefined {
  const parts = name.split(':');
  for (let first = 0; first < parts.length; first++) {
    const base = parts.slice(first).join(':');
    if (Object.hasOwn(hostOperators, base)) return decorated(parts.slice(0, first), hostOperators[base]!);
    if (!Object.hasOwn(decorators, parts[first]!)) return undefined;
  }
  return undefined;
}

function decorated(names: readonly string[], base: OperatorFunction): OperatorFunction {
  return names.reduceRight<OperatorFunction>((next, name) => {
    const apply = decorators[name]!;
    return (a, b) => apply(a, b, next);
  }, base);
}

type OperatorName = keyof typeof codeWords.operator;

const opposites: Readonly<Partial<Record<OperatorName, OperatorName>>> = {
  equal: 'notEqual',
  in: 'notIn',
  contains: 'doesNotContain',
  lessThan: 'greaterThanInclusive',
  greaterThan: 'lessThanInclusive',
  inRanges: 'notInRanges',
  within: 'notWithin',
  entirelyWithin: 'notEntirelyWithin',
};
const oppositeOf: ReadonlyMap<string, string> = new Map(
  Object.entries(opposites).flatMap(([one, other]) => [[one, other] as const, [other, one] as const]),
);

/** The operator that holds for (b, a) if the other holds for (a, b). */
const swapped = new Map<string, string>([
  ['lessThan', 'greaterThan'],
  ['greaterThan', 'lessThan'],
  ['lessThanInclusive', 'greaterThanInclusive'],
  ['greaterThanInclusive', 'lessThanInclusive'],
  ['in', 'contains'],
  ['contains', 'in'],
  ['notIn', 'doesNotContain'],
  ['doesNotContain', 'notIn'],
]);

const quantified: Readonly<Record<string, { readonly not: string; readonly swap: string }>> = {
  someFact: { not: 'everyFact', swap: 'someValue' },
  everyFact: { not: 'someFact', swap: 'everyValue' },
  someValue: { not: 'everyValue', swap: 'someFact' },
  everyValue: { not: 'someValue', swap: 'everyFact' },
};

/**
 * The words of an operator with its decorators, between a label and a value: `is at most` for `not:greaterThan`.
 *
 * @param isHeld false for the words of its negation. @default true
 * @example
 * describeOperator('not:greaterThan'); // 'is at most'
 */
export function describeOperator(name: string, isHeld = true): string {
  const parts = name.split(':');
  let base = parts.pop() ?? '';
  // A host's operator has only its name.
  if (!oppositeOf.has(base)) return `${isHeld ? '' : 'not: '}${wordOf('operator', name)}`;
  let quantifiers: string[] = [];
  for (const decorator of [...(isHeld ? [] : ['not']), ...parts].reverse()) {
    if (decorator === 'not') {
      base = oppositeOf.get(base)!;
      quantifiers = quantifiers.map((each) => quantified[each]!.not);
    } else if (decorator === 'swap') {
      base = swapped.get(base) ?? base;
      quantifiers = quantifiers.map((each) => quantified[each]!.swap);
    } else if (decorator in quantified) quantifiers.unshift(decorator);
  }
  let words = wordOf('operator', base);
  for (const each of quantifiers.reverse()) {
    if (each === 'someValue') words = `${words} one of`;
    else if (each === 'everyValue') words = `${words} each of`;
    else words = each === 'someFact' ? `has one that ${words}` : `has only values such that each ${words}`;
  }
  return words;
}
