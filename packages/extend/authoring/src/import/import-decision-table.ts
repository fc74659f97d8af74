import { checkRuleSet, type Vocabulary } from '@leeward/engine';
import { type FactReference, factIndex, operatorNames, outcomes } from '@leeward/engine/compiled';
import { findState } from '@leeward/places/counties';
import { didYouMean, quoteValue, readWrittenNumber } from '@leeward/terms';
import type { Finding } from '../finding/finding.ts';
import { type Imported, type ImportOptions, lineOf, ruleSetAround } from './import-json-rules-engine.ts';

const columnsOfRule = ['id', 'outcome', 'code', 'message'];
/** As people write comparisons, longest first. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/^(>=|≥|at least)/i, 'greaterThanInclusive'],
  [/^(<=|≤|at most|up to)/i, 'lessThanInclusive'],
  [/^(<>|!=|≠|not )/i, 'notEqual'],
  [/^(>|over |more than )/i, 'greaterThan'],
  [/^(<|under |below |less than )/i, 'lessThan'],
  [/^(==|=)/, 'equal'],
];

/** The same behind a number: `30+`, `2 or more`, `15 or less`. */
const signsBehind: readonly (readonly [RegExp, string])[] = [
  [/\s*(\+|(or|and) (more|over|above|older|up))$/i, 'greaterThanInclusive'],
  [/\s*(or|and) (less|fewer|under|below|newer)$/i, 'lessThanInclusive'],
];

interface Test {
  readonly fact: string;
  readonly operator: string;
  readonly value: unknown;
}

/**
 * Makes a rule set of a decision table: one rule a row. Columns `id`, `outcome`, `code`, `message` (a table without `outcome` declines); every
 * other column is a fact, its cell a comparison: `> 15`, `30+`, `150000..1000000` or `5-9` (ends included), `cloth | copper`,
 * `not rental`; empty means any. A county is looked for in the one state of its row. A heading may name an operator too: `roof_age greaterThan`. Paths of findings are
 * `/<row>/<column>`, from 0 without the heading.
 */
export function importDecisionTable(rows: readonly (readonly string[])[], options: ImportOptions): Imported {
  const [head, ...body] = rows;
  const findings: Finding[] = [];
  if (!head) {
    const message = 'The table is empty; its first row names the columns.';
    findings.push({ code: 'empty_table', path: '', message, severity: 'fault' });
    return { ruleSet: ruleSetAround(options, []), findings, read: 0, taken: 0 };
  }
  const line = lineOf(options);
  const columns = head.map((text, index) => readHeading(text, index, line.vocabulary, findings));
  sayHeadingTwice(columns, findings);
  if (!columns.some((column) => column?.name === 'outcome' && !column.reference)) {
    const message = 'The table has no column "outcome", so every row is taken for a decline.';
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
    // Without what is not understood the rule would hold for more homes than its author meant.
    const lost = unread.find((index) => !isAny((cells[index] ?? '').trim()));
    if (lost !== undefined) {
      const message = `Left out. ${quoteValue(cells[lost])} stands in the column ${quoteValue(head[lost])}, which is no fact.`;
      findings.push({ code: 'unknown_column', path: `/${row}/${lost}`, message, severity: 'fault' });
    }
    const faultsNow = findings.filter(({ severity }) => severity === 'fault').length;
    if (
      faultsNow === before &&
      rule.when.all.length === 0 &&
      (rule.outcome === 'decline' || rule.outcome === 'refer')
    ) {
      const message = `Left out. The row tests nothing, so "${rule.id}" would ${rule.outcome} every home.`;
      findings.push({ code: 'no_test', path: `/${row}`, message, severity: 'fault' });
    }
    if (findings.filter(({ severity }) => severity === 'fault').length > before) return;
    const { tested, ...file } = rule;
    const { faults, warnings } = checkRuleSet(ruleSetAround(options, [file]), line);
    const cellOf = (path: string) => {
      const column = tested[Number(/^\/rules\/0\/when\/all\/(\d+)/.exec(path)?.[1])];
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
  return { ruleSet: ruleSetAround(options, rules), findings, read, taken: rules.length };
}

/** A cell that asks nothing. */
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
  const known = factIndex(vocabulary);
  const reference = known.find(fact) ?? known.find(name.toLowerCase().replace(/[\s-]+/g, '_'));
  if (!reference || (operator !== undefined && known.find(fact) && !operatorNames.includes(operator))) {
    const message = `The column ${quoteValue(name)} is no fact${operator ? ' with an operator' : ''}, so rows that fill it are left out.${didYouMean(name, [...known.names, ...columnsOfRule])}`;
    findings.push({ code: 'unknown_column', path: `/heading/${index}`, message, severity: 'fault' });
    return undefined;
  }
  const isPlain = known.find(fact) === reference;
  return {
    name: isPlain ? fact : name.toLowerCase().replace(/[\s-]+/g, '_'),
    index,
    reference,
    operator: isPlain ? operator : undefined,
  };
}

/** Of two columns that say the same of a rule one would be lost. */
function sayHeadingTwice(columns: readonly (Column | undefined)[], findings: Finding[]): void {
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
  const given = (name: string) => {
    const column = columns.find((each) => each?.name === name && !each.reference);
    return column ? (cells[column.index] ?? '').trim() : '';
  };
  const tests: Test[] = [];
  /** For each test, its column. */
  const tested: number[] = [];
  const state = onlyState(columns, cells);
  for (const column of columns) {
    const cell = column ? (cells[column.index] ?? '').trim() : '';
    if (!column?.reference || isAny(cell)) continue;
    const found = readCell(cell, column);
    if (found) {
      tests.push(...(column.name === 'county' ? found.map((test) => inState(test, state)) : found));
      for (let each = 0; each < found.length; each++) tested.push(column.index);
    } else {
      const message = `Left out. ${quoteValue(cell)} is no comparison with ${column.name}; write > 15, 30+, 10..20, copper | pex, or not rental.`;
      findings.push({ code: 'unknown_cell', path: `/${row}/${column.index}`, message, severity: 'fault' });
    }
  }
  let id = given('id') || `row-${row + 1}`;
  if (ids.has(id)) {
    const other = `${id}-${row + 1}`;
    findings.push({
      code: 'renamed',
      path: `/${row}`,
      message: `The id "${id}" is given twice; this one becomes "${other}".`,
      severity: 'note',
    });
    id = other;
  }
  const hasOutcome = columns.some((each) => each?.name === 'outcome' && !each.reference);
  const outcome = hasOutcome ? given('outcome').toLowerCase() : 'decline';
  const known = outcomes.find((each) => each === outcome);
  if (outcome === '') {
    const message = `Left out. The row says no outcome; there are: ${outcomes.join(', ')}.`;
    findings.push({ code: 'blank_outcome', path: `/${row}`, message, severity: 'fault' });
  } else if (!known) {
    const message = `Left out. ${quoteValue(outcome)} is no outcome; there are: ${outcomes.join(', ')}.${didYouMean(outcome, outcomes)}`;
    findings.push({ code: 'unknown_outcome', path: `/${row}`, message, severity: 'fault' });
  }
  return {
    id,
    outcome: known ?? 'decline',
    code: given('code') || 'x_imported',
    when: { all: tests },
    message: given('message') || `Outside the guide (${id}).`,
    tested,
  };
}

/** The one state that a row names; undefined where it names none, or several. */
function onlyState(columns: readonly (Column | undefined)[], cells: readonly string[]): string | undefined {
  const column = columns.find((each) => each?.name === 'state' && each.operator === undefined);
  return column && findState((cells[column.index] ?? '').trim())?.code;
}

/** A county by its name alone, in the state of its row. */
function inState({ value, ...test }: Test, state: string | undefined): Test {
  const withState = (each: unknown): unknown => {
    const isAlone = state !== undefined && typeof each === 'string' && !/,|^\d+$/.test(each);
    return isAlone ? `${each}, ${state}` : each;
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
    const given = operator === 'in' || operator === 'notIn' ? list : value(cell);
    return [given].flat().includes(undefined) ? undefined : [{ fact: name, operator, value: given }];
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
    for (const [sign, found] of signsBehind) {
      const limit = sign.test(cell) ? readNumber(cell.replace(sign, '')) : undefined;
      if (limit !== undefined) return [{ fact: name, operator: found, value: limit }];
    }
  }
  for (const [sign, found] of signs) {
    const match = sign.exec(cell);
    if (!match) continue;
    const rest = cell.slice(match[0].length);
    if (found === 'notEqual' && rest.includes('|')) {
      const others = rest.split('|').map(value);
      return others.includes(undefined) ? undefined : [{ fact: name, operator: 'notIn', value: others }];
    }
    const one = value(rest);
    return one === undefined || rest.trim() === '' ? undefined : [{ fact: name, operator: found, value: one }];
  }
  if (list.includes(undefined)) return undefined;
  return [
    list.length === 1 ? { fact: name, operator: 'equal', value: list[0] } : { fact: name, operator: 'in', value: list },
  ];
}

/** Digits, with separators of thousands and a dollar sign forgiven. */
/** A hyphen before a number stands between two of them, or means nothing. */
function readNumber(text: string): number | undefined {
  return /^\s*[+-]/.test(text) ? undefined : readWrittenNumber(text);
}
