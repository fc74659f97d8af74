/** The values that a cell of a DMN table accepts, to find rows that overlap and to write tests. */
import type { Cell, Literal, UnaryTest } from '../dmn/unary-tests.ts';
import type { CellColumn } from './read-cell.ts';

type Value = number | string | boolean;

interface Bound {
  readonly value: Value;
  readonly isIncluded: boolean;
}

interface Interval {
  readonly min: Bound | undefined;
  readonly max: Bound | undefined;
}

/** Intervals for values with an order, otherwise the words that are accepted, or all others. */
export type CellSet =
  | { readonly kind: 'intervals'; readonly of: readonly Interval[]; readonly isNegated: boolean }
  | { readonly kind: 'words'; readonly of: readonly Value[]; readonly isNegated: boolean };

const literalKinds: Readonly<Record<CellColumn['kind'], readonly Literal['kind'][]>> = {
  number: ['number'],
  word: ['text'],
  flag: ['boolean'],
  date: ['date', 'text'],
  zipcode: ['text'],
  set: [],
};

/**
 * The set of a cell; undefined if it accepts any value; the reason if it does not fit the column.
 *
 * @param spell Our spelling of a word.
 */
export function cellSetOf(
  cell: Cell,
  kind: CellColumn['kind'],
  spell: (word: string) => unknown,
): CellSet | string | undefined {
  const { tests, isNegated } = cell;
  if (!tests) return undefined;
  const ends = tests.flatMap(({ min, max }) => [min, max]).filter((end) => end !== undefined);
  const stranger = ends.find(({ literal }) => !literalKinds[kind].includes(literal.kind));
  if (stranger?.literal.kind === 'null') return 'a missing value is unknown here, so no row can test it; remove null';
  if (stranger) return `it is compared with ${describeLiteral(stranger.literal)}, but is a ${kind}`;
  if (kind === 'number' || kind === 'date' || kind === 'zipcode') {
    const of = tests.map(({ min, max }): Interval => ({ min: boundOf(min), max: boundOf(max) }));
    return { kind: 'intervals', of: of.filter((each) => !isEmpty(each)), isNegated };
  }
  const words = tests.map((test) => onlyValue(test));
  if (words.includes(undefined)) return `it is a ${kind}, which has no order; write a list of words`;
  return {
    kind: 'words',
    of: words.map((word) => (typeof word === 'string' ? (spell(word) as Value) : word!)),
    isNegated,
  };
}

function describeLiteral({ kind, value }: Literal): string {
  return kind === 'number' || kind === 'boolean' ? `the ${kind} ${value}` : `the ${kind} "${value}"`;
}

function boundOf(end: UnaryTest['min']): Bound | undefined {
  return end && { value: end.literal.value as Value, isIncluded: end.isIncluded };
}

function onlyValue({ min, max }: UnaryTest): Value | undefined {
  return min && max && min.literal.value === max.literal.value ? (min.literal.value as Value) : undefined;
}

function isEmpty({ min, max }: Interval): boolean {
  if (!min || !max) return false;
  return min.value > max.value || (min.value === max.value && !(min.isIncluded && max.isIncluded));
}

/** True if some value may be in both. */
export function doOverlap(a: CellSet, b: CellSet): boolean {
  if (a.kind === 'words' && b.kind === 'words') {
    if (a.isNegated && b.isNegated) return true;
    const [list, other] = a.isNegated ? [b, a] : [a, b];
    return list.of.some((word) => other.of.includes(word) !== other.isNegated);
  }
  if (a.kind !== 'intervals' || b.kind !== 'intervals') return true;
  return positive(a).some((left) => positive(b).some((right) => !isEmpty(intersection(left, right))));
}

function positive({ of, isNegated }: CellSet & { kind: 'intervals' }): readonly Interval[] {
  if (!isNegated) return of;
  return of.reduce<readonly Interval[]>(
    (rest, { min, max }) => {
      const around: Interval[] = [
        ...(min ? [{ min: undefined, max: { value: min.value, isIncluded: !min.isIncluded } }] : []),
        ...(max ? [{ min: { value: max.value, isIncluded: !max.isIncluded }, max: undefined }] : []),
      ];
      return rest.flatMap((each) => around.map((part) => intersection(each, part)).filter((part) => !isEmpty(part)));
    },
    [{ min: undefined, max: undefined }],
  );
}

function intersection(a: Interval, b: Interval): Interval {
  return { min: tighter(a.min, b.min, (x, y) => x > y), max: tighter(a.max, b.max, (x, y) => x < y) };
}

function tighter(a: Bound | undefined, b: Bound | undefined, isTighter: (a: Value, b: Value) => boolean) {
  if (!a || !b) return a ?? b;
  if (a.value === b.value) return a.isIncluded ? b : a;
  return isTighter(a.value, b.value) ? a : b;
}

/** The tests of a set, all of which must hold; a text with the reason if rules cannot express it. */
export function testsOfSet(set: CellSet, { kind, test }: CellColumn): readonly object[] | string {
  if (set.kind === 'words') {
    if (set.of.length === 1) return [test(set.isNegated ? 'notEqual' : 'equal', set.of[0])];
    if (kind !== 'flag') return [test(set.isNegated ? 'notIn' : 'in', set.of)];
    // Both values of a flag.
    return set.isNegated ? 'it accepts no value' : [];
  }
  const points = set.of.map(({ min, max }) => (min && min.value === max?.value ? min.value : undefined));
  if (kind === 'zipcode') return zipcodeTests(set, points, test);
  if (points.length > 0 && !points.includes(undefined)) {
    if (points.length === 1) return [test(set.isNegated ? 'notEqual' : 'equal', points[0])];
    return [test(set.isNegated ? 'notIn' : 'in', points)];
  }
  const intervals = positive(set).map(({ min, max }) => [
    ...(min ? [test(min.isIncluded ? 'greaterThanInclusive' : 'greaterThan', min.value)] : []),
    ...(max ? [test(max.isIncluded ? 'lessThanInclusive' : 'lessThan', max.value)] : []),
  ]);
  if (intervals.length === 0) return 'it accepts no value';
  if (intervals.length === 1) return intervals[0]!;
  return [{ any: intervals.map((tests) => (tests.length === 1 ? tests[0]! : { all: tests })) }];
}

function zipcodeTests(
  { of, isNegated }: CellSet & { kind: 'intervals' },
  points: readonly (Value | undefined)[],
  test: CellColumn['test'],
): readonly object[] | string {
  const entries = of.map(({ min, max }, index) => {
    if (points[index] !== undefined) return points[index];
    return min?.isIncluded && max?.isIncluded ? `${min.value}-${max.value}` : undefined;
  });
  if (entries.length === 0) return 'it accepts no value';
  if (entries.includes(undefined)) return 'a range of ZIP codes has both ends, as ["77550".."77554"]';
  return [test(isNegated ? 'notIn' : 'in', entries)];
}
