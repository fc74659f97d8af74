import { didYouMean, quoteValue, suggest } from '@leeward/terms';
import { ArtifactError } from '../format/artifact-error.ts';
import type { Manifest } from '../format/manifest.ts';

/** Homes as columns of equal length, by names of request fields. Cells are as in requests; null, blank text and NaN are missing. */
export type ArtifactColumns = Readonly<Record<string, ArrayLike<unknown>>>;

/** Names of columns that differ from those of fields. */
export interface ColumnNames {
  /** The column for a field, if it has another name: `{ roof_age: 'ROOF' }`. @default columns have the names of fields */
  readonly columns?: Readonly<Record<string, string>>;
  /** Columns of the caller whose names resemble a field. @default none */
  readonly ignore?: readonly string[];
}

/** Columns by field. */
export interface NamedColumns {
  readonly rows: number;
  /** Fields that rules test and that have no column: they are unknown in all rows. */
  readonly missing: readonly string[];
  find(field: string): ArrayLike<unknown> | undefined;
}

const REQUIRED = ['state', 'policy_type'];
const OPTIONAL = ['county', 'as_of', 'effective_date'];

/** Names of the columns that an artifact reads. A distance has several. */
export function readableColumns({ inputs, given_together: pairs }: Manifest): readonly string[] {
  const fields = inputs
    .filter(({ kind }) => kind !== 'computed' && kind !== 'host')
    .flatMap(({ column, columns }) => columns?.map(({ name }) => name) ?? [column]);
  return [...new Set([...REQUIRED, ...OPTIONAL, ...fields, ...pairs.flat()])];
}

/**
 * Finds the columns of fields. Other columns are the caller's, unless their names resemble a field without a column.
 *
 * @throws {ArtifactError} `missing_column`, `unknown_column` or `unequal_columns`, naming the column and the way out.
 */
export function nameColumns(manifest: Manifest, columns: ArtifactColumns, options: ColumnNames): NamedColumns {
  const fields = readableColumns(manifest);
  const mapped = new Map(Object.entries(options.columns ?? {}));
  const has = (column: string) => Object.hasOwn(columns, column);
  for (const [field, column] of mapped)
    checkMapping(field, column, { fields: [...fields, ...manifest.fields], columns });
  const mappedColumns = new Set(mapped.values());
  const columnOf = (field: string) =>
    mapped.get(field) ?? (has(field) && !mappedColumns.has(field) ? field : undefined);
  const absent = fields.filter((field) => columnOf(field) === undefined);
  const others = new Set([...fields, ...manifest.fields, ...mappedColumns, ...(options.ignore ?? [])]);
  const own = Object.keys(columns).filter((column) => !others.has(column) && !column.startsWith('x_'));
  for (const field of REQUIRED.filter((each) => absent.includes(each))) {
    const nearest = suggest(field, own);
    const hint =
      nearest === undefined
        ? ''
        : ` ${quoteValue(nearest)} resembles it; map it with columns: { ${field}: ${quoteValue(nearest)} }.`;
    throw new ArtifactError('missing_column', `There is no column ${field}, which is required.${hint}`);
  }
  for (const column of own) checkOwnColumn(column, absent);
  const [first] = REQUIRED;
  const rows = columns[columnOf(first!)!]!.length;
  for (const field of fields) {
    const column = columnOf(field);
    if (column === undefined || columns[column]!.length === rows) continue;
    const message = `The column ${column} has ${columns[column]!.length} rows, and ${columnOf(first!)} has ${rows}; give columns of one length.`;
    throw new ArtifactError('unequal_columns', message);
  }
  const optional = new Set([
    ...OPTIONAL,
    ...manifest.inputs.flatMap((input) => input.columns?.map(({ name }) => name) ?? []),
  ]);
  return {
    rows,
    missing: [
      ...absent.filter((field) => !optional.has(field)),
      ...manifest.inputs.flatMap(({ column, columns: names }) =>
        names?.every(({ name }) => absent.includes(name)) ? [column] : [],
      ),
    ],
    find(field) {
      const column = columnOf(field);
      return column === undefined ? undefined : columns[column];
    },
  };
}

function checkMapping(
  field: string,
  column: string,
  { fields, columns }: { readonly fields: readonly string[]; readonly columns: ArtifactColumns },
): void {
  if (!fields.includes(field)) {
    const message = `columns has ${quoteValue(field)}, which is not a field.${didYouMean(field, fields)}`;
    throw new ArtifactError('unknown_column', message);
  }
  if (Object.hasOwn(columns, column)) return;
  const hint = didYouMean(column, Object.keys(columns));
  throw new ArtifactError('missing_column', `There is no column ${quoteValue(column)} for ${field}.${hint}`);
}

function checkOwnColumn(column: string, absent: readonly string[]): void {
  const nearest = suggest(column, absent);
  if (nearest === undefined) return;
  const ways = `map it with columns: { ${nearest}: ${quoteValue(column)} }, or list it in ignore`;
  throw new ArtifactError(
    'unknown_column',
    `The column ${quoteValue(column)} is not a field. Did you mean "${nearest}"? Rename it, ${ways}.`,
  );
}
