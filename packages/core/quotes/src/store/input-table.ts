import { checkParameters, type StorableValue } from '@leeward/database';
import { type RawBuilder, sql } from 'kysely';
import type { StoreContext } from './store-context.ts';

export type ColumnType = 'text' | 'integer' | 'bigint';

/** Input rows as `input (column, …) as (…)` for a `with`. The text is independent of the number of rows, so it stays prepared. */
export function inputTable<Column extends string>(
  { database }: Pick<StoreContext, 'database'>,
  columns: Readonly<Record<Column, ColumnType>>,
  rows: readonly Readonly<Record<Column, StorableValue>>[],
): RawBuilder<unknown> {
  const names = Object.keys(columns) as Column[];
  // Unstorable values would go unnoticed in a list.
  for (const row of rows) checkParameters(names.map((name) => row[name]));
  const chosen =
    database.engine === 'postgres'
      ? fromArrays(names.map((name) => ({ type: columns[name], values: rows.map((row) => row[name]) })))
      : fromJson(
          names.map((name) => columns[name]),
          rows.map((row) => names.map((name) => row[name])),
        );
  return sql`input (${sql.raw(names.join(', '))}) as (${chosen})`;
}

/** PostgreSQL plans by the length of the arrays. */
function fromArrays(
  columns: readonly { readonly type: ColumnType; readonly values: readonly StorableValue[] }[],
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

function fromJson(types: readonly ColumnType[], rows: readonly (readonly StorableValue[])[]): RawBuilder<unknown> {
  // JSON numbers are not exact.
  const json = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  const picked = types.map((type, index) => sql.raw(`cast(value ->> ${index} as ${type})`));
  return sql`select ${sql.join(picked)} from json_each(${json})`;
}
