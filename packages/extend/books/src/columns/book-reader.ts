import type { Vocabulary } from '@leeward/engine';
import type { BookFormat } from '../source/book-source.ts';
import type { RawBatch, RawColumn } from '../source/raw-batch.ts';
import { type BookColumns, createBookColumns } from './book-columns.ts';
import { type ColumnMap, type FieldColumn, fieldColumns, requestFieldsOf } from './column-map.ts';
import { createCountyFiller } from './county-filler.ts';
import { type ColumnFiller, createColumnFiller } from './fill-column.ts';
import { resolversOf } from './value-resolver.ts';

/** A batch as columns of the engine. The next batch reuses the buffers. */
export interface ReadBatch {
  readonly columns: BookColumns;
  /** By row, 1 if the row must be read separately. The columns of such a row may hold anything. */
  readonly doubtful: Uint8Array;
  /** Degrees; NaN if the row has no coordinates. Undefined if no row has. */
  readonly lat: Float64Array | undefined;
  readonly lng: Float64Array | undefined;
  /** Epoch milliseconds; NaN if the row has no instant. Undefined if no row has. */
  readonly asOf: Float64Array | undefined;
  /** Days since 1970, otherwise as `asOf`. */
  readonly effectiveDate: Float64Array | undefined;
  readonly fields: readonly FieldColumn[];
  isIgnored(name: string): boolean;
}

export interface BookReaderOptions {
  readonly vocabulary: Vocabulary;
  readonly map: ColumnMap;
  readonly format: BookFormat;
  /** The name of the book in messages. */
  readonly name: string;
  /** The year of the effective date. Ages and domains depend on it. */
  readonly effectiveYear: number;
  /** Reads the effective dates of rows. */
  readonly readsEffectiveDate: boolean;
}

/** Reads batches with the results that `parseRequest` has for each row. */
export interface BookReader {
  read(batch: RawBatch): ReadBatch;
}

interface Plan {
  readonly fields: readonly FieldColumn[];
  readonly fillers: readonly {
    readonly place: number;
    readonly column: number | 'state' | 'policyType' | 'lat' | 'lng' | 'asOf' | 'effectiveDate' | 'address' | 'check';
    readonly filler: ColumnFiller;
    readonly constant: RawColumn | undefined;
    readonly empty: number;
  }[];
  readonly county: { readonly place: number; readonly constant: RawColumn | undefined } | undefined;
  /** Columns of NDJSON that are not fields: a row that has one is rejected. */
  readonly unknown: readonly number[];
}

const constantColumn = (value: unknown, rows: number): RawColumn => ({
  kind: 'dictionary',
  codes: new Int32Array(rows),
  words: [value],
});

/** Minimum number of rows of the buffers. */
const MIN_ROWS = 512;

export function createBookReader(options: BookReaderOptions): BookReader {
  const { vocabulary, map, format, name, effectiveYear, readsEffectiveDate } = options;
  const fieldNames = requestFieldsOf(vocabulary);
  const isIgnored = (column: string): boolean =>
    map.ignore === 'others' ? !fieldNames.includes(column) : map.ignore.includes(column);
  const pairs = vocabulary.givenTogether.map((pair) =>
    pair.map((each) => vocabulary.fields.findIndex(({ requestName }) => requestName === each)),
  );
  let columns = createBookColumns(vocabulary, 0);
  let doubtful = new Uint8Array(0);
  let checked = new Float64Array(0);
  let others = otherColumns(0);
  let current: { readonly names: readonly string[]; readonly plan: Plan } | undefined;
  let counties: ReturnType<typeof createCountyFiller> | undefined;

  const planOf = (names: readonly string[]): Plan => {
    const fields = fieldColumns(names, map, vocabulary, { name, isStrict: format !== 'ndjson' });
    const county = fields.find(({ field }) => field === 'county');
    counties = county && createCountyFiller(vocabulary);
    return {
      fields,
      fillers: fields.flatMap((column) =>
        column.field === 'effective_date' && !readsEffectiveDate
          ? []
          : resolversOf(column.field, vocabulary, effectiveYear).map((target) => ({
              place: column.place,
              column: target.column,
              filler: createColumnFiller(target.resolver, column),
              constant: column.place < 0 ? constantColumn(column.constant, doubtful.length) : undefined,
              empty: target.resolver.empty,
            })),
      ),
      county: county && {
        place: county.place,
        constant: county.place < 0 ? constantColumn(county.constant, doubtful.length) : undefined,
      },
      unknown: names.flatMap((each, place) =>
        format === 'ndjson' &&
        !fields.some((field) => field.place === place) &&
        !each.startsWith('x_') &&
        !isIgnored(each)
          ? [place]
          : [],
      ),
    };
  };
  const ensureRows = (needed: number) => {
    if (needed <= doubtful.length) return;
    // Blocks of text differ in their number of rows: powers of two avoid a new buffer for each longer one.
    const rows = Math.max(MIN_ROWS, 2 ** Math.ceil(Math.log2(needed)));
    columns = createBookColumns(vocabulary, rows);
    doubtful = new Uint8Array(rows);
    checked = new Float64Array(rows);
    others = otherColumns(rows);
    current = undefined;
  };

  return {
    read(batch) {
      const { rows } = batch;
      ensureRows(rows);
      if (current?.names !== batch.names) current = { names: batch.names, plan: planOf(batch.names) };
      const { plan } = current;
      doubtful.fill(0);
      const filled = new Set<number>();
      let hasPlaces = false;
      let hasInstants = false;
      let hasDates = false;
      let hasState = false;
      let hasType = false;
      for (const { place, column, filler, constant, empty } of plan.fillers) {
        const raw = constant ?? batch.columns[place];
        const into =
          column === 'lat' || column === 'lng' || column === 'asOf' || column === 'effectiveDate'
            ? others[column]
            : typeof column === 'number'
              ? columns.fields[column]!
              : column === 'state' || column === 'policyType'
                ? columns[column]
                : checked;
        if (raw && typeof column === 'number' && filled.has(column)) {
          // A distance may have two names. A row may use one of them.
          filler.fill(raw, rows, checked, doubtful);
          joinColumns(into as Float64Array, checked, rows, doubtful);
        } else if (raw) filler.fill(raw, rows, into, doubtful);
        else if (typeof column === 'number' && filled.has(column)) continue;
        else into.fill(empty, 0, rows);
        if (typeof column === 'number') filled.add(column);
        if (column === 'lat' || column === 'lng') hasPlaces = true;
        if (column === 'asOf') hasInstants = true;
        if (column === 'effectiveDate') hasDates = true;
        if (column === 'state') hasState = raw !== undefined;
        if (column === 'policyType') hasType = raw !== undefined;
      }
      // A row without a state or a policy type is read separately.
      if (!hasState || !hasType) doubtful.fill(1, 0, rows);
      const county = plan.county && (plan.county.constant ?? batch.columns[plan.county.place]);
      if (county) counties!.fill(county, rows, columns, doubtful);
      else columns.county.fill(0, 0, rows);
      for (const place of plan.unknown) markValues(batch.columns[place], rows, doubtful);
      for (const [a, b] of pairs) markIncomplete(columns.fields[a!], columns.fields[b!], rows, doubtful);
      if (hasPlaces) {
        if (!plan.fields.some(({ field }) => field === 'lat')) others.lat.fill(Number.NaN);
        if (!plan.fields.some(({ field }) => field === 'lng')) others.lng.fill(Number.NaN);
        for (let row = 0; row < rows; row++)
          if (Number.isNaN(others.lat[row]!) !== Number.isNaN(others.lng[row]!)) doubtful[row] = 1;
      }
      for (const { row } of batch.unread) doubtful[row] = 1;
      for (const row of batch.whole?.keys() ?? []) doubtful[row] = 1;
      return {
        columns,
        doubtful,
        lat: hasPlaces ? others.lat : undefined,
        lng: hasPlaces ? others.lng : undefined,
        asOf: hasInstants ? others.asOf : undefined,
        effectiveDate: hasDates ? others.effectiveDate : undefined,
        fields: plan.fields,
        isIgnored,
      };
    },
  };
}

/** Columns of fields that `BookColumns` does not have. */
function otherColumns(rows: number) {
  const [lat, lng] = [new Float64Array(rows), new Float64Array(rows)];
  return { lat, lng, asOf: new Float64Array(rows), effectiveDate: new Float64Array(rows) };
}

/** Marks rows that have a value. */
function markValues(column: RawColumn | undefined, rows: number, doubtful: Uint8Array): void {
  if (column?.kind !== 'dictionary') return;
  for (let row = 0; row < rows; row++) if (column.codes[row]! >= 0) doubtful[row] = 1;
}

/** Fills gaps from another column of the same field. Marks rows with a value in both. */
function joinColumns(into: Float64Array, other: Float64Array, rows: number, doubtful: Uint8Array): void {
  for (let row = 0; row < rows; row++) {
    if (Number.isNaN(other[row]!)) continue;
    if (!Number.isNaN(into[row]!)) doubtful[row] = 1;
    into[row] = other[row]!;
  }
}

type FieldValues = BookColumns['fields'][number] | undefined;

/** Marks rows that have only one of two fields that belong together. */
function markIncomplete(a: FieldValues, b: FieldValues, rows: number, doubtful: Uint8Array): void {
  if (!a || !b) return;
  const [hasA, hasB] = [presenceOf(a, rows), presenceOf(b, rows)];
  for (let row = 0; row < rows; row++) if (hasA[row] !== hasB[row]) doubtful[row] = 1;
}

/** By row, 1 if a column has a value. */
function presenceOf(column: NonNullable<FieldValues>, rows: number): Uint8Array {
  const presence = new Uint8Array(rows);
  if (column instanceof Float64Array) markNumbers(column, rows, presence);
  else markWords(column, rows, presence);
  return presence;
}

function markNumbers(column: Float64Array, rows: number, presence: Uint8Array): void {
  for (let row = 0; row < rows; row++) if (!Number.isNaN(column[row]!)) presence[row] = 1;
}

function markWords(column: Uint8Array | Uint16Array, rows: number, presence: Uint8Array): void {
  for (let row = 0; row < rows; row++) if (column[row] !== 0) presence[row] = 1;
}
