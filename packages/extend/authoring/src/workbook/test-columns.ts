import type { Vocabulary } from '@leeward/engine';
import { factIndex, operatorNames, parseOperator, unitOf } from '@leeward/engine/compiled';
import { didYouMean, isObject, quoteValue } from '@leeward/terms';
import type { CellForm, ReadCell } from './cell-text.ts';
import type { SheetCell } from './workbook.ts';

/** A column of tests: one fact, one operator; the cells are the values. */
export interface TestColumn {
  readonly fact: string;
  readonly operator: string;
}

/** A column of tests as a sheet has it. */
export interface TestHeading {
  readonly heading: string;
  readonly column: TestColumn;
  read(cell: SheetCell | undefined): ReadCell;
}

/** Operators as people write them. */
const signs: Readonly<Record<string, string>> = {
  '>': 'greaterThan',
  '>=': 'greaterThanInclusive',
  '≥': 'greaterThanInclusive',
  '<': 'lessThan',
  '<=': 'lessThanInclusive',
  '≤': 'lessThanInclusive',
  '=': 'equal',
  '<>': 'notEqual',
  '≠': 'notEqual',
};

/** `roof_age greaterThan [years]` */
export function headingOf({ fact, operator }: TestColumn, vocabulary: Vocabulary): string {
  const reference = factIndex(vocabulary).find(fact);
  const unit = reference && unitOf(reference);
  return `${fact} ${operator}${unit === undefined ? '' : ` [${unit}]`}`;
}

/** The column that a heading means, or why it means none. The unit may be left out; another than the fact's is a fault. */
export function readHeading(heading: string, vocabulary: Vocabulary): TestColumn | { readonly fault: string } {
  const [, fact, sign, unit] = /^(\S+)\s+(\S+)(?:\s*\[\s*(.*?)\s*\])?$/.exec(heading) ?? [];
  if (fact === undefined || sign === undefined) {
    return { fault: `${quoteValue(heading)} is no column; a column of tests is called like "roof_age greaterThan".` };
  }
  const index = factIndex(vocabulary);
  const reference = index.find(fact);
  if (!reference && !index.sets.has(fact)) {
    return {
      fault: `${quoteValue(fact)} is not a fact of the line ${vocabulary.line}.${didYouMean(fact, index.names)}`,
    };
  }
  const operator = signs[sign] ?? sign;
  if (!parseOperator(operator)) {
    return {
      fault: `${quoteValue(sign)} is no operator; there are: ${operatorNames.join(', ')}.${didYouMean(sign, operatorNames)}`,
    };
  }
  const known = reference && unitOf(reference);
  if (unit !== undefined && unit !== known) {
    return {
      fault: `${fact} is ${known === undefined ? 'without a unit' : `in ${known}`}, not in ${quoteValue(unit)}.`,
    };
  }
  return { fact, operator };
}

/** In a column of lists a cell holds words between bars. */
export function formOf({ operator }: TestColumn): CellForm {
  return parseOperator(operator)?.base.shape === 'list' ? 'list' : 'value';
}

/** A test that a column can hold: a fact, an operator, a value and nothing else. */
export function plainTest(
  node: unknown,
  vocabulary: Vocabulary,
): (TestColumn & { readonly value: unknown }) | undefined {
  if (!isObject(node) || Object.keys(node).sort().join() !== 'fact,operator,value') return undefined;
  const { fact, operator, value } = node;
  if (typeof fact !== 'string' || typeof operator !== 'string') return undefined;
  const read = readHeading(headingOf({ fact, operator }, vocabulary), vocabulary);
  return 'fact' in read && read.fact === fact && read.operator === operator ? { fact, operator, value } : undefined;
}

export function keyOf({ fact, operator }: TestColumn): string {
  return `${fact} ${operator}`;
}

/**
 * Columns for lists of tests, in an order that as many lists as possible follow: each list's own order is kept where no other
 * contradicts it; where two do, the one that comes first.
 */
export function orderColumns(lists: readonly (readonly TestColumn[])[]): TestColumn[] {
  const columns = new Map<string, TestColumn>();
  const before = new Map<string, Set<string>>();
  for (const list of lists) {
    list.forEach((column, index) => {
      const key = keyOf(column);
      if (!columns.has(key)) {
        columns.set(key, column);
        before.set(key, new Set());
      }
      const previous = list[index - 1];
      if (previous && keyOf(previous) !== key) before.get(key)!.add(keyOf(previous));
    });
  }
  const ordered: TestColumn[] = [];
  while (columns.size > 0) {
    const isFree = ([key]: [string, TestColumn]) => [...before.get(key)!].every((each) => !columns.has(each));
    const [key, column] = [...columns].find(isFree) ?? [...columns][0]!;
    ordered.push(column);
    columns.delete(key);
  }
  return ordered;
}
