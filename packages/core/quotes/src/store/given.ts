import { checkParameters, type StorableValue } from '@leeward/database';
import { type RawBuilder, sql } from 'kysely';
import type { StoreContext } from './store-context.ts';

/** What the values of a column are. */
export type GivenType = 'text' | 'integer' | 'bigint';

/**
 * Rows that a statement works on, as `given (column, …) as (…)` for its `with`. However many there are, the statement's text
 * is the same: it stays prepared, and there is no limit to their number.
 */
export function given<Column extends string>(
  { database }: Pick<StoreContext, 'database'>,
  columns: Readonly<Record<Column, GivenType>>,
  rows: readonly Readonly<Record<Column, StorableValue>>[],
): RawBuilder<unknown> {
  const names = Object.keys(columns) as Column[];
  // What no engine stores as it is would be hidden within a list.
  for (const row of rows) checkParameters(names.map((name) => row[name]));
  const chosen =
    database.engine === 'postgres'
      ? fromArrays(names.map((name) => ({ type: columns[name], values: rows.map((row) => row[name]) })))
      : fromJson(
          names.map((name) => columns[name]),
          rows.map((row) => names.map((name) => row[name])),
        );
  return sql`given (${sql.raw(names.join(', '))}) as (${chosen})`;
}

/** An array a column: their length is what PostgreSQL plans by, as it does by that of `values`. */
function fromArrays(
  columns: readonly { readonly type: GivenType; readonly values: readonly StorableValue[] }[],
): RawBuilder<unknown> {
  const arrays = columns.map(
    ({ type, values }) => sql`cast(${`{${values.map(arrayElement).join()}}`} as ${sql.raw(type)}[])`,
  );
  return sql`select * from unnest(${sql.join(arrays)})`;
}

function arrayElement(value: StorableValue): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}

function fromJson(types: readonly GivenType[], rows: readonly (readonly StorableValue[])[]): RawBuilder<unknown> {
  // Digits of a bigint as text: numbers of JSON are not exact.
  const json = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  const picked = types.map((type, index) => sql.raw(`cast(value ->> ${index} as ${type})`));
  return sql`select ${sql.join(picked)} from json_each(${json})`;
}
