import { type CellSet, has } from '@leeward/engine/compiled';
import type { DialectWriter } from './dialect.ts';

/**
 * Tests of one axis in SQL. Each is true if all possible values of the home are in the cells, false if none is, and null otherwise.
 * A known value is in the cells or not, and an unknown one makes the comparison null, so plain comparisons suffice. A range needs both
 * comparisons: of the cells, and of the others.
 */

const buffer = new DataView(new ArrayBuffer(8));

/** The next lower number. */
function numberBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  buffer.setFloat64(0, value);
  buffer.setBigInt64(0, buffer.getBigInt64(0) + (value > 0 ? -1n : 1n));
  return buffer.getFloat64(0);
}

/** A literal that every engine reads as this floating-point number. */
export function numberLiteral(value: number): string {
  const text = String(value);
  // Engines convert decimals of up to 15 digits exactly.
  return text.replace(/\D/g, '').length <= 15 || Number.isSafeInteger(value)
    ? text
    : `${text.replace(/e.*/, '')}e${/e(.*)/.exec(text)?.[1] ?? '0'}`;
}

/** `column >= bound`, or `column > limit` for the bound next above a limit. */
function fromBound(column: string, bound: number): string {
  const limit = numberBelow(bound);
  return isShorter(limit, bound) ? `${column} > ${numberLiteral(limit)}` : `${column} >= ${numberLiteral(bound)}`;
}

function belowBound(column: string, bound: number): string {
  const limit = numberBelow(bound);
  return isShorter(limit, bound) ? `${column} <= ${numberLiteral(limit)}` : `${column} < ${numberLiteral(bound)}`;
}

const isShorter = (a: number, b: number) => String(a).length < String(b).length;

/** An interval of numbers: `from` included, `to` excluded. */
interface Interval {
  readonly from: number;
  readonly to: number;
}

function intervalsOf(cells: CellSet, bounds: ArrayLike<number>, isIn: boolean): Interval[] {
  const intervals: { from: number; to: number }[] = [];
  for (let cell = 0; cell < bounds.length; cell++) {
    if (has(cells, cell) !== isIn) continue;
    const [from, to] = [bounds[cell]!, bounds[cell + 1] ?? Number.POSITIVE_INFINITY];
    const last = intervals.at(-1);
    if (last?.to === from) last.to = to;
    else intervals.push({ from, to });
  }
  return intervals;
}

function isBetween({ from, to }: Interval, min: string, max: string): string {
  const [hasFrom, hasTo] = [from > Number.NEGATIVE_INFINITY, to < Number.POSITIVE_INFINITY];
  if (min === max && hasFrom && hasTo && numberBelow(to) === from) return `${min} = ${numberLiteral(from)}`;
  return [...(hasFrom ? [fromBound(min, from)] : []), ...(hasTo ? [belowBound(max, to)] : [])].join(' AND ') || 'TRUE';
}

/** @param bounds Cell `c` holds the numbers from `bounds[c]` to below `bounds[c + 1]`. */
export function numberTest(column: string, cells: CellSet, bounds: ArrayLike<number>): string {
  const tests = intervalsOf(cells, bounds, true).map((each) => isBetween(each, column, column));
  return tests.length === 1 ? tests[0]! : `(${tests.join(' OR ')})`;
}

/** Like `numberTest`, for a number between two columns, both included. Faster than CASE, which copies rows. */
export function rangeTest(
  min: string,
  max: string,
  cells: CellSet,
  bounds: ArrayLike<number>,
  { unknown }: DialectWriter,
): string {
  const intervals = intervalsOf(cells, bounds, true);
  const possible = intervals.map((each) => isBetween(each, max, min)).join(' OR ');
  const certain = intervals.map((each) => isBetween(each, min, max)).join(' OR ');
  return `((${possible}) AND (${certain} OR ${unknown}))`;
}

export function wordTest(
  column: string,
  cells: CellSet,
  words: readonly string[],
  { text, isIn }: DialectWriter,
): string {
  const [inside, outside] = [true, false].map((isInside) =>
    words.filter((_, cell) => has(cells, cell) === isInside).map((word) => text(word)),
  ) as [string[], string[]];
  if (inside.length === 1) return `${column} = ${inside[0]}`;
  if (outside.length === 1) return `${column} <> ${outside[0]}`;
  return inside.length <= outside.length ? isIn(column, inside) : `NOT ${isIn(column, outside)}`;
}

/** A cell of the place: a county that a rule names, or all others of its state. */
export interface PlaceCell {
  readonly state: string;
  /** FIPS code; undefined for the counties that no rule names. */
  readonly county: number | undefined;
}

/** @param ambiguous Counties that a name can mean; entry n has the code −2−n in the column of counties. */
export function placeTest(
  cells: CellSet,
  places: readonly PlaceCell[],
  ambiguous: readonly (readonly number[])[],
  dialect: DialectWriter,
): string {
  const byState = new Map<string, { inside: number[]; outside: number[]; others: boolean | undefined }>();
  places.forEach(({ state, county }, cell) => {
    const own = byState.get(state) ?? { inside: [], outside: [], others: undefined };
    byState.set(state, own);
    const isInside = has(cells, cell);
    if (county === undefined) own.others = isInside;
    else own[isInside ? 'inside' : 'outside'].push(county);
  });
  const whole: string[] = [];
  const tests: string[] = [];
  for (const [state, { inside, outside, others }] of byState) {
    if (outside.length === 0 && others !== false) whole.push(dialect.text(state));
    else if (inside.length > 0 || others === true) {
      const isOneOf = others === true || others === undefined;
      const listed = new Set(isOneOf ? outside : inside);
      let county = 'lw_county';
      ambiguous.forEach((counties, entry) => {
        const count = counties.filter((each) => listed.has(each)).length;
        if (count === counties.length) listed.add(-2 - entry);
        else if (count > 0) county = `nullif(${county}, ${-2 - entry})`;
      });
      const test = dialect.isIn(county, [...listed].map(String));
      tests.push(`lw_state = ${dialect.text(state)} THEN ${isOneOf ? 'NOT ' : ''}${test}`);
    }
  }
  const isWhole = whole.length > 0 ? dialect.isIn('lw_state', whole) : 'FALSE';
  if (tests.length === 0) return isWhole;
  // CASE, so that the counties of other states are not compared.
  return `CASE WHEN ${tests.join(' WHEN ')} ELSE ${isWhole} END`;
}
