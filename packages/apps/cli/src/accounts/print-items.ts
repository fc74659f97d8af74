import { writeTime } from '@leeward/terms';
import { fittingTable } from '../table/fitting-table.ts';
import type { Terminal } from '../terminal.ts';

export interface PrintOptions {
  readonly json?: boolean;
}

type Item = Readonly<Record<string, unknown>>;

/** Items as a table of some of their fields, or all of them as JSON. */
export function printItems(
  items: readonly object[],
  columns: readonly string[],
  { json }: PrintOptions,
  terminal: Terminal,
): void {
  if (json) {
    terminal.write(`${JSON.stringify({ items }, null, 2)}\n`);
    return;
  }
  if (items.length === 0) {
    terminal.write('There are none.\n');
    return;
  }
  const head = columns.map((column) => column.replaceAll('_', ' '));
  const rows = (items as readonly Item[]).map((item) => columns.map((column) => textOf(item[column])));
  terminal.write(`${fittingTable({ head, rows }, terminal)}\n`);
}

/** One item, a line a field, or as JSON. */
export function printItem(item: object, { json }: PrintOptions, terminal: Terminal): void {
  terminal.write(json ? `${JSON.stringify(item, null, 2)}\n` : itemLines(item));
}

/** One line per field, without revision and timestamps of changes, and without rule sets. */
export function itemLines(item: object): string {
  const hidden = new Set(['revision', 'created_at', 'updated_at', 'rule_set']);
  const visibleEntries = Object.entries(item).filter(([field, value]) => !hidden.has(field) && value !== null);
  const width = Math.max(...visibleEntries.map(([field]) => field.length));
  return visibleEntries
    .map(([field, value]) => `${field.replaceAll('_', ' ').padEnd(width)}  ${textOf(value)}\n`)
    .join('');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value === 'object') {
    return Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([field, each]) => `${field} ${textOf(each)}`)
      .join(', ');
  }
  return INSTANT.test(String(value)) ? writeTime(String(value)) : String(value);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
