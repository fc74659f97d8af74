import { isObject, pointer, quoteValue } from '@leeward/terms';
import { readCell } from './cell-text.ts';
import { AND_ALSO, type KeyColumn } from './sheets.ts';
import type { TestHeading } from './test-columns.ts';
import type { SheetCell, WorkbookFault, WorkbookPlace, WorkbookSheet } from './workbook.ts';

/** Reads a sheet by its headings. Collects faults, and the cell of each part of the file by JSON Pointer. */
export interface SheetReader {
  /** Trimmed; empty for a column without a heading. */
  headings(): readonly string[];
  /** Declares the headings that are read, and those that are required. Reports all others, unless they have a fault already. */
  columns(headings: readonly string[], required: readonly string[]): void;
  headingFault(heading: string, code: string, message: string): void;
  /** Rows that are not blank. */
  rows(): readonly Cells[];
}

/** The cells of one row. */
export interface Cells {
  /** The value of a cell; undefined if it is blank. */
  value(heading: string): unknown;
  fault(heading: string, code: string, message: string): void;
  /** Declares that a JSON Pointer leads to this row. */
  is(path: string): void;
  /** Declares that a JSON Pointer leads to a cell of this row. */
  isAt(heading: string, path: string): void;
  /** Puts the value of a column into an entry, under its key. */
  put(entry: Record<string, unknown>, path: string, column: KeyColumn): void;
  /** Puts every key of a JSON object into an entry. */
  spreadOther(entry: Record<string, unknown>, path: string, heading: string): void;
  /** The tests of the row: those in columns, then those in the JSON list. */
  tests(columns: readonly TestHeading[], path: string): unknown[];
  /** Reports each test of the row as a conflict with the column `because`. */
  refuseTests(columns: readonly TestHeading[], because: string): void;
}

export function createSheetReader(
  { name: sheet, rows }: WorkbookSheet,
  { faults, places }: { readonly faults: WorkbookFault[]; readonly places: Map<string, WorkbookPlace> },
): SheetReader {
  const headings = (rows[0] ?? []).map((cell) =>
    typeof cell === 'string' ? cell.trim() : cell === null ? '' : String(cell),
  );
  const headingsWithFault = new Set<string>();
  const add = (row: number, column: number, code: string, message: string) => {
    faults.push({ code, message, sheet, row, column: Math.max(0, column) });
  };
  const body = rows.slice(1).flatMap((cells, index) => (cells.some(isFilled) ? [{ cells, row: index + 1 }] : []));

  const cellsOf = (cells: readonly SheetCell[], row: number): Cells => {
    const columnOf = (heading: string) => headings.indexOf(heading);
    const read = (heading: string, form: KeyColumn['form']) => {
      const column = columnOf(heading);
      const content = column < 0 ? ('missing' as const) : readCell(cells[column], form);
      if (content !== 'missing' && 'fault' in content) {
        add(row, column, 'unreadable_cell', content.fault);
        return undefined;
      }
      return content === 'missing' ? undefined : content;
    };
    const reader: Cells = {
      value: (heading) => read(heading, 'value')?.value,
      fault: (heading, code, message) => add(row, columnOf(heading), code, message),
      is: (path) => void places.set(path, { sheet, row, column: 0 }),
      isAt: (heading, path) => void places.set(path, { sheet, row, column: columnOf(heading) }),
      put(entry, path, { heading, key, form }) {
        const content = read(heading, form);
        if (!content) return;
        const keys = key.split('.');
        let holder = entry;
        for (const each of keys.slice(0, -1)) {
          if (!isObject(holder[each])) holder[each] = {};
          holder = holder[each] as Record<string, unknown>;
        }
        const last = keys.at(-1)!;
        if (Object.hasOwn(holder, last))
          add(row, columnOf(heading), 'given_twice', `The JSON of this row has ${quoteValue(key)} too; keep one.`);
        holder[last] = content.value;
        reader.isAt(heading, `${path}/${keys.join('/')}`);
      },
      spreadOther(entry, path, heading) {
        const content = read(heading, 'value');
        if (!content) return;
        if (!isObject(content.value)) {
          add(row, columnOf(heading), 'unreadable_cell', 'The cell must be a JSON object, like {"$comment": "why"}.');
          return;
        }
        merge(entry, content.value);
        for (const key of Object.keys(content.value)) reader.isAt(heading, `${path}${pointer(key)}`);
      },
      tests(columns, path) {
        const list: unknown[] = [];
        for (const { heading, column, read: readTest } of columns) {
          const at = columnOf(heading);
          const content = readTest(cells[at]);
          if (content === 'missing') continue;
          if ('fault' in content) {
            add(row, at, 'unreadable_cell', content.fault);
            continue;
          }
          reader.isAt(heading, `${path}/${list.length}`);
          list.push({ ...column, value: content.value });
        }
        const more = read(AND_ALSO, 'value');
        if (more && !Array.isArray(more.value)) {
          add(row, columnOf(AND_ALSO), 'unreadable_cell', 'The cell must be a JSON list of conditions.');
        } else if (more) {
          for (const node of more.value as unknown[]) {
            reader.isAt(AND_ALSO, `${path}/${list.length}`);
            list.push(node);
          }
        }
        return list;
      },
      refuseTests(columns, because) {
        const filled = [...columns.map(({ heading }) => heading), AND_ALSO].filter((heading) =>
          isFilled(cells[columnOf(heading)]),
        );
        for (const heading of filled) {
          add(
            row,
            columnOf(heading),
            'test_without_meaning',
            `The column "${because}" has the condition of this row already; keep one of the two.`,
          );
        }
      },
    };
    return reader;
  };

  return {
    headings: () => headings,
    columns(names, required) {
      headings.forEach((heading, column) => {
        const isEmpty = body.every(({ cells }) => !isFilled(cells[column]));
        if (heading === '' && !isEmpty) {
          const first = body.find(({ cells }) => isFilled(cells[column]))!;
          add(first.row, column, 'no_heading', 'The column has no heading, so its cells would be lost.');
        } else if (heading !== '' && !names.includes(heading) && !headingsWithFault.has(heading)) {
          add(
            0,
            column,
            'unknown_column',
            `${quoteValue(heading)} is not a column of the sheet "${sheet}", so its cells would be lost.`,
          );
        } else if (heading !== '' && headings.indexOf(heading) < column) {
          add(0, column, 'column_twice', `There are two columns ${quoteValue(heading)}; keep one.`);
        }
      });
      for (const { cells, row } of body) {
        const beyond = cells.findIndex((cell, column) => column >= headings.length && isFilled(cell));
        if (beyond >= 0)
          add(row, beyond, 'no_heading', 'The column of this cell has no heading, so the cell would be lost.');
      }
      for (const heading of required) {
        if (!headings.includes(heading))
          add(0, 0, 'missing_column', `The sheet "${sheet}" has no column "${heading}".`);
      }
    },
    headingFault(heading, code, message) {
      headingsWithFault.add(heading);
      add(0, headings.indexOf(heading), code, message);
    },
    rows: () => body.map(({ cells, row }) => cellsOf(cells, row)),
  };
}

function isFilled(cell: SheetCell | undefined): boolean {
  return cell !== null && cell !== undefined && !(typeof cell === 'string' && cell.trim() === '');
}

/** Merges keys into an object, deeply. A key may be `__proto__`, so it is defined, not assigned. */
function merge(entry: Record<string, unknown>, more: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(more)) {
    const inner = Object.hasOwn(entry, key) ? entry[key] : undefined;
    if (isObject(inner) && isObject(value)) merge(inner, value);
    else Object.defineProperty(entry, key, { value, enumerable: true, configurable: true, writable: true });
  }
}
