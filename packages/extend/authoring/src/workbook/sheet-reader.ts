import { isObject, pointer, quoteValue } from '@leeward/terms';
import { readCell } from './cell-text.ts';
import { AND_ALSO, type KeyColumn } from './sheets.ts';
import type { TestHeading } from './test-columns.ts';
import type { SheetCell, WorkbookFault, WorkbookPlace, WorkbookSheet } from './workbook.ts';

/** Reads a sheet by its headings. Collects faults, and the cell of each part of the file by JSON Pointer. */
export interface SheetReader {
  /** Trimmed; empty for a column without a heading. */
  headings(): readonly string[];
  /** Declares the used headings, and those that are required. Reports all others without a fault. */
  columns(headings: readonly string[], required: readonly string[]): void;
  headingFault(heading: string, code: string, message: string): void;
  /** Rows that are not blank. */
  rows(): readonly Cells[];
}

export interface Cells {
  /** Undefined for a blank cell. */
  value(heading: string): unknown;
  fault(heading: string, code: string, message: string): void;
  /** Declares that a JSON Pointer leads to this row. */
  is(path: string): void;
  /** Declares that a JSON Pointer leads to a cell of this row. */
  isAt(heading: string, path: string): void;
  /** Copies the value of a column into an entry, under its key. */
  put(entry: Record<string, unknown>, path: string, column: KeyColumn): void;
  /** Copies every key of a JSON object into an entry. */
  spreadOther(entry: Record<string, unknown>, path: string, heading: string): void;
  /** The tests of the row: those in columns, then those in the JSON list. */
  tests(columns: readonly TestHeading[], path: string): unknown[];
  /** Reports each test of the row as a conflict with the column `because`. */
  refuseTests(columns: readonly TestHeading[], because: string): void;
}

export function createSheetReader(
  { name, rows }: WorkbookSheet,
  { faults, places }: { readonly faults: WorkbookFault[]; readonly places: Map<string, WorkbookPlace> },
): SheetReader {
  const headings = (rows[0] ?? []).map((cell) =>
    typeof cell === 'string' ? cell.trim() : cell === null ? '' : String(cell),
  );
  const headingsWithFault = new Set<string>();
  const sheet: Sheet = {
    headings,
    body: rows.slice(1).flatMap((cells, index) => (cells.some(isFilled) ? [{ cells, row: index + 1 }] : [])),
    fault: (row, column, code, message) =>
      void faults.push({ code, message, sheet: name, row, column: Math.max(0, column) }),
    place: (path, row, column) => void places.set(path, { sheet: name, row, column }),
  };
  return {
    headings: () => headings,
    columns(names, required) {
      headings.forEach((heading, column) => {
        const isUnknown = !names.includes(heading) && !headingsWithFault.has(heading);
        checkHeading(sheet, column, isUnknown ? name : undefined);
      });
      reportCellsBeyond(sheet);
      for (const heading of required) {
        if (!headings.includes(heading))
          sheet.fault(0, 0, 'missing_column', `The sheet "${name}" has no column "${heading}".`);
      }
    },
    headingFault(heading, code, message) {
      headingsWithFault.add(heading);
      sheet.fault(0, headings.indexOf(heading), code, message);
    },
    rows: () => sheet.body.map(({ cells, row }) => new RowCells(sheet, cells, row)),
  };
}

interface Sheet {
  readonly headings: readonly string[];
  /** Rows that are not blank. */
  readonly body: readonly { readonly cells: readonly SheetCell[]; readonly row: number }[];
  fault(row: number, column: number, code: string, message: string): void;
  place(path: string, row: number, column: number): void;
}

/** @param unknownIn The name of the sheet, if the heading is not one of its columns. */
function checkHeading({ headings, body, fault }: Sheet, column: number, unknownIn: string | undefined): void {
  const heading = headings[column]!;
  if (heading === '') {
    const first = body.find(({ cells }) => isFilled(cells[column]));
    if (first) fault(first.row, column, 'no_heading', 'The column has no heading, so its cells would be lost.');
  } else if (unknownIn !== undefined) {
    const message = `${quoteValue(heading)} is not a column of the sheet "${unknownIn}", so its cells would be lost.`;
    fault(0, column, 'unknown_column', message);
  } else if (headings.indexOf(heading) < column) {
    fault(0, column, 'column_twice', `There are two columns ${quoteValue(heading)}; keep one.`);
  }
}

function reportCellsBeyond({ headings, body, fault }: Sheet): void {
  for (const { cells, row } of body) {
    const beyond = cells.findIndex((cell, column) => column >= headings.length && isFilled(cell));
    if (beyond >= 0)
      fault(row, beyond, 'no_heading', 'The column of this cell has no heading, so the cell would be lost.');
  }
}

class RowCells implements Cells {
  readonly #sheet: Sheet;
  readonly #cells: readonly SheetCell[];
  readonly #row: number;

  constructor(sheet: Sheet, cells: readonly SheetCell[], row: number) {
    this.#sheet = sheet;
    this.#cells = cells;
    this.#row = row;
  }

  value(heading: string): unknown {
    return this.#read(heading, 'value')?.value;
  }

  fault(heading: string, code: string, message: string): void {
    this.#sheet.fault(this.#row, this.#columnOf(heading), code, message);
  }

  is(path: string): void {
    this.#sheet.place(path, this.#row, 0);
  }

  isAt(heading: string, path: string): void {
    this.#sheet.place(path, this.#row, this.#columnOf(heading));
  }

  put(entry: Record<string, unknown>, path: string, { heading, key, form }: KeyColumn): void {
    const content = this.#read(heading, form);
    if (!content) return;
    const keys = key.split('.');
    let holder = entry;
    for (const each of keys.slice(0, -1)) {
      if (!isObject(holder[each])) holder[each] = {};
      holder = holder[each] as Record<string, unknown>;
    }
    const last = keys.at(-1)!;
    if (Object.hasOwn(holder, last))
      this.fault(heading, 'given_twice', `The JSON of this row has ${quoteValue(key)} too; keep one.`);
    holder[last] = content.value;
    this.isAt(heading, `${path}/${keys.join('/')}`);
  }

  spreadOther(entry: Record<string, unknown>, path: string, heading: string): void {
    const content = this.#read(heading, 'value');
    if (!content) return;
    if (!isObject(content.value)) {
      this.fault(heading, 'unreadable_cell', 'The cell must be a JSON object, like {"$comment": "why"}.');
      return;
    }
    merge(entry, content.value);
    for (const key of Object.keys(content.value)) this.isAt(heading, `${path}${pointer(key)}`);
  }

  tests(columns: readonly TestHeading[], path: string): unknown[] {
    const list: unknown[] = [];
    for (const { heading, column, read } of columns) {
      const content = read(this.#cells[this.#columnOf(heading)]);
      if (content === 'missing') continue;
      if ('fault' in content) {
        this.fault(heading, 'unreadable_cell', content.fault);
        continue;
      }
      this.isAt(heading, `${path}/${list.length}`);
      list.push({ ...column, value: content.value });
    }
    const more = this.#read(AND_ALSO, 'value');
    if (more && !Array.isArray(more.value)) {
      this.fault(AND_ALSO, 'unreadable_cell', 'The cell must be a JSON list of conditions.');
    } else if (more) {
      for (const node of more.value as unknown[]) {
        this.isAt(AND_ALSO, `${path}/${list.length}`);
        list.push(node);
      }
    }
    return list;
  }

  refuseTests(columns: readonly TestHeading[], because: string): void {
    const message = `The column "${because}" has the condition of this row already; keep one of the two.`;
    for (const heading of [...columns.map((each) => each.heading), AND_ALSO]) {
      if (isFilled(this.#cells[this.#columnOf(heading)])) this.fault(heading, 'test_without_meaning', message);
    }
  }

  #columnOf(heading: string): number {
    return this.#sheet.headings.indexOf(heading);
  }

  #read(heading: string, form: KeyColumn['form']): { readonly value: unknown } | undefined {
    const column = this.#columnOf(heading);
    const content = column < 0 ? ('missing' as const) : readCell(this.#cells[column], form);
    if (content === 'missing') return undefined;
    if ('fault' in content) {
      this.fault(heading, 'unreadable_cell', content.fault);
      return undefined;
    }
    return content;
  }
}

function isFilled(cell: SheetCell | undefined): boolean {
  return cell !== null && cell !== undefined && !(typeof cell === 'string' && cell.trim() === '');
}

/** Merges deeply. A key may be `__proto__`, so it is defined, not assigned. */
function merge(entry: Record<string, unknown>, more: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(more)) {
    const inner = Object.hasOwn(entry, key) ? entry[key] : undefined;
    if (isObject(inner) && isObject(value)) merge(inner, value);
    else Object.defineProperty(entry, key, { value, enumerable: true, configurable: true, writable: true });
  }
}
