/** Tests of rules as texts in FEEL, the expression language of DMN. Undefined for a test that FEEL cannot express. */
import type { Vocabulary } from '@leeward/engine';
import {
  type Aggregate,
  type Computed,
  factIndex,
  type Leaf,
  parseOperator,
  type Tree,
  valueFact,
} from '@leeward/engine/compiled';
import type { ListField } from '@leeward/engine/vocabulary';

/** Types of facts in DMN. */
export type DmnType = 'number' | 'string' | 'boolean';

/** One column of a decision table, and the cell of a row. */
export interface DmnTest {
  readonly input: string;
  readonly type: DmnType;
  readonly cell: string;
  /** The interval that the cell selects, if it is one. */
  readonly interval?: Interval;
}

/** Bounds on a number. */
export interface Interval {
  readonly min?: Bound;
  readonly max?: Bound;
}

interface Bound {
  readonly value: number;
  readonly isIncluded: boolean;
}

/** Ages of items of a list are at most this, in years. */
const MAX_ITEM_AGE = 300;

/** Returns a constant in FEEL; undefined for other values than numbers, texts and booleans. */
export function literalOf(value: unknown): string | undefined {
  if (typeof value === 'number') return numeralOf(value);
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? textOf(value) : undefined;
}

/** Numbers of FEEL have no exponent. */
function numeralOf(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const text = String(value);
  if (!text.includes('e')) return text;
  const [digits = '', exponent = '0'] = text.split('e');
  const [whole = '', part = ''] = digits.replace('-', '').split('.');
  const shift = Number(exponent);
  const sign = value < 0 ? '-' : '';
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${whole}${part}`;
  return `${sign}${whole}${part.padEnd(shift, '0')}`;
}

/** A text in quotes. Characters that XML excludes are escaped as FEEL does. */
export function textOf(value: string): string {
  const escaped = value.replace(/["\\]/g, '\\$&').replace(/[^\u0020-\ufffd]/g, escapeUnit);
  return `"${escaped}"`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Returns a test as a column and a cell; a constant if the test has one result in every home. */
export function testOf(leaf: Leaf, isNegated: boolean, vocabulary: Vocabulary): DmnTest | boolean | undefined {
  const { written } = leaf;
  if (leaf.path !== undefined || leaf.params !== undefined) return undefined;
  const parsed = parseOperator(leaf.operator);
  if (!parsed?.decorators.every((each) => each === 'not')) return undefined;
  const isReversed = (parsed.decorators.length % 2 === 1) !== isNegated;
  const operator = parsed.base.name;
  if (leaf.computed) return computedTest(leaf, leaf.computed, operator, isReversed, vocabulary);
  if (factIndex(vocabulary).sets.has(written.fact)) {
    const word = literalOf(written.value);
    const has = (leaf.operator === 'equal') !== isNegated;
    return word === undefined ? undefined : truth(`list contains(${written.fact}, ${word})`, has);
  }
  const type = typeOfFact(written.fact, vocabulary);
  if (type === undefined) return undefined;
  const other = valueFact(written.value);
  if (other) return comparison(written.fact, other.fact, operator, isReversed, vocabulary);
  if (parsed.base.shape === 'ranges') return rangesTest(leaf, isReversed !== (operator === 'notInRanges'));
  const value = leaf.fact === 'county' ? leaf.value : written.value;
  return constantTest(written.fact, type, operator, value, isReversed);
}

function truth(expression: string, isTrue: boolean): DmnTest {
  return { input: expression, type: 'boolean', cell: String(isTrue) };
}

/** The type of a fact of a complete home; undefined for facts of the host. */
export function typeOfFact(name: string, vocabulary: Vocabulary): DmnType | undefined {
  const reference = factIndex(vocabulary).find(name);
  if (!reference) return undefined;
  if (reference.kind !== 'field') return reference.kind === 'derived' ? 'number' : 'string';
  const { field } = reference;
  if (field.member) return undefined;
  if (field.form) return field.form.name === 'flag' ? 'boolean' : 'string';
  return field.domain({ effectiveYear: 2026 }).kind === 'numbers' ? 'number' : 'string';
}

const reversed: Readonly<Record<string, string>> = {
  equal: 'notEqual',
  notEqual: 'equal',
  in: 'notIn',
  notIn: 'in',
  lessThan: 'greaterThanInclusive',
  greaterThanInclusive: 'lessThan',
  greaterThan: 'lessThanInclusive',
  lessThanInclusive: 'greaterThan',
};
const signs: Readonly<Record<string, string>> = {
  equal: '=',
  notEqual: '!=',
  lessThan: '<',
  lessThanInclusive: '<=',
  greaterThan: '>',
  greaterThanInclusive: '>=',
};

/** Compares an input with constants of its type. */
function constantTest(
  input: string,
  type: DmnType,
  written: string,
  value: unknown,
  isReversed: boolean,
): DmnTest | boolean | undefined {
  const operator = isReversed ? reversed[written] : written;
  if (operator === undefined) return undefined;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isList = operator === 'in' || operator === 'notIn';
  const isOrder = operator.includes('Than');
  if (isList !== Array.isArray(value) || !values.every((each) => typeof each === type)) return undefined;
  if (isOrder && type === 'boolean') return undefined;
  const literals = values.map(literalOf);
  if (!literals.every((each) => each !== undefined)) return undefined;
  if (literals.length === 0) return operator === 'notIn';
  if (!isOrder) {
    const isWithin = operator === 'in' || operator === 'equal';
    const list = [...new Set(literals)].join(', ');
    return { input, type, cell: isWithin ? list : `not(${list})` };
  }
  const cell = `${signs[operator]} ${literals[0]}`;
  if (type !== 'number') return { input, type, cell };
  const bound = { value: values[0] as number, isIncluded: operator.endsWith('Inclusive') };
  return { input, type, cell, interval: operator.startsWith('less') ? { max: bound } : { min: bound } };
}

/** ZIP codes as texts of five digits, which compare like numbers. */
function rangesTest({ value, written }: Leaf, isReversed: boolean): DmnTest | boolean {
  const ends = (value as readonly number[]).map((end) => textOf(String(end).padStart(5, '0')));
  const ranges = ends.flatMap((min, index) => (index % 2 === 0 ? [[min, ends[index + 1]!] as const] : []));
  if (ranges.length === 0) return isReversed;
  const parts = ranges.map(([min, max]) => (min === max ? min : `[${min}..${max}]`)).join(', ');
  return { input: written.fact, type: 'string', cell: isReversed ? `not(${parts})` : parts };
}

/** Compares two facts of one type. */
function comparison(
  left: string,
  right: string,
  written: string,
  isReversed: boolean,
  vocabulary: Vocabulary,
): DmnTest | undefined {
  const type = typeOfFact(left, vocabulary);
  const operator = isReversed ? reversed[written] : written;
  const sign = operator === undefined ? undefined : signs[operator];
  if (type === undefined || type !== typeOfFact(right, vocabulary) || sign === undefined) return undefined;
  if (type === 'boolean' && operator?.includes('Than')) return undefined;
  return truth(`${left} ${sign} ${right}`, true);
}

function computedTest(
  { sides, value }: Leaf,
  computed: Computed,
  written: string,
  isReversed: boolean,
  vocabulary: Vocabulary,
): DmnTest | boolean | undefined {
  const operator = isReversed ? reversed[written] : written;
  if (sides) {
    const [left, right] = sides.map((side) => numberOf(side, vocabulary));
    const sign = operator === undefined ? undefined : signs[operator];
    if (left === undefined || right === undefined || sign === undefined) return undefined;
    return truth(`${left} ${sign} ${right}`, true);
  }
  const input = numberOf(computed, vocabulary);
  return input === undefined ? undefined : constantTest(input, 'number', written, value, isReversed);
}

type Operand = NonNullable<Leaf['sides']>[number];

/** Returns a computed number as an expression. */
function numberOf(operand: Operand, vocabulary: Vocabulary): string | undefined {
  switch (operand.kind) {
    case 'number':
      return numeralOf(operand.value);
    case 'fact':
      return typeOfFact(operand.fact, vocabulary) === 'number' ? operand.fact : undefined;
    case 'aggregate':
      return aggregateOf(operand);
    case 'operation': {
      const of = operand.of.map((each) => numberOf(each, vocabulary));
      if (!of.every((each) => each !== undefined)) return undefined;
      if (operand.apply === 'min' || operand.apply === 'max') return `${operand.apply}(${of.join(', ')})`;
      if (operand.apply === 'percent_of') return `(${of.join(' * ')} / 100)`;
      const sign = { add: ' + ', subtract: ' - ', multiply: ' * ' }[operand.apply];
      return `(${of.join(sign)})`;
    }
    default:
      return undefined;
  }
}

/** Filters the items, then counts or adds up. */
function aggregateOf({ apply, list, field, where }: Aggregate): string | undefined {
  const condition = where ? itemConditionOf(where, list) : 'true';
  if (condition === undefined) return undefined;
  const items = condition === 'true' ? list.name : `${list.name}[${condition}]`;
  if (apply === 'count') return `count(${items})`;
  const { min, max } = rangeOfItemField(list, field!);
  // The number of no items.
  const none = apply === 'sum' ? 0 : apply === 'max' ? min - 1 : max + 1;
  return `${apply}(append(${items}.${field}, ${none}))`;
}

function rangeOfItemField({ fields }: ListField, name: string): { readonly min: number; readonly max: number } {
  const field = fields.find((each) => each.name === name);
  return field?.kind === 'number' ? field : { min: 0, max: MAX_ITEM_AGE };
}

function itemConditionOf(tree: Tree, list: ListField): string | undefined {
  if (tree.kind === 'leaf') return itemTestOf(tree, list);
  if (tree.kind === 'not') {
    const of = itemConditionOf(tree.of, list);
    return of === undefined ? undefined : `not(${of})`;
  }
  // An empty list of either kind is true.
  if (tree.of.length === 0) return 'true';
  const parts = tree.of.map((each) => itemConditionOf(each, list));
  if (!parts.every((each) => each !== undefined)) return undefined;
  return parts.length === 1 ? parts[0] : `(${parts.join(tree.kind === 'all' ? ' and ' : ' or ')})`;
}

function itemTestOf({ operator, written }: Leaf, { fields }: ListField): string | undefined {
  const parsed = parseOperator(operator);
  if (!parsed?.decorators.every((each) => each === 'not')) return undefined;
  const base = parsed.decorators.length % 2 === 1 ? reversed[parsed.base.name] : parsed.base.name;
  const name = written.fact;
  if (base === undefined || !fields.some((each) => each.name === name || (each.kind === 'date' && each.age === name))) {
    return undefined;
  }
  const fact = `item.${name}`;
  if (base === 'in' || base === 'notIn') {
    const values = Array.isArray(written.value) ? written.value.map(literalOf) : [undefined];
    if (!values.every((each) => each !== undefined)) return undefined;
    const isWithin = `list contains([${values.join(', ')}], ${fact})`;
    return base === 'in' ? isWithin : `not(${isWithin})`;
  }
  const value = literalOf(written.value);
  return value === undefined || signs[base] === undefined ? undefined : `${fact} ${signs[base]} ${value}`;
}
