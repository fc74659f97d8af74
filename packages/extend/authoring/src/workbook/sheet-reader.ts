import { isObject, pointer, quoteValue } from '@leeward/terms';
import { readCell } from './cell-text.ts';
import { AND_ALSO, type KeyColumn } from './sheets.ts';
import type { TestHeading } from './test-columns.ts';
import type { SheetCell, WorkbookFault, WorkbookPlace, WorkbookSheet } from './workbook.ts';

/** A sheet by its headings. Faults go to the list that is given, places of what is read into the map. */
export interface SheetReader {
  /** As they stand, without spaces round them; empty where there is none. */
  headings(): readonly string[];
  /** Says which headings are read and which must be there; every other one is a fault already told or is told now. */
  columns(known: readonly string[], needed: readonly string[]): void;
  headingFault(heading: string, code: string, message: string): void;
  /** Rows that say something, in their order. */
  rows(): readonly Cells[];
}

/** The cells of one row. */
export interface Cells {
  /** What a cell says, undefined where it is blank. */
  value(heading: string): unknown;
  fault(heading: string, code: string, message: string): void;
  /** This row is what a JSON Pointer means. */
  is(path: string): void;
  isAt(heading: string, path: string): void;
  /** Puts what a column says under its key. */
  put(entry: Record<string, unknown>, path: string, column: KeyColumn): void;
  /** Puts every key of a JSON object into an entry. */
  spreadOther(entry: Record<string, unknown>, path: string, heading: string): void;
  /** The tests of the row: those in columns, then those of the JSON list. */
  tests(columns: readonly TestHeading[], path: string): unknown[];
  /** Says each test of the row that something else leaves without a meaning. */
  refuseTests(columns: readonly TestHeading[], because: string): void;
}

export function createSheetReader(
  { name: sheet, rows }: WorkbookSheet,
  { faults, places }: { readonly faults: WorkbookFault[]; readonly places: Map<string, WorkbookPlace> },
): SheetReader {
  const headings = (rows[0] ?? []).map((cell) =>
    typeof cell === 'string' ? cell.trim() : cell === null ? '' : String(cell),
  );
  const told = new Set<string>();
  const add = (row: number, column: number, code: string, message: string) => {
    faults.push({ code, message, sheet, row, column: Math.max(0, column) });
  };
  const body = rows.slice(1).flatMap((cells, index) => (cells.some(isFilled) ? [{ cells, row: index + 1 }] : []));

  const cellsOf = (cells: readonly SheetCell[], row: number): Cells => {
    const columnOf = (heading: string) => headings.indexOf(heading);
    const read = (heading: string, form: KeyColumn['form']) => {
      const column = columnOf(heading);
      const found = column < 0 ? ('missing' as const) : readCell(cells[column], form);
      if (found !== 'missing' && 'fault' in found) {
        add(row, column, 'unreadable_cell', found.fault);
        return undefined;
      }
      return found === 'missing' ? undefined : found;
    };
    const reader: Cells = {
      value: (heading) => read(heading, 'value')?.value,
      fault: (heading, code, message) => add(row, columnOf(heading), code, message),
      is: (path) => void places.set(path, { sheet, row, column: 0 }),
      isAt: (heading, path) => void places.set(path, { sheet, row, column: columnOf(heading) }),
      put(entry, path, { heading, key, form }) {
        const found = read(heading, form);
        if (!found) return;
        const keys = key.split('.');
        let holder = entry;
        for (const each of keys.slice(0, -1)) {
          if (!isObject(holder[each])) holder[each] = {};
          holder = holder[each] as Record<string, unknown>;
        }
        const last = keys.at(-1)!;
        if (Object.hasOwn(holder, last))
          add(
            row,
            columnOf(heading),
            'given_twice',
            `${quoteValue(key)} stands in the JSON of this row too; keep one.`,
          );
        holder[last] = found.value;
        reader.isAt(heading, `${path}/${keys.join('/')}`);
      },
      spreadOther(entry, path, heading) {
        const found = read(heading, 'value');
        if (!found) return;
        if (!isObject(found.value)) {
          add(row, columnOf(heading), 'unreadable_cell', 'The cell must be a JSON object, like {"$comment": "why"}.');
          return;
        }
        merge(entry, found.value);
        for (const key of Object.keys(found.value)) reader.isAt(heading, `${path}${pointer(key)}`);
      },
      tests(columns, path) {
        const list: unknown[] = [];
        for (const { heading, column, read: readTest } of columns) {
          const at = columnOf(heading);
          const found = readTest(cells[at]);
          if (found === 'missing') continue;
          if ('fault' in found) {
            add(row, at, 'unreadable_cell', found.fault);
            continue;
          }
          reader.isAt(heading, `${path}/${list.length}`);
          list.push({ ...column, value: found.value });
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
            `The column "${because}" says already when this holds; keep one of the two.`,
          );
        }
      },
    };
    return reader;
  };

  return {
    headings: () => headings,
    columns(known, needed) {
      headings.forEach((heading, column) => {
        const isEmpty = body.every(({ cells }) => !isFilled(cells[column]));
        if (heading === '' && !isEmpty) {
          const first = body.find(({ cells }) => isFilled(cells[column]))!;
          add(first.row, column, 'no_heading', 'The column has no heading, so its cells would be lost.');
        } else if (heading !== '' && !known.includes(heading) && !told.has(heading)) {
          add(
            0,
            column,
            'unknown_column',
            `${quoteValue(heading)} is no column of the sheet "${sheet}", so its cells would be lost.`,
          );
        } else if (heading !== '' && headings.indexOf(heading) < column) {
          add(0, column, 'column_twice', `There are two columns ${quoteValue(heading)}; keep one.`);
        }
      });
      for (const { cells, row } of body) {
        const beyond = cells.findIndex((cell, column) => column >= headings.length && isFilled(cell));
        if (beyond >= 0)
          add(row, beyond, 'no_heading', 'The cell stands in a column without a heading and would be lost.');
      }
      for (const heading of needed) {
        if (!headings.includes(heading))
          add(0, 0, 'missing_column', `The sheet "${sheet}" has no column "${heading}".`);
      }
    },
    headingFault(heading, code, message) {
      told.add(heading);
      add(0, headings.indexOf(heading), code, message);
    },
    rows: () => body.map(({ cells, row }) => cellsOf(cells, row)),
  };
}

function isFilled(cell: SheetCell | undefined): boolean {
  return cell !== null && cell !== undefined && !(typeof cell === 'string' && cell.trim() === '');
}

/** Puts keys into an object, and into those that it holds. What is parsed may be called `__proto__`. */
function merge(entry: Record<string, unknown>, more: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(more)) {
    const known = Object.hasOwn(entry, key) ? entry[key] : undefined;
    if (isObject(known) && isObject(value)) merge(known, value);
    else Object.defineProperty(entry, key, { value, enumerable: true, configurable: true, writable: true });
  }
}
