/**
 * Reads a cell of a decision table as tests of its column.
 *
 * Numbers: `> 15`, `at least 150`, `30+`, `2 or more`, `75,000 to 500,000` (ends included), `outside 75,000–500,000`, each with the unit
 * of the fact or without: `> 30 days`. Words: `cloth | copper`, `not rental`. ZIP codes: `77550-77554 | 775*`. Flags: `yes`, `no`.
 */
import { type FactReference, unitOf } from '@leeward/engine/compiled';
import { readWrittenNumber } from '@leeward/terms';

/** A column of tests: the kind and unit of its values. */
export interface CellColumn {
  readonly kind: 'number' | 'word' | 'flag' | 'date' | 'zipcode' | 'set';
  readonly unit: string | undefined;
  /** Writes a test of the column. */
  test(operator: string, value: unknown): object;
}

/** Written comparisons, longest first. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/^(>=|≥|at least |minimum( of)? |min\.? |no less than |not less than )/i, 'greaterThanInclusive'],
  [/^(<=|≤|at most |up to |maximum( of)? |max\.? |no more than |not more than )/i, 'lessThanInclusive'],
  [/^(<>|!=|≠|not )/i, 'notEqual'],
  [/^(>|over |more than |above )/i, 'greaterThan'],
  [/^(<|under |below |less than |fewer than )/i, 'lessThan'],
  [/^(==|=)/, 'equal'],
];

/** Comparisons after a number: `30+`, `2 or more`, `15 or less`. */
const suffixes: readonly (readonly [RegExp, string])[] = [
  [/\s*(\+|(or|and) (more|over|above|older|up))$/i, 'greaterThanInclusive'],
  [/\s*(or|and) (less|fewer|under|below|newer)$/i, 'lessThanInclusive'],
];

/** Other spellings of units, in lower case. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  dollars: ['dollar', 'usd'],
  percent: ['%', 'pct'],
  feet: ['foot', 'ft', 'ft.'],
  miles: ['mile', 'mi', 'mi.'],
  meters: ['meter', 'm'],
  years: ['year', 'yr', 'yrs', 'years old', 'year old'],
  months: ['month', 'mo'],
  days: ['day', 'd'],
  acres: ['acre', 'ac'],
  'square feet': ['square foot', 'sq ft', 'sq. ft.', 'sqft', 'sf'],
};

/** The column of a fact. */
export function columnOfFact(name: string, reference: FactReference): CellColumn {
  const test = (operator: string, value: unknown) => ({ fact: name, operator, value });
  const form = reference.kind === 'field' ? reference.field.form?.name : undefined;
  if (form !== undefined) return { kind: form, unit: undefined, test };
  const isNumeric =
    reference.kind === 'derived' ||
    (reference.kind === 'field' && reference.field.domain({ effectiveYear: 2000 }).kind === 'numbers');
  return { kind: isNumeric ? 'number' : 'word', unit: unitOf(reference), test };
}

/** The column of a set: its cells are words, one of which the set has. */
export function columnOfSet(name: string): CellColumn {
  return { kind: 'set', unit: undefined, test: (operator, value) => ({ fact: name, operator, value }) };
}

/** Undefined if the cell is not a comparison. */
export function readCell(cell: string, column: CellColumn): object[] | undefined {
  switch (column.kind) {
    case 'number':
      return readNumbers(cell, column);
    case 'zipcode':
      return readZipcodes(cell, column);
    case 'flag':
      return readFlag(cell, column);
    case 'set':
      return readSet(cell, column);
    case 'date':
    case 'word':
      return readComparison(cell, column, (text) => text.trim().toLowerCase() || undefined);
  }
}

/** Reads the cell of a column whose heading has the operator: the value, or a list of values. */
export function readValue(cell: string, column: CellColumn, operator: string): object[] | undefined {
  const value = (text: string): unknown =>
    column.kind === 'number' ? readNumber(text, column.unit) : text.trim().toLowerCase();
  const limit = operator === 'in' || operator === 'notIn' ? cell.split('|').map(value) : value(cell);
  return [limit].flat().includes(undefined) ? undefined : [column.test(operator, limit)];
}

const dash = String.raw`\.\.|–|—|-|\bto\b|\band\b`;
const rangePattern = new RegExp(String.raw`^(?:(?:between|from)\s+)?(.+?)\s*(?:${dash})\s*(.+)$`, 'i');
const outsidePattern = /^(?:outside( of)?|not between|not within|not in|not)\s+(?=[\d$.])/i;

function readNumbers(cell: string, column: CellColumn): object[] | undefined {
  const { unit, test } = column;
  const inner = cell.replace(outsidePattern, '');
  const range = readRange(inner, unit);
  if (range) {
    const [from, to] = range;
    if (from > to) return undefined;
    return inner === cell
      ? [test('greaterThanInclusive', from), test('lessThanInclusive', to)]
      : [{ any: [test('lessThan', from), test('greaterThan', to)] }];
  }
  const plain = withoutUnit(cell, unit);
  for (const [sign, comparison] of suffixes) {
    if (!sign.test(plain)) continue;
    const limit = readNumber(plain.replace(sign, ''), unit);
    if (limit !== undefined) return [test(comparison, limit)];
  }
  return readComparison(cell, column, (text) => readNumber(text, unit));
}

function readRange(text: string, unit: string | undefined): readonly [number, number] | undefined {
  const [, first = '', second = ''] = rangePattern.exec(text) ?? [];
  const [from, to] = [readNumber(first, unit), readNumber(second, unit)];
  return from === undefined || to === undefined ? undefined : [from, to];
}

function readComparison(cell: string, { test }: CellColumn, value: (text: string) => unknown): object[] | undefined {
  for (const [sign, comparison] of signs) {
    const match = sign.exec(cell);
    if (!match) continue;
    const operand = cell.slice(match[0].length);
    if (comparison === 'notEqual' && operand.includes('|')) {
      const others = operand.split('|').map(value);
      return others.includes(undefined) ? undefined : [test('notIn', others)];
    }
    const one = value(operand);
    return one === undefined ? undefined : [test(comparison, one)];
  }
  const list = cell.split('|').map(value);
  if (list.includes(undefined)) return undefined;
  return [list.length === 1 ? test('equal', list[0]) : test('in', list)];
}

/** ZIP codes, ranges and prefixes, separated by bars, commas or semicolons. */
function readZipcodes(cell: string, { test }: CellColumn): object[] | undefined {
  const inner = cell.replace(/^(not( in)?|outside( of)?)\s+/i, '');
  const entries = inner
    .split(/[|,;]/)
    .map((entry) => entry.trim().replace(/\s*(?:\.\.|–|—|-|\bto\b)\s*/i, '-'))
    .filter((entry) => entry !== '');
  if (entries.length === 0 || !entries.every((entry) => /^(\d{5}(-\d{5})?|\d{1,4}\*)$/.test(entry))) return undefined;
  const isNegative = inner !== cell;
  const isOne = entries.length === 1 && /^\d{5}$/.test(entries[0]!);
  if (isOne) return [test(isNegative ? 'notEqual' : 'equal', entries[0])];
  return [test(isNegative ? 'notIn' : 'in', entries)];
}

function readFlag(cell: string, { test }: CellColumn): object[] | undefined {
  if (/^(yes|y|true|x)$/i.test(cell)) return [test('equal', true)];
  return /^(no|n|false)$/i.test(cell) ? [test('equal', false)] : undefined;
}

function readSet(cell: string, { test }: CellColumn): object[] | undefined {
  const inner = cell.replace(/^(not|none of)\s+/i, '');
  const words = inner.split('|').map((word) => word.trim().toLowerCase());
  if (words.includes('')) return undefined;
  return [test(inner === cell ? 'someFact:in' : 'everyFact:notIn', words)];
}

function withoutUnit(text: string, unit: string | undefined): string {
  const trimmed = text.trim();
  if (unit === undefined) return trimmed;
  const lower = trimmed.toLowerCase();
  const names = [unit, ...(spellings[unit] ?? [])].sort((a, b) => b.length - a.length);
  const name = names.find((each) => lower.endsWith(each) && !/[a-z]$/.test(lower.slice(0, -each.length)));
  return name === undefined ? trimmed : trimmed.slice(0, -name.length).trim();
}

/** A sign makes a number unreadable, because a hyphen may separate two numbers. */
function readNumber(text: string, unit: string | undefined): number | undefined {
  const plain = withoutUnit(text, unit);
  return /^\s*[+-]/.test(plain) ? undefined : readWrittenNumber(plain);
}
