import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { didYouMean, pointer, quoteValue } from '@leeward/terms';
import { readCell } from './cell-text.ts';
import { type Cells, createSheetReader, type SheetReader } from './sheet-reader.ts';
import {
  AND_ALSO,
  CONDITION,
  HOLDS,
  isNotes,
  NAME,
  OTHER,
  PROGRAM,
  type SheetName,
  sheetColumns,
  sheetNames,
} from './sheets.ts';
import { formOf, readHeading, type TestHeading } from './test-columns.ts';
import type { WorkbookFault, WorkbookPlace, WorkbookSheet } from './workbook.ts';

/** The content of a workbook, valid only without faults. */
export interface ReadWorkbook {
  /** Not checked yet. */
  readonly file: Record<string, unknown>;
  /** Undefined without a sheet of cases. */
  readonly cases: readonly Record<string, unknown>[] | undefined;
  readonly faults: readonly WorkbookFault[];
  /** The cell nearest to a part of the file, given by JSON Pointer. */
  placeOf(path: string): WorkbookPlace;
  /** The cell nearest to a part of the cases, given by JSON Pointer. */
  placeOfCase(path: string): WorkbookPlace;
}

/**
 * Reads a rule set file from the sheets of a workbook; the inverse of `writeWorkbook`. Reports all faults at once, each at its cell.
 *
 * @example
 * const { file, faults } = readWorkbook(sheets);
 * if (faults.length === 0) checkRuleSet(file);
 */
export function readWorkbook(
  sheets: readonly WorkbookSheet[],
  { vocabulary = homeVocabulary }: { readonly vocabulary?: Vocabulary } = {},
): ReadWorkbook {
  const faults: WorkbookFault[] = [];
  const places = new Map<string, WorkbookPlace>();
  const readers = new Map<SheetName, SheetReader>();
  for (const sheet of sheets) {
    const name = sheetNames.find((each) => each === sheet.name.trim().toLowerCase());
    if (name && !readers.has(name)) readers.set(name, createSheetReader(sheet, { faults, places }));
    else if (name || !(isNotes(sheet.name) || sheet.rows.every((row) => row.every((cell) => cell === null)))) {
      const message = name
        ? `There are two sheets ${quoteValue(name)}; keep one.`
        : `The sheet ${quoteValue(sheet.name)} would be lost. The sheets are ${sheetNames.join(', ')}, and notes.${didYouMean(sheet.name, sheetNames)}`;
      faults.push({ code: name ? 'sheet_twice' : 'unknown_sheet', message, sheet: sheet.name, row: 0, column: 0 });
    }
  }
  for (const name of ['carrier', 'programs', 'rules'] as const) {
    if (readers.has(name)) continue;
    faults.push({ code: 'missing_sheet', message: `There is no sheet "${name}".`, sheet: name, row: 0, column: 0 });
  }
  const file = readHead(readers.get('carrier'));
  const programs = readEntries(readers, 'programs', '/programs');
  const conditions = readConditions(readers.get('conditions'), vocabulary);
  const rules = readRules(readers.get('rules'), programs, vocabulary);
  const moratoria = readEntries(readers, 'moratoria', '/moratoria');
  const allow = readEntries(readers, 'allow', '/allow');
  const lists = { rules: rules, programs, moratoria, allow };
  for (const [key, list] of Object.entries(lists)) if (list.length > 0) file[key] = list;
  if (conditions.length > 0) file['conditions'] = Object.fromEntries(conditions);
  const cases = readers.has('cases') ? readEntries(readers, 'cases', '/cases') : undefined;
  const nearest = (path: string, sheet: string): WorkbookPlace => {
    for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const place = places.get(at);
      if (place) return place;
      if (at.lastIndexOf('/') < 0) return { sheet, row: 0, column: 0 };
    }
  };
  return {
    file,
    cases,
    faults,
    placeOf: (path) => nearest(path, 'carrier'),
    placeOfCase: (path) => nearest(`/cases${path}`, 'cases'),
  };
}

/** The sheet of the carrier has one key per row. */
function readHead(reader: SheetReader | undefined): Record<string, unknown> {
  const head: Record<string, unknown> = {};
  if (!reader) return head;
  reader.columns(['what', 'value'], ['what', 'value']);
  const headings = new Set<string>();
  for (const row of reader.rows()) {
    const what = row.value('what');
    if (what === OTHER) {
      row.spreadOther(head, '', 'value');
      continue;
    }
    const column = sheetColumns.carrier.find(({ heading }) => heading === what);
    if (!column || headings.has(column.heading)) {
      const names = [...sheetColumns.carrier.map(({ heading }) => heading), OTHER];
      const message = column
        ? `${quoteValue(what)} occurs twice.`
        : `${quoteValue(what)} is not a key of the carrier; write one of: ${names.join(', ')}.`;
      row.fault('what', column ? 'given_twice' : 'unknown_key', message);
      continue;
    }
    headings.add(column.heading);
    row.put(head, '', { ...column, heading: 'value' });
  }
  return head;
}

function readEntries(
  readers: ReadonlyMap<SheetName, SheetReader>,
  name: 'programs' | 'moratoria' | 'allow' | 'cases',
  path: string,
): Record<string, unknown>[] {
  const reader = readers.get(name);
  if (!reader) return [];
  const columns = [...sheetColumns[name]];
  const fields = name === 'cases' ? reader.headings().flatMap(fieldColumn) : [];
  const all = [...columns, ...fields];
  reader.columns([...all.map(({ heading }) => heading), OTHER], []);
  return reader.rows().map((row, index) => {
    const entry: Record<string, unknown> = {};
    const at = `${path}/${index}`;
    row.is(at);
    row.spreadOther(entry, at, OTHER);
    for (const column of all) row.put(entry, at, column);
    return entry;
  });
}

function fieldColumn(heading: string) {
  const [, field] = /^home ([a-z][a-z0-9_]*)$/.exec(heading) ?? [];
  return field === undefined ? [] : [{ heading, key: `home.${field}`, form: 'value' as const }];
}

function readConditions(reader: SheetReader | undefined, vocabulary: Vocabulary): [string, unknown][] {
  if (!reader) return [];
  const tests = testsOf(reader, [NAME, HOLDS, AND_ALSO, OTHER], vocabulary);
  reader.columns([NAME, HOLDS, AND_ALSO, OTHER, ...tests.map(({ heading }) => heading)], [NAME]);
  return reader.rows().flatMap((row): [string, unknown][] => {
    const name = row.value(NAME);
    if (typeof name !== 'string') {
      row.fault(NAME, 'missing_name', 'The condition has no name.');
      return [];
    }
    const path = `/conditions${pointer(name)}`;
    row.is(path);
    const whole = row.value(OTHER);
    if (whole !== undefined) {
      row.refuseTests(tests, OTHER);
      return [[name, whole]];
    }
    const kind = row.value(HOLDS);
    if (kind !== 'all' && kind !== 'any') {
      row.fault(
        HOLDS,
        'unknown_holds',
        `${quoteValue(kind ?? '')} is neither all nor any. Write which of the tests must hold.`,
      );
      return [];
    }
    return [[name, { [kind]: row.tests(tests, `${path}/${kind}`) }]];
  });
}

const holdsWords = ['when all', 'when any', 'unless all', 'unless any', 'when', 'unless'];

function readRules(
  reader: SheetReader | undefined,
  programs: readonly Record<string, unknown>[],
  vocabulary: Vocabulary,
): Record<string, unknown>[] {
  const everywhere: Record<string, unknown>[] = [];
  if (!reader) return everywhere;
  const keys = sheetColumns.rules.map(({ heading }) => heading);
  const fixed = [...keys, PROGRAM, HOLDS, CONDITION, AND_ALSO, OTHER];
  const tests = testsOf(reader, fixed, vocabulary);
  reader.columns([...fixed, ...tests.map(({ heading }) => heading)], ['id', 'outcome', 'code', 'message', HOLDS]);
  for (const row of reader.rows()) {
    const name = row.value(PROGRAM);
    const index = name === undefined ? -1 : programs.findIndex(({ id }) => id === name);
    if (name !== undefined && index < 0) {
      const ids = programs.map(({ id }) => String(id));
      row.fault(PROGRAM, 'unknown_program', `There is no program ${quoteValue(name)}.${didYouMean(String(name), ids)}`);
      continue;
    }
    const list = index < 0 ? everywhere : rulesOf(programs[index]!);
    const path = `${index < 0 ? '' : `/programs/${index}`}/rules/${list.length}`;
    const rule: Record<string, unknown> = {};
    row.is(path);
    row.spreadOther(rule, path, OTHER);
    for (const column of sheetColumns.rules) row.put(rule, path, column);
    readHolds(row, rule, path, tests);
    list.push(rule);
  }
  return everywhere;
}

function rulesOf(program: Record<string, unknown>): Record<string, unknown>[] {
  const rules = Array.isArray(program['rules']) ? (program['rules'] as Record<string, unknown>[]) : [];
  program['rules'] = rules;
  return rules;
}

/** Reads the condition of a rule, unless the JSON of the row has one. */
function readHolds(row: Cells, rule: Record<string, unknown>, path: string, tests: readonly TestHeading[]): void {
  const written = ['when', 'unless', 'conditions'].find((key) => Object.hasOwn(rule, key));
  if (written !== undefined) {
    row.refuseTests(tests, OTHER);
    return;
  }
  if (!Object.hasOwn(rule, 'outcome')) {
    row.fault('outcome', 'blank_outcome', 'The rule has no outcome: decline, refer, require, offer or inform.');
  }
  for (const key of ['id', 'code', 'message']) {
    if (!Object.hasOwn(rule, key)) row.fault(key, 'missing_key', `The rule has no ${key}.`);
  }
  const holds = row.value(HOLDS);
  if (typeof holds !== 'string' || !holdsWords.includes(holds)) {
    const problem = holds === undefined ? 'The cell is blank' : `${quoteValue(holds)} is unknown`;
    row.fault(
      HOLDS,
      'unknown_holds',
      `${problem}; write one of: ${holdsWords.join(', ')}.${didYouMean(String(holds ?? ''), holdsWords)}`,
    );
    return;
  }
  const [key, kind] = holds.split(' ') as [string, string | undefined];
  const condition = row.value(CONDITION);
  if (kind === undefined) {
    row.refuseTests(tests, CONDITION);
    if (typeof condition !== 'string')
      row.fault(CONDITION, 'missing_condition', `"${holds}" needs the name of a shared condition.`);
    else {
      rule[key] = { condition };
      row.isAt(CONDITION, `${path}/${key}/condition`);
    }
    return;
  }
  if (condition !== undefined) {
    row.fault(
      CONDITION,
      'condition_and_tests',
      `With "${holds}" the tests are in columns. For a shared condition write "${key}" and no tests.`,
    );
  }
  const list = row.tests(tests, `${path}/${key}/${kind}`);
  if (list.length === 0)
    row.fault(HOLDS, 'no_test', 'The row has no test, so the rule would hold for every home or for none.');
  rule[key] = { [kind]: list };
}

function testsOf(reader: SheetReader, fixed: readonly string[], vocabulary: Vocabulary): TestHeading[] {
  return reader.headings().flatMap((heading) => {
    if (fixed.includes(heading) || heading === '') return [];
    const column = readHeading(heading, vocabulary);
    if ('fault' in column) {
      reader.headingFault(heading, 'unknown_column', column.fault);
      return [];
    }
    const form = formOf(column);
    return [{ heading, column, read: (cell) => readCell(cell, form) }];
  });
}
