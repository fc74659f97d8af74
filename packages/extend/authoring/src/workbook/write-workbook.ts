import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { arrayOf, isObject, own } from '@leeward/terms';
import { jsonCell, writeCell } from './cell-text.ts';
import { AND_ALSO, CONDITION, HOLDS, type KeyColumn, NAME, OTHER, PROGRAM, sheetColumns } from './sheets.ts';
import { formOf, headingOf, keyOf, orderColumns, plainTest, type TestColumn } from './test-columns.ts';
import type { SheetCell, WorkbookSheet } from './workbook.ts';

type Entry = Readonly<Record<string, unknown>>;
type PlainTest = TestColumn & { readonly value: unknown };

/** The root of a condition: tests for columns, then further conditions. */
interface Root {
  readonly holds: string;
  readonly condition: string | undefined;
  readonly tests: readonly PlainTest[];
  readonly further: readonly unknown[];
}

/**
 * Writes a rule set as sheets: carrier, programs, conditions, rules, moratoria, allow, cases. A rule is a row, a test is a column.
 * Values without a column become JSON in a cell, so that `readWorkbook` restores the same file.
 *
 * @param file A rule set file without faults. The option `cases` has the list of its cases.
 * @example
 * const sheets = writeWorkbook(ruleSetFile, { cases });
 */
export function writeWorkbook(
  file: unknown,
  { cases, vocabulary = homeVocabulary }: { readonly cases?: unknown; readonly vocabulary?: Vocabulary } = {},
): WorkbookSheet[] {
  const source: Entry = isObject(file) ? file : {};
  const { conditions, rules, programs, moratoria, allow, ...head } = source;
  const emptyLists: Record<string, unknown> = {};
  // Empty lists have no rows, so they are on the sheet of the carrier.
  for (const [key, value] of Object.entries({ conditions, rules, programs, moratoria, allow })) {
    if (value !== undefined && Object.keys(value as object).length === 0) emptyLists[key] = value;
  }
  const shared = Object.entries(isObject(conditions) ? conditions : {});
  const sheets = [
    carrierSheet({ ...head, ...emptyLists }),
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
  const { cells, others } = takeColumns(head, sheetColumns.carrier);
  const rows: SheetCell[][] = [['what', 'value']];
  sheetColumns.carrier.forEach(({ heading }, index) => {
    if (cells[index] !== null) rows.push([heading, cells[index]!]);
  });
  if (others !== undefined) rows.push([OTHER, jsonCell(others)]);
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
    const { cells, others } = testCells(root, columns);
    const other = root ? null : jsonCell(condition);
    return [writeCell(name, 'value'), root?.holds ?? null, ...cells, others, other];
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
  const [id, outcome, code, message, priority, terms] = sheetColumns.rules;
  const rows = listed.map(({ rule, program }, index) => {
    const root = roots[index];
    const { when: _when, unless: _unless, ...withoutRoot } = rule;
    const columnsOfRule = takeColumns(root ? withoutRoot : rule, sheetColumns.rules);
    const { cells, others } = testCells(root, columns);
    const [idCell, outcomeCell, codeCell, messageCell, priorityCell, termsCell] = columnsOfRule.cells;
    const other = columnsOfRule.others === undefined ? null : jsonCell(columnsOfRule.others);
    const condition = root?.condition === undefined ? null : writeCell(root.condition, 'value');
    const first = [idCell!, program, outcomeCell!, codeCell!, messageCell!, root?.holds ?? null, condition];
    return [...first, ...cells, others, termsCell!, priorityCell!, other];
  });
  const tests = columns.map((column) => headingOf(column, vocabulary));
  const heading = [
    ...[id.heading, PROGRAM, outcome.heading, code.heading, message.heading, HOLDS, CONDITION],
    ...[...tests, AND_ALSO, terms.heading, priority.heading, OTHER],
  ];
  return {
    name: 'rules',
    rows: withoutEmptyColumns([heading, ...rows], [CONDITION, AND_ALSO, terms.heading, priority.heading, OTHER]),
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
    const { cells, others } = takeColumns(entry, columns);
    return [...cells, others === undefined ? null : jsonCell(others)];
  });
  const heading = [...columns.map((column) => column.heading), OTHER];
  return { name, rows: withoutEmptyColumns([heading, ...rows], heading) };
}

/** The cells of an entry, and the keys without a column. */
function takeColumns(entry: Entry, columns: readonly KeyColumn[]): { cells: SheetCell[]; others: Entry | undefined } {
  let others: Entry | undefined = entry;
  const cells = columns.map(({ key, form }): SheetCell => {
    const part = take(others ?? {}, key.split('.'));
    if (part === undefined) return null;
    others = part.others;
    return writeCell(part.value, form);
  });
  return { cells, others: others !== undefined && Object.keys(others).length === 0 ? undefined : others };
}

/** The value at a path of keys, and the entry without it and without objects that become empty. */
function take(entry: Entry, [first, ...deeper]: readonly string[]): { value: unknown; others: Entry } | undefined {
  const value = own(entry, first!);
  if (value === undefined) return undefined;
  const { [first!]: _, ...siblings } = entry;
  if (deeper.length === 0) return { value, others: siblings };
  const inner = isObject(value) ? take(value, deeper) : undefined;
  if (!inner) return undefined;
  return {
    value: inner.value,
    others: Object.keys(inner.others).length === 0 ? siblings : { ...siblings, [first!]: inner.others },
  };
}

/** Undefined if columns cannot represent the condition. */
function rootOf(rule: Entry, vocabulary: Vocabulary): Root | undefined {
  const keys = ['when', 'unless'].filter((key) => Object.hasOwn(rule, key));
  return keys.length === 1 ? readRoot(rule[keys[0]!], keys[0]!, vocabulary) : undefined;
}

/** `key` is `when` or `unless`, or empty for a shared condition. */
function readRoot(condition: unknown, key: string, vocabulary: Vocabulary): Root | undefined {
  if (!isObject(condition) || Object.keys(condition).length !== 1) return undefined;
  const name = own(condition, 'condition');
  if (key !== '' && typeof name === 'string') return { holds: key, condition: name, tests: [], further: [] };
  const [kind, list] = Object.entries(condition)[0]!;
  if ((kind !== 'all' && kind !== 'any') || !Array.isArray(list) || list.length === 0) return undefined;
  const tests: PlainTest[] = [];
  for (const node of list) {
    const test = plainTest(node, vocabulary);
    if (!test || tests.some((each) => keyOf(each) === keyOf(test))) break;
    tests.push(test);
  }
  return { holds: `${key} ${kind}`.trim(), condition: undefined, tests, further: list.slice(tests.length) };
}

/** From the first test that is out of the order of the columns, tests go to the JSON list. */
function testCells(root: Root | undefined, columns: readonly TestColumn[]): { cells: SheetCell[]; others: SheetCell } {
  const cells: SheetCell[] = columns.map(() => null);
  if (!root) return { cells, others: null };
  const others: unknown[] = [];
  let last = -1;
  for (const { value, ...column } of root.tests) {
    const index = columns.findIndex((each) => keyOf(each) === keyOf(column));
    if (index > last && others.length === 0) {
      cells[index] = writeCell(value, formOf(column));
      last = index;
    } else others.push({ ...column, value });
  }
  others.push(...root.further);
  return { cells, others: others.length === 0 ? null : jsonCell(others) };
}

function withoutEmptyColumns(rows: SheetCell[][], optional: readonly SheetCell[]): SheetCell[][] {
  const [heading = [], ...body] = rows;
  const isKept = heading.map(
    (name, index) => !optional.includes(name) || body.some((row) => (row[index] ?? null) !== null),
  );
  return rows.map((row) => row.filter((_, index) => isKept[index]));
}
