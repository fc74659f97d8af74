import type { Vocabulary } from '@leeward/engine';
import type { BookColumns } from '../columns/book-columns.ts';

/** Adds to a count by name. */
export function add(counts: Map<string, number>, name: string, count: number): void {
  if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
}

/** Places of what is marked; searched for, as it is rare. */
export function rowsMarked(marks: Uint8Array, rows: number): number[] {
  const all = marks.subarray(0, rows);
  const found: number[] = [];
  for (let row = all.indexOf(1); row >= 0; row = all.indexOf(1, row + 1)) found.push(row);
  return found;
}

/** The warnings that `parseRequest` gives of what columns carry. */
export function countWarnings(
  columns: BookColumns,
  rows: number,
  doubtful: Uint8Array,
  { relations, fields }: Vocabulary,
  warnings: Map<string, number>,
): void {
  const { county } = columns;
  let elsewhere = 0;
  let ambiguous = 0;
  for (let row = 0; row < rows; row++) {
    if (county[row]! >= 0 || doubtful[row] === 1) continue;
    if (county[row] === -1) elsewhere += 1;
    else ambiguous += 1;
  }
  const inconsistent = new Uint8Array(rows);
  const columnOf = (name: string) => columns.fields[fields.findIndex((field) => field.name === name)] as Float64Array;
  for (const { lower, higher } of relations) markBelow(columnOf(higher), columnOf(lower), rows, inconsistent);
  add(warnings, 'county_not_in_state', elsewhere);
  add(warnings, 'ambiguous_county', ambiguous);
  add(warnings, 'inconsistent', rowsMarked(inconsistent, rows).filter((row) => doubtful[row] === 0).length);
}

/** Marks rows whose higher field lies below the lower one. */
function markBelow(higher: Float64Array, lower: Float64Array, rows: number, marks: Uint8Array): void {
  for (let row = 0; row < rows; row++) if (higher[row]! < lower[row]!) marks[row] = 1;
}
