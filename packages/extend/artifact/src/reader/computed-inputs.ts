import type { Manifest } from '../format/manifest.ts';
import type { KernelColumn } from '../kernel/create-kernel.ts';
import type { ArithmeticProgram } from '../tables/arithmetic-program.ts';
import type { ImageInput } from './image-inputs.ts';

/** A range of possible numbers, both ends included. */
type Range = readonly [min: number, max: number];

type Apply = Extract<ArithmeticProgram, { apply: string }>['apply'];

/** A test of one program against another. */
export interface ProgramTest {
  readonly operator: string;
  readonly of: readonly [ArithmeticProgram, ArithmeticProgram];
}

const FIRST_YEAR = 1600;

/**
 * Adds the columns of inputs that are computed from others: arithmetic, and tests of one fact against another. A program uses what is
 * known of a field: its number, or the range of its domain, bounded by relations.
 */
export function computeInputs(
  { inputs, relations }: Pick<Manifest, 'inputs' | 'relations'>,
  images: readonly ImageInput[],
  columns: readonly (KernelColumn | undefined)[],
  years: Float64Array,
): readonly (KernelColumn | undefined)[] {
  const isComputed = inputs.map(
    ({ program, test, by_count: byCount }, number) => !columns[number] && (program ?? test ?? byCount) !== undefined,
  );
  if (!isComputed.includes(true)) return columns;
  const byName = new Map(inputs.map(({ name }, number) => [name, number]));
  const pairs = relations.map(([lower, higher]) => [byName.get(lower)!, byName.get(higher)!] as const);
  const related = [...new Set(pairs.flat())];
  const [row, ranges] = [{ at: 0, isOpen: false }, new Map<number, Range>()];
  const isYear = inputs.map(({ form }) => form !== undefined);
  const readRange = (number: number): Range => {
    const [lower, upper] = [columns[number]?.values[row.at], columns[number]?.upper?.[row.at]];
    if (lower !== undefined && !Number.isNaN(lower)) return [lower, upper ?? lower];
    const { min, max } = images[number]!;
    return isYear[number] ? [FIRST_YEAR, years[row.at]! + 1] : [min, max];
  };
  const bound = () => {
    ranges.clear();
    for (const number of related) ranges.set(number, readRange(number));
    for (let pass = 0; pass < pairs.length; pass++) if (!boundOnce(pairs, ranges)) break;
  };
  const rangeOf = (program: ArithmeticProgram): Range => {
    if (typeof program === 'number') return [program, program];
    if (typeof program === 'string') {
      const number = byName.get(program)!;
      const [own, range] = [readRange(number), ranges.get(number)];
      if (Number.isNaN(columns[number]?.values[row.at] ?? Number.NaN)) row.isOpen ||= !range || isSame(own, range);
      return range ?? own;
    }
    if ('age_of' in program) {
      const [min, max] = rangeOf(program.age_of);
      const year = years[row.at]!;
      return [Math.max(0, year - max), Math.max(0, year - min)];
    }
    const [first, ...rest] = program.of.map(rangeOf);
    return rest.reduce((range, next) => combine(program.apply, range, next), first!);
  };
  return columns.map((column, number) => {
    if (!isComputed[number]) return column;
    const { program, test, by_count: byCount } = inputs[number]!;
    const lower = new Float64Array(years.length);
    const upper = new Float64Array(years.length);
    for (row.at = 0; row.at < years.length; row.at++) {
      bound();
      row.isOpen = false;
      const range = test
        ? outcomeOf(test, rangeOf)
        : byCount
          ? byCount.ranges[columns[byCount.input]?.values[row.at] ?? Number.NaN]
          : rangeOf(program as ArithmeticProgram);
      // A test of an unknown fact is open, even if it held for every value.
      [lower[row.at], upper[row.at]] = range && !(test && row.isOpen) ? range : [Number.NaN, Number.NaN];
    }
    return { values: lower, upper };
  });
}

function isSame(a: Range, b: Range): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** Narrows the ranges by each relation. Returns false if none was narrowed. */
function boundOnce(pairs: readonly (readonly [number, number])[], ranges: Map<number, Range>): boolean {
  let isNarrowed = false;
  for (const [lower, higher] of pairs) {
    const [low, high] = [ranges.get(lower)!, ranges.get(higher)!];
    const [highest, lowest] = [Math.min(low[1], high[1]), Math.max(low[0], high[0])];
    if ((highest === low[1] && lowest === high[0]) || low[0] > highest || lowest > high[1]) continue;
    ranges.set(lower, [low[0], highest]);
    ranges.set(higher, [lowest, high[1]]);
    isNarrowed = true;
  }
  return isNarrowed;
}

function combine(apply: Apply, [min, max]: Range, [otherMin, otherMax]: Range): Range {
  switch (apply) {
    case 'add':
      return [min + otherMin, max + otherMax];
    case 'subtract':
      return [min - otherMax, max - otherMin];
    case 'min':
      return [Math.min(min, otherMin), Math.min(max, otherMax)];
    case 'max':
      return [Math.max(min, otherMin), Math.max(max, otherMax)];
    case 'multiply':
    case 'percent_of': {
      const divisor = apply === 'multiply' ? 1 : 100;
      const corners = [min * otherMin, min * otherMax, max * otherMin, max * otherMax].map((each) => each / divisor);
      return [Math.min(...corners), Math.max(...corners)];
    }
  }
}

/** 1 if a test holds for all values, 0 if it fails for all; undefined if it is open. */
function outcomeOf({ operator, of }: ProgramTest, rangeOf: (program: ArithmeticProgram) => Range): Range | undefined {
  const [[min, max], [otherMin, otherMax]] = [rangeOf(of[0]), rangeOf(of[1])];
  const isDisjoint = min > otherMax || otherMin > max;
  if (min < max && otherMin < otherMax && !isDisjoint) return undefined;
  const decide = (holds: boolean, fails: boolean): Range | undefined => (holds ? [1, 1] : fails ? [0, 0] : undefined);
  switch (operator) {
    case 'greaterThan':
      return decide(min > otherMax, max <= otherMin);
    case 'greaterThanInclusive':
      return decide(min >= otherMax, max < otherMin);
    case 'lessThan':
      return decide(max < otherMin, min >= otherMax);
    case 'lessThanInclusive':
      return decide(max <= otherMin, min > otherMax);
    default:
      return undefined;
  }
}
