/**
 * Headings of columns that compute a number from a list: `count losses where kind = water and age_years < 3`, `sum losses.amount`,
 * `max losses.amount where status = open`.
 */
import type { Vocabulary } from '@leeward/engine';
import type { CellColumn } from './read-cell.ts';

const operators: Readonly<Record<string, string>> = {
  '=': 'equal',
  '<>': 'notEqual',
  '!=': 'notEqual',
  '<': 'lessThan',
  '<=': 'lessThanInclusive',
  '>': 'greaterThan',
  '>=': 'greaterThanInclusive',
};

/** The column of such a heading, or its fault; undefined for another heading. */
export function readListHeading(
  heading: string,
  vocabulary: Vocabulary,
): { readonly column: CellColumn } | { readonly fault: string } | undefined {
  const match = /^(count|sum|min|max)\s+([a-z0-9_]+)(?:\.([a-z0-9_]+))?(?:\s+where\s+(.+))?$/i.exec(heading.trim());
  if (!match) return undefined;
  const [, applyText = '', listName = '', field, condition] = match;
  const apply = applyText.toLowerCase();
  const list = vocabulary.lists?.find(({ name }) => name === listName);
  if (!list) {
    const names = (vocabulary.lists ?? []).map(({ name }) => name);
    return {
      fault: `${listName} is not a list of the line ${vocabulary.line}; its lists are: ${names.join(', ') || 'none'}.`,
    };
  }
  if ((apply === 'count') !== (field === undefined)) {
    return { fault: `Write "count ${listName}", or a number of each ${list.itemLabel}, as "sum ${listName}.amount".` };
  }
  const tests = condition === undefined ? [] : condition.split(/\s+and\s+/i).map(readTest);
  if (tests.includes(undefined)) {
    return { fault: `${condition} is not a list of tests; write "kind = water and age_years < 3".` };
  }
  const computed = {
    [apply]: list.name,
    ...(field === undefined ? {} : { of: field }),
    ...(tests.length === 0 ? {} : { where: { all: tests } }),
  };
  const unit = list.fields.flatMap((each) =>
    each.kind === 'number' && each.name === field
      ? (each.unit ?? [])
      : each.kind === 'date' && each.age === field
        ? 'years'
        : [],
  )[0];
  return { column: { kind: 'number', unit, test: (operator, value) => ({ ...computed, operator, value }) } };
}

function readTest(text: string): object | undefined {
  const [, fact, sign = '', written = ''] = /^([a-z0-9_]+)\s*(<>|!=|<=|>=|=|<|>)\s*(.+)$/i.exec(text.trim()) ?? [];
  if (fact === undefined) return undefined;
  const values = written.split('|').map((word) => readWord(word.trim()));
  if (values.length > 1) {
    const operator = sign === '=' ? 'in' : sign === '<>' || sign === '!=' ? 'notIn' : undefined;
    return operator && { fact, operator, value: values };
  }
  return { fact, operator: operators[sign], value: values[0] };
}

function readWord(word: string): string | number | boolean {
  if (/^\d+(\.\d+)?$/.test(word)) return Number(word);
  if (/^(yes|true)$/i.test(word)) return true;
  return /^(no|false)$/i.test(word) ? false : word.toLowerCase();
}
