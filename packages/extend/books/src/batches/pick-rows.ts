import type { Vocabulary } from '@leeward/engine';
import { type BookColumns, createBookColumns } from '../columns/book-columns.ts';

/** Some rows of columns, as columns of their own. */
export function pickRows(columns: BookColumns, rows: readonly number[], vocabulary: Vocabulary): BookColumns {
  const picked = createBookColumns(vocabulary, rows.length);
  picked.ambiguous.push(...columns.ambiguous);
  rows.forEach((row, index) => {
    picked.policyType[index] = columns.policyType[row]!;
    picked.state[index] = columns.state[row]!;
    picked.county[index] = columns.county[row]!;
  });
  picked.fields.forEach((field, place) => {
    const from = columns.fields[place]!;
    for (let index = 0; index < rows.length; index++) field[index] = from[rows[index]!]!;
  });
  return picked;
}
