import { checkRuleSet, type Vocabulary } from '@leeward/engine';
import { factIndex, operatorNames, outcomes } from '@leeward/engine/compiled';
import { findState } from '@leeward/places/counties';
import { didYouMean, quoteValue } from '@leeward/terms';
import type { Finding } from '../finding/finding.ts';
import { readTermsText } from '../workbook/terms-text.ts';
import { type Imported, type ImportOptions, lineOf, ruleSetAround } from './import-json-rules-engine.ts';
import { readListHeading } from './list-heading.ts';
import { type CellColumn, columnOfFact, columnOfSet, readCell, readValue } from './read-cell.ts';

const columnsOfRule = ['id', 'outcome', 'code', 'message', 'terms'];
/**
 * Creates a rule set from a decision table: one rule per row. The columns `id`, `outcome`, `code`, `message` and `terms` belong to the
 * rule; without `outcome`, rules decline. Every other column is a fact. Its cells are comparisons: `> 15`, `30+`, `150000..1000000` or
 * `5-9` (ends included), `outside 75,000–500,000`, `> 30 days`, `cloth | copper`, `not rental`; an empty cell accepts any value. A
 * heading may contain an operator (`roof_age greaterThan`) or count a list (`count losses where kind = water`). A county belongs to the
 * state of its row.
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
  if (!columns.some((column) => column?.name === 'outcome' && !column.cells)) {
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
  /** Undefined for a column of the rule. */
  readonly cells: CellColumn | undefined;
  readonly operator: string | undefined;
}

function readHeading(text: string, index: number, vocabulary: Vocabulary, findings: Finding[]): Column | undefined {
  const name = text.trim().replace(/^\uFEFF/, '');
  if (name === '') return undefined;
  const folded = name.toLowerCase();
  if (columnsOfRule.includes(folded)) return { name: folded, index, cells: undefined, operator: undefined };
  const list = readListHeading(name, vocabulary);
  if (list) {
    if ('column' in list) return { name, index, cells: list.column, operator: undefined };
    findings.push({ code: 'unknown_column', path: `/heading/${index}`, message: list.fault, severity: 'fault' });
    return undefined;
  }
  const [, fact = name, operator] = /^(\S+)\s+(\S+)$/.exec(name) ?? [];
  const factNames = factIndex(vocabulary);
  if (factNames.sets.has(folded)) return { name: folded, index, cells: columnOfSet(folded), operator: undefined };
  const reference = factNames.find(fact) ?? factNames.find(name.toLowerCase().replace(/[\s-]+/g, '_'));
  if (!reference || (operator !== undefined && factNames.find(fact) && !operatorNames.includes(operator))) {
    const message = `The column ${quoteValue(name)} is not a fact${operator ? ' with an operator' : ''}, so rows with a value in it are left out.${didYouMean(name, [...factNames.names, ...columnsOfRule])}`;
    findings.push({ code: 'unknown_column', path: `/heading/${index}`, message, severity: 'fault' });
    return undefined;
  }
  const isPlain = factNames.find(fact) === reference;
  const factName = isPlain ? fact : name.toLowerCase().replace(/[\s-]+/g, '_');
  const cells = columnOfFact(factName, reference);
  return { name: factName, index, cells, operator: isPlain ? operator : undefined };
}

/** Only the first is read. */
function reportRepeatedColumns(columns: readonly (Column | undefined)[], findings: Finding[]): void {
  columns.forEach((column, index) => {
    if (!column || column.cells || columns.findIndex((each) => each?.name === column.name) === index) return;
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
    const column = columns.find((each) => each?.name === name && !each.cells);
    return column ? (cells[column.index] ?? '').trim() : '';
  };
  const tests: object[] = [];
  const columnsOfTests: number[] = [];
  const state = onlyState(columns, cells);
  for (const column of columns) {
    const cell = column ? (cells[column.index] ?? '').trim() : '';
    if (!column?.cells || isAny(cell)) continue;
    const cellTests =
      column.operator === undefined ? readCell(cell, column.cells) : readValue(cell, column.cells, column.operator);
    if (cellTests) {
      tests.push(...(column.name === 'county' ? cellTests.map((test) => inState(test, state)) : cellTests));
      columnsOfTests.push(...cellTests.map(() => column.index));
    } else {
      const message = `Left out. ${quoteValue(cell)} is not a comparison with ${column.name}; ${exampleOf(column.cells)}.`;
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
  const hasOutcome = columns.some((each) => each?.name === 'outcome' && !each.cells);
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
    const path = `/${row}/${columns.findIndex((each) => each?.name === 'terms' && !each.cells)}`;
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

function exampleOf({ kind, unit }: CellColumn): string {
  if (kind === 'zipcode') return 'write 77550, 77550-77554 | 775*, or not 775*';
  if (kind === 'flag') return 'write yes or no';
  const others = unit === undefined ? '' : `. Its unit is ${unit}`;
  return `write > 15, 30+, 10..20, outside 10..20, copper | pex, or not rental${others}`;
}

/** Adds the state of the row to a county without one. */
function inState(test: object, state: string | undefined): object {
  const { value } = test as { readonly value?: unknown };
  const withState = (each: unknown): unknown => {
    const isNameOnly = state !== undefined && typeof each === 'string' && !/,|^\d+$/.test(each);
    return isNameOnly ? `${each}, ${state}` : each;
  };
  return { ...test, value: Array.isArray(value) ? value.map(withState) : withState(value) };
}
