import { checkRuleSet, type Vocabulary } from '@leeward/engine';
import { type FactReference, factIndex, operatorNames, outcomes } from '@leeward/engine/compiled';
import { findState } from '@leeward/places/counties';
import { didYouMean, quoteValue, readWrittenNumber } from '@leeward/terms';
import type { Finding } from '../finding/finding.ts';
import { readTermsText } from '../workbook/terms-text.ts';
import { type Imported, type ImportOptions, lineOf, ruleSetAround } from './import-json-rules-engine.ts';

const columnsOfRule = ['id', 'outcome', 'code', 'message', 'terms'];
/** Written comparisons, longest first. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/^(>=|≥|at least)/i, 'greaterThanInclusive'],
  [/^(<=|≤|at most|up to)/i, 'lessThanInclusive'],
  [/^(<>|!=|≠|not )/i, 'notEqual'],
  [/^(>|over |more than )/i, 'greaterThan'],
  [/^(<|under |below |less than )/i, 'lessThan'],
  [/^(==|=)/, 'equal'],
];

/** Comparisons after a number: `30+`, `2 or more`, `15 or less`. */
const suffixes: readonly (readonly [RegExp, string])[] = [
  [/\s*(\+|(or|and) (more|over|above|older|up))$/i, 'greaterThanInclusive'],
  [/\s*(or|and) (less|fewer|under|below|newer)$/i, 'lessThanInclusive'],
];

interface Test {
  readonly fact: string;
  readonly operator: string;
  readonly value: unknown;
}

/**
 * Creates a rule set from a decision table: one rule per row. The columns `id`, `outcome`, `code`, `message` and `terms` belong to the
 * rule; without `outcome`, rules decline. Every other column is a fact. Its cells are comparisons: `> 15`, `30+`, `150000..1000000` or
 * `5-9` (ends included), `cloth | copper`, `not rental`; an empty cell accepts any value. A heading may contain an operator: `roof_age
 * greaterThan`. A county belongs to the state of its row.
 *
 * @param rows Cells as text; the first row has the headings.
 * @returns Findings have the path `/<row>/<column>`, counted from 0 without the heading.
 * @example
 * importDecisionTable([['id', 'roof_age'], ['old-roof', '> 20']], options).ruleSet;
 */
export function importDecisionTable(rows: readonly (readonly string[])[], options: ImportOptions): Imported {
  const [head, ...body] = rows;
  const findings: Finding[] = [];
  if (!head) {
    const message = 'The table is empty; its first row must have the column names.';
    findings.push({ code: 'empty_table', path: '', message, severity: 'fault' });
    return { ruleSet: ruleSetAround(options, []), findings, read: 0, accepted: 0 };
  }
  const line = lineOf(options);
  const columns = head.map((text, index) => readHeading(text, index, line.vocabulary, findings));
  reportRepeatedColumns(columns, findings);
  if (!columns.some((column) => column?.name === 'outcome' && !column.reference)) {
    const message = 'The table has no column "outcome", so every row declines.';
    findings.push({ code: 'no_outcome_column', path: '/heading', message, severity: 'note' });
  }
  const unread = head.flatMap((text, index) => (columns[index] || text.trim() === '' ? [] : [index]));
  const rules: unknown[] = [];
  const ids = new Set<string>();
  let read = 0;
  body.forEach((cells, row) => {
    if (cells.every((cell) => cell.trim() === '')) return;
    read++;
    const before = findings.filter(({ severity }) => severity === 'fault').length;
    const rule = readRow(columns, cells, row, ids, findings);
    // Without the unknown column, the rule would hold for more homes than intended.
    const lost = unread.find((index) => !isAny((cells[index] ?? '').trim()));
    if (lost !== undefined) {
      const message = `Left out. The column ${quoteValue(head[lost])} of the cell ${quoteValue(cells[lost])} is not a fact.`;
      findings.push({ code: 'unknown_column', path: `/${row}/${lost}`, message, severity: 'fault' });
    }
    const faultsNow = findings.filter(({ severity }) => severity === 'fault').length;
    if (
      faultsNow === before &&
      rule.when.all.length === 0 &&
      (rule.outcome === 'decline' || rule.outcome === 'refer')
    ) {
      const message = `Left out. The row has no test, so "${rule.id}" would ${rule.outcome} every home.`;
      findings.push({ code: 'no_test', path: `/${row}`, message, severity: 'fault' });
    }
    if (findings.filter(({ severity }) => severity === 'fault').length > before) return;
    const { columnsOfTests, ...file } = rule;
    const { faults, warnings } = checkRuleSet(ruleSetAround(options, [file]), line);
    const cellOf = (path: string) => {
      const column = columnsOfTests[Number(/^\/rules\/0\/when\/all\/(\d+)/.exec(path)?.[1])];
      return column === undefined ? `/${row}` : `/${row}/${column}`;
    };
    for (const { code, path, message } of faults)
      findings.push({ code, path: cellOf(path), message: `Left out. ${message}`, severity: 'fault' });
    for (const { code, path, message } of warnings)
      findings.push({ code, path: cellOf(path), message, severity: 'warning' });
    if (faults.length > 0) return;
    ids.add(rule.id);
    rules.push(file);
  });
  return { ruleSet: ruleSetAround(options, rules), findings, read, accepted: rules.length };
}

function isAny(cell: string): boolean {
  return cell === '' || cell === '-' || cell === '*';
}

interface Column {
  readonly name: string;
  readonly index: number;
  readonly reference: FactReference | undefined;
  readonly operator: string | undefined;
}

function readHeading(text: string, index: number, vocabulary: Vocabulary, findings: Finding[]): Column | undefined {
  const name = text.trim().replace(/^\uFEFF/, '');
  if (name === '') return undefined;
  const folded = name.toLowerCase();
  if (columnsOfRule.includes(folded)) return { name: folded, index, reference: undefined, operator: undefined };
  const [, fact = name, operator] = /^(\S+)\s+(\S+)$/.exec(name) ?? [];
  const factNames = factIndex(vocabulary);
  const reference = factNames.find(fact) ?? factNames.find(name.toLowerCase().replace(/[\s-]+/g, '_'));
  if (!reference || (operator !== undefined && factNames.find(fact) && !operatorNames.includes(operator))) {
    const message = `The column ${quoteValue(name)} is not a fact${operator ? ' with an operator' : ''}, so rows with a value in it are left out.${didYouMean(name, [...factNames.names, ...columnsOfRule])}`;
    findings.push({ code: 'unknown_column', path: `/heading/${index}`, message, severity: 'fault' });
    return undefined;
  }
  const isPlain = factNames.find(fact) === reference;
  return {
    name: isPlain ? fact : name.toLowerCase().replace(/[\s-]+/g, '_'),
    index,
    reference,
    operator: isPlain ? operator : undefined,
  };
}

/** Only the first is read. */
function reportRepeatedColumns(columns: readonly (Column | undefined)[], findings: Finding[]): void {
  columns.forEach((column, index) => {
    if (!column || column.reference || columns.findIndex((each) => each?.name === column.name) === index) return;
    const message = `There are two columns "${column.name}"; the first is read. Remove one of them.`;
    findings.push({ code: 'column_twice', path: `/heading/${index}`, message, severity: 'fault' });
  });
}

function readRow(
  columns: readonly (Column | undefined)[],
  cells: readonly string[],
  row: number,
  ids: ReadonlySet<string>,
  findings: Finding[],
) {
  const textOf = (name: string) => {
    const column = columns.find((each) => each?.name === name && !each.reference);
    return column ? (cells[column.index] ?? '').trim() : '';
  };
  const tests: Test[] = [];
  const columnsOfTests: number[] = [];
  const state = onlyState(columns, cells);
  for (const column of columns) {
    const cell = column ? (cells[column.index] ?? '').trim() : '';
    if (!column?.reference || isAny(cell)) continue;
    const cellTests = readCell(cell, column);
    if (cellTests) {
      tests.push(...(column.name === 'county' ? cellTests.map((test) => inState(test, state)) : cellTests));
      columnsOfTests.push(...cellTests.map(() => column.index));
    } else {
      const message = `Left out. ${quoteValue(cell)} is not a comparison with ${column.name}; write > 15, 30+, 10..20, copper | pex, or not rental.`;
      findings.push({ code: 'unknown_cell', path: `/${row}/${column.index}`, message, severity: 'fault' });
    }
  }
  let id = textOf('id') || `row-${row + 1}`;
  if (ids.has(id)) {
    const other = `${id}-${row + 1}`;
    findings.push({
      code: 'renamed',
      path: `/${row}`,
      message: `Another row has the id "${id}" too; this one becomes "${other}".`,
      severity: 'note',
    });
    id = other;
  }
  const hasOutcome = columns.some((each) => each?.name === 'outcome' && !each.reference);
  const outcomeText = hasOutcome ? textOf('outcome').toLowerCase() : 'decline';
  const outcome = outcomes.find((each) => each === outcomeText);
  if (outcomeText === '') {
    const message = `Left out. The row has no outcome; write one of: ${outcomes.join(', ')}.`;
    findings.push({ code: 'blank_outcome', path: `/${row}`, message, severity: 'fault' });
  } else if (!outcome) {
    const message = `Left out. ${quoteValue(outcomeText)} is not an outcome; write one of: ${outcomes.join(', ')}.${didYouMean(outcomeText, outcomes)}`;
    findings.push({ code: 'unknown_outcome', path: `/${row}`, message, severity: 'fault' });
  }
  const termsText = textOf('terms');
  const terms = termsText === '' ? undefined : readTermsText(termsText);
  if (terms && 'fault' in terms) {
    const path = `/${row}/${columns.findIndex((each) => each?.name === 'terms' && !each.reference)}`;
    findings.push({ code: 'unknown_cell', path, message: `Left out. ${terms.fault}`, severity: 'fault' });
  }
  return {
    id,
    outcome: outcome ?? 'decline',
    code: textOf('code') || 'x_imported',
    when: { all: tests },
    message: textOf('message') || `Outside the guide (${id}).`,
    ...(terms && 'value' in terms ? { terms: terms.value } : {}),
    columnsOfTests,
  };
}

/** Undefined unless the row has exactly one state. */
function onlyState(columns: readonly (Column | undefined)[], cells: readonly string[]): string | undefined {
  const column = columns.find((each) => each?.name === 'state' && each.operator === undefined);
  return column && findState((cells[column.index] ?? '').trim())?.code;
}

/** Adds the state of the row to a county without one. */
function inState({ value, ...test }: Test, state: string | undefined): Test {
  const withState = (each: unknown): unknown => {
    const isNameOnly = state !== undefined && typeof each === 'string' && !/,|^\d+$/.test(each);
    return isNameOnly ? `${each}, ${state}` : each;
  };
  return { ...test, value: Array.isArray(value) ? value.map(withState) : withState(value) };
}

function readCell(cell: string, { name, reference, operator }: Column): Test[] | undefined {
  const numeric =
    reference!.kind === 'derived' ||
    (reference!.kind === 'field' && reference!.field.domain({ effectiveYear: 2000 }).kind === 'numbers');
  const value = (text: string): unknown => (numeric ? readNumber(text) : text.trim().toLowerCase());
  const list = cell.split('|').map((text) => value(text));
  if (operator !== undefined) {
    const limit = operator === 'in' || operator === 'notIn' ? list : value(cell);
    return [limit].flat().includes(undefined) ? undefined : [{ fact: name, operator, value: limit }];
  }
  if (numeric) {
    const range = /^(.+?)\s*(?:\.\.|–|-|\bto\b)\s*(.+)$/i.exec(cell);
    const [from, to] = range ? [readNumber(range[1]!), readNumber(range[2]!)] : [];
    if (from !== undefined && to !== undefined) {
      return [
        { fact: name, operator: 'greaterThanInclusive', value: from },
        { fact: name, operator: 'lessThanInclusive', value: to },
      ];
    }
    for (const [sign, comparison] of suffixes) {
      const limit = sign.test(cell) ? readNumber(cell.replace(sign, '')) : undefined;
      if (limit !== undefined) return [{ fact: name, operator: comparison, value: limit }];
    }
  }
  for (const [sign, comparison] of signs) {
    const match = sign.exec(cell);
    if (!match) continue;
    const operand = cell.slice(match[0].length);
    if (comparison === 'notEqual' && operand.includes('|')) {
      const others = operand.split('|').map(value);
      return others.includes(undefined) ? undefined : [{ fact: name, operator: 'notIn', value: others }];
    }
    const one = value(operand);
    return one === undefined || operand.trim() === '' ? undefined : [{ fact: name, operator: comparison, value: one }];
  }
  if (list.includes(undefined)) return undefined;
  return [
    list.length === 1 ? { fact: name, operator: 'equal', value: list[0] } : { fact: name, operator: 'in', value: list },
  ];
}

/** A sign makes a number unreadable, because a hyphen may separate two numbers. */
function readNumber(text: string): number | undefined {
  return /^\s*[+-]/.test(text) ? undefined : readWrittenNumber(text);
}
