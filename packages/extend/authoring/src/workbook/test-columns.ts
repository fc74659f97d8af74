import type { Vocabulary } from '@leeward/engine';
import { factIndex, operatorNames, parseOperator, unitOf } from '@leeward/engine/compiled';
import { didYouMean, isObject, quoteValue } from '@leeward/terms';
import type { CellForm, ReadCell } from './cell-text.ts';
import type { SheetCell } from './workbook.ts';

/** A column of tests: its cells are the values for one fact and operator. */
export interface TestColumn {
  readonly fact: string;
  readonly operator: string;
}

export interface TestHeading {
  readonly heading: string;
  readonly column: TestColumn;
  read(cell: SheetCell | undefined): ReadCell;
}

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

/** The unit is optional, but must be the unit of the fact. */
export function readHeading(heading: string, vocabulary: Vocabulary): TestColumn | { readonly fault: string } {
  const [, fact, sign, unit] = /^(\S+)\s+(\S+)(?:\s*\[\s*(.*?)\s*\])?$/.exec(heading) ?? [];
  if (fact === undefined || sign === undefined) {
    return {
      fault: `${quoteValue(heading)} is not a column. A column of tests has a heading like "roof_age greaterThan".`,
    };
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
      fault: `${quoteValue(sign)} is not an operator; write one of: ${operatorNames.join(', ')}.${didYouMean(sign, operatorNames)}`,
    };
  }
  const factUnit = reference && unitOf(reference);
  if (unit !== undefined && unit !== factUnit) {
    return {
      fault: `${fact} is ${factUnit === undefined ? 'without a unit' : `in ${factUnit}`}, not in ${quoteValue(unit)}.`,
    };
  }
  return { fact, operator };
}

export function formOf({ operator }: TestColumn): CellForm {
  return parseOperator(operator)?.base.shape === 'list' ? 'list' : 'value';
}

/** A test with only a fact, an operator and a value, which a column can represent. */
export function plainTest(
  node: unknown,
  vocabulary: Vocabulary,
): (TestColumn & { readonly value: unknown }) | undefined {
  if (!isObject(node) || Object.keys(node).sort().join() !== 'fact,operator,value') return undefined;
  const { fact, operator, value } = node;
  if (typeof fact !== 'string' || typeof operator !== 'string') return undefined;
  const column = readHeading(headingOf({ fact, operator }, vocabulary), vocabulary);
  return 'fact' in column && column.fact === fact && column.operator === operator
    ? { fact, operator, value }
    : undefined;
}

export function keyOf({ fact, operator }: TestColumn): string {
  return `${fact} ${operator}`;
}

/** Orders columns so that as many lists of tests as possible follow the order. If two lists conflict, the first one wins. */
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
