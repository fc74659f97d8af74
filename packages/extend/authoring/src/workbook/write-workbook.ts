import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { arrayOf, isObject, own } from '@leeward/terms';
import { jsonCell, writeCell } from './cell-text.ts';
import { AND_ALSO, CONDITION, HOLDS, type KeyColumn, NAME, OTHER, PROGRAM, sheetColumns } from './sheets.ts';
import { formOf, headingOf, keyOf, orderColumns, plainTest, type TestColumn } from './test-columns.ts';
import type { SheetCell, WorkbookSheet } from './workbook.ts';

type Entry = Readonly<Record<string, unknown>>;
type PlainTest = TestColumn & { readonly value: unknown };

/** A condition's root: its tests as far as columns can hold them, and what comes after them. */
interface Root {
  readonly holds: string;
  readonly condition: string | undefined;
  readonly tests: readonly PlainTest[];
  readonly rest: readonly unknown[];
}

/**
 * A rule set as sheets: carrier, programs, conditions, rules, moratoria, allow, cases; a rule a row, a test a column. What no
 * column can say stands as JSON in a cell, so that `readWorkbook` makes the same file of it. `file` must be a rule set
 * without faults, `cases` the list of its cases.
 */
export function writeWorkbook(
  file: unknown,
  { cases, vocabulary = homeVocabulary }: { readonly cases?: unknown; readonly vocabulary?: Vocabulary } = {},
): WorkbookSheet[] {
  const source: Entry = isObject(file) ? file : {};
  const { conditions, rules, programs, moratoria, allow, ...head } = source;
  const keptApart: Record<string, unknown> = {};
  // Lists that are there but empty are no rows; the carrier's sheet says that they are there.
  for (const [key, value] of Object.entries({ conditions, rules, programs, moratoria, allow })) {
    if (value !== undefined && Object.keys(value as object).length === 0) keptApart[key] = value;
  }
  const shared = Object.entries(isObject(conditions) ? conditions : {});
  const sheets = [
    carrierSheet({ ...head, ...keptApart }),
    programSheet(arrayOf(programs) as Entry[]),
    conditionSheet(shared, vocabulary),
    ruleSheet(source, vocabulary),
    entrySheet('moratoria', arrayOf(moratoria) as Entry[]),
    entrySheet('allow', arrayOf(allow) as Entry[]),
    ...(Array.isArray(cases) ? [caseSheet(cases as Entry[])] : []),
  ];
  return sheets.filter(({ name, rows }) => rows.length > 1 || name === 'rules');
}

function carrierSheet(head: Entry): WorkbookSheet {
  const { cells, rest } = takeColumns(head, sheetColumns.carrier);
  const rows: SheetCell[][] = [['what', 'value']];
  sheetColumns.carrier.forEach(({ heading }, index) => {
    if (cells[index] !== null) rows.push([heading, cells[index]!]);
  });
  if (rest !== undefined) rows.push([OTHER, jsonCell(rest)]);
  return { name: 'carrier', rows };
}

function programSheet(programs: readonly Entry[]): WorkbookSheet {
  const withoutRows = programs.map(({ rules, ...program }) => {
    return Array.isArray(rules) && rules.length === 0 ? { ...program, rules } : program;
  });
  return entrySheet('programs', withoutRows);
}

function entrySheet(name: 'programs' | 'moratoria' | 'allow', entries: readonly Entry[]): WorkbookSheet {
  return table(name, sheetColumns[name], entries);
}

function conditionSheet(shared: readonly (readonly [string, unknown])[], vocabulary: Vocabulary): WorkbookSheet {
  const roots = shared.map(([, condition]) => readRoot(condition, '', vocabulary));
  const columns = orderColumns(roots.map((root) => root?.tests ?? []));
  const rows = shared.map(([name, condition], index) => {
    const root = roots[index];
    const { cells, rest } = testCells(root, columns);
    const other = root ? null : jsonCell(condition);
    return [writeCell(name, 'value'), root?.holds ?? null, ...cells, rest, other];
  });
  const heading = [NAME, HOLDS, ...columns.map((column) => headingOf(column, vocabulary)), AND_ALSO, OTHER];
  return { name: 'conditions', rows: withoutEmptyColumns([heading, ...rows], [AND_ALSO, OTHER]) };
}

function ruleSheet(source: Entry, vocabulary: Vocabulary): WorkbookSheet {
  const listed = [
    ...(arrayOf(source['rules']) as Entry[]).map((rule) => ({ rule, program: null as SheetCell })),
    ...(arrayOf(source['programs']) as Entry[]).flatMap((program) =>
      (arrayOf(program['rules']) as Entry[]).map((rule) => ({ rule, program: writeCell(program['id'], 'value') })),
    ),
  ];
  const roots = listed.map(({ rule }) => rootOf(rule, vocabulary));
  const columns = orderColumns(roots.map((root) => root?.tests ?? []));
  const [id, outcome, code, message, priority] = sheetColumns.rules;
  const rows = listed.map(({ rule, program }, index) => {
    const root = roots[index];
    const { when: _when, unless: _unless, ...withoutRoot } = rule;
    const taken = takeColumns(root ? withoutRoot : rule, sheetColumns.rules);
    const { cells, rest } = testCells(root, columns);
    const [idCell, outcomeCell, codeCell, messageCell, priorityCell] = taken.cells;
    const other = taken.rest === undefined ? null : jsonCell(taken.rest);
    const condition = root?.condition === undefined ? null : writeCell(root.condition, 'value');
    const first = [idCell!, program, outcomeCell!, codeCell!, messageCell!, root?.holds ?? null, condition];
    return [...first, ...cells, rest, priorityCell!, other];
  });
  const tests = columns.map((column) => headingOf(column, vocabulary));
  const heading = [
    ...[id.heading, PROGRAM, outcome.heading, code.heading, message.heading, HOLDS, CONDITION],
    ...[...tests, AND_ALSO, priority.heading, OTHER],
  ];
  return {
    name: 'rules',
    rows: withoutEmptyColumns([heading, ...rows], [CONDITION, AND_ALSO, priority.heading, OTHER]),
  };
}

function caseSheet(cases: readonly Entry[]): WorkbookSheet {
  const fields = new Set<string>();
  for (const { home } of cases) for (const field of Object.keys(isObject(home) ? home : {})) fields.add(field);
  const plain = [...fields].filter((field) => /^[a-z][a-z0-9_]*$/.test(field));
  const columns = plain.map((field): KeyColumn => ({ heading: `home ${field}`, key: `home.${field}`, form: 'value' }));
  return table('cases', [...sheetColumns.cases, ...columns], cases);
}

function table(name: string, columns: readonly KeyColumn[], entries: readonly Entry[]): WorkbookSheet {
  const rows = entries.map((entry): SheetCell[] => {
    const { cells, rest } = takeColumns(entry, columns);
    return [...cells, rest === undefined ? null : jsonCell(rest)];
  });
  const heading = [...columns.map((column) => column.heading), OTHER];
  return { name, rows: withoutEmptyColumns([heading, ...rows], heading) };
}

/** The cells of an entry, null where it says nothing, and what no column holds. */
function takeColumns(entry: Entry, columns: readonly KeyColumn[]): { cells: SheetCell[]; rest: Entry | undefined } {
  let rest: Entry | undefined = entry;
  const cells = columns.map(({ key, form }): SheetCell => {
    const taken = take(rest ?? {}, key.split('.'));
    if (taken === undefined) return null;
    rest = taken.rest;
    return writeCell(taken.value, form);
  });
  return { cells, rest: rest !== undefined && Object.keys(rest).length === 0 ? undefined : rest };
}

/** The value of a key, and the entry without it; an object of which nothing is left goes with it. */
function take(entry: Entry, [first, ...deeper]: readonly string[]): { value: unknown; rest: Entry } | undefined {
  const value = own(entry, first!);
  if (value === undefined) return undefined;
  const { [first!]: _, ...others } = entry;
  if (deeper.length === 0) return { value, rest: others };
  const inner = isObject(value) ? take(value, deeper) : undefined;
  if (!inner) return undefined;
  return {
    value: inner.value,
    rest: Object.keys(inner.rest).length === 0 ? others : { ...others, [first!]: inner.rest },
  };
}

/** The root of a rule, where columns can hold it. */
function rootOf(rule: Entry, vocabulary: Vocabulary): Root | undefined {
  const keys = ['when', 'unless'].filter((key) => Object.hasOwn(rule, key));
  return keys.length === 1 ? readRoot(rule[keys[0]!], keys[0]!, vocabulary) : undefined;
}

/** `key`: `when` or `unless`; empty for a shared condition, which is `all` or `any`. */
function readRoot(condition: unknown, key: string, vocabulary: Vocabulary): Root | undefined {
  if (!isObject(condition) || Object.keys(condition).length !== 1) return undefined;
  const name = own(condition, 'condition');
  if (key !== '' && typeof name === 'string') return { holds: key, condition: name, tests: [], rest: [] };
  const [kind, list] = Object.entries(condition)[0]!;
  if ((kind !== 'all' && kind !== 'any') || !Array.isArray(list) || list.length === 0) return undefined;
  const tests: PlainTest[] = [];
  for (const node of list) {
    const test = plainTest(node, vocabulary);
    if (!test || tests.some((each) => keyOf(each) === keyOf(test))) break;
    tests.push(test);
  }
  return { holds: `${key} ${kind}`.trim(), condition: undefined, tests, rest: list.slice(tests.length) };
}

/** Tests stand in the order of the columns; from the first that does not on, they stand in the list that comes after. */
function testCells(root: Root | undefined, columns: readonly TestColumn[]): { cells: SheetCell[]; rest: SheetCell } {
  const cells: SheetCell[] = columns.map(() => null);
  if (!root) return { cells, rest: null };
  const rest: unknown[] = [];
  let last = -1;
  for (const { value, ...column } of root.tests) {
    const index = columns.findIndex((each) => keyOf(each) === keyOf(column));
    if (index > last && rest.length === 0) {
      cells[index] = writeCell(value, formOf(column));
      last = index;
    } else rest.push({ ...column, value });
  }
  rest.push(...root.rest);
  return { cells, rest: rest.length === 0 ? null : jsonCell(rest) };
}

function withoutEmptyColumns(rows: SheetCell[][], optional: readonly SheetCell[]): SheetCell[][] {
  const [heading = [], ...body] = rows;
  const kept = heading.map(
    (name, index) => !optional.includes(name) || body.some((row) => (row[index] ?? null) !== null),
  );
  return rows.map((row) => row.filter((_, index) => kept[index]));
}
