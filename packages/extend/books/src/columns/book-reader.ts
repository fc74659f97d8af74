import type { Vocabulary } from '@leeward/engine';
import type { BookFormat } from '../source/book-source.ts';
import type { RawBatch, RawColumn } from '../source/raw-batch.ts';
import { type BookColumns, createBookColumns } from './book-columns.ts';
import { type ColumnMap, type FieldColumn, fieldColumns, requestFieldsOf } from './column-map.ts';
import { createCountyFiller } from './county-filler.ts';
import { type ColumnFiller, createColumnFiller } from './fill-column.ts';
import { resolversOf } from './value-resolver.ts';

/** What a batch comes to, by columns. What it holds is written over by the next. */
export interface ReadBatch {
  readonly columns: BookColumns;
  /** 1: the row is to be read by itself. */
  readonly doubtful: Uint8Array;
  /** Where the homes stand, in degrees; NaN where the book does not say. Undefined where no row does. */
  readonly lat: Float64Array | undefined;
  readonly lng: Float64Array | undefined;
  /** When rows are asked, in epoch milliseconds, and when they are effective, in days since 1970; NaN and undefined likewise. */
  readonly asOf: Float64Array | undefined;
  readonly effectiveDate: Float64Array | undefined;
  readonly fields: readonly FieldColumn[];
  isIgnored(name: string): boolean;
}

export interface BookReaderOptions {
  readonly vocabulary: Vocabulary;
  readonly map: ColumnMap;
  readonly format: BookFormat;
  /** What messages call the book. */
  readonly name: string;
  /** Year of the effective date, which ages and domains hang on. */
  readonly effectiveYear: number;
  /** Whether rows may bring an effective date of their own. */
  readonly readsEffectiveDate: boolean;
}

/** Reads batches as `parseRequest` would read their rows one by one. */
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
  /** Columns of NDJSON that are no field: a row that has one is refused. */
  readonly strangers: readonly number[];
}

const constantColumn = (value: unknown, rows: number): RawColumn => ({
  kind: 'dictionary',
  codes: new Int32Array(rows),
  words: [value],
});

/** Room that is made at least. */
const MIN_ROWS = 512;

export function createBookReader(options: BookReaderOptions): BookReader {
  const { vocabulary, map, format, name, effectiveYear, readsEffectiveDate } = options;
  const known = requestFieldsOf(vocabulary);
  const isIgnored = (column: string): boolean =>
    map.ignore === 'others' ? !known.includes(column) : map.ignore.includes(column);
  const together = vocabulary.givenTogether.map((pair) =>
    pair.map((each) => vocabulary.fields.findIndex(({ requestName }) => requestName === each)),
  );
  let columns = createBookColumns(vocabulary, 0);
  let doubtful = new Uint8Array(0);
  let checked = new Float64Array(0);
  let aside = roomAside(0);
  let planned: { readonly names: readonly string[]; readonly plan: Plan } | undefined;
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
      strangers: names.flatMap((each, place) =>
        format === 'ndjson' &&
        !fields.some((field) => field.place === place) &&
        !each.startsWith('x_') &&
        !isIgnored(each)
          ? [place]
          : [],
      ),
    };
  };
  const makeRoom = (needed: number) => {
    if (needed <= doubtful.length) return;
    // Blocks of text differ in their rows: with room to spare not every longer one begins anew. Small books need little.
    const rows = Math.max(MIN_ROWS, 2 ** Math.ceil(Math.log2(needed)));
    columns = createBookColumns(vocabulary, rows);
    doubtful = new Uint8Array(rows);
    checked = new Float64Array(rows);
    aside = roomAside(rows);
    planned = undefined;
  };

  return {
    read(batch) {
      const { rows } = batch;
      makeRoom(rows);
      if (planned?.names !== batch.names) planned = { names: batch.names, plan: planOf(batch.names) };
      const { plan } = planned;
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
            ? aside[column]
            : typeof column === 'number'
              ? columns.fields[column]!
              : column === 'state' || column === 'policyType'
                ? columns[column]
                : checked;
        if (raw && typeof column === 'number' && filled.has(column)) {
          // A distance under two names: a row gives it once.
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
      // Without one of them no row can be judged by columns.
      if (!hasState || !hasType) doubtful.fill(1, 0, rows);
      const county = plan.county && (plan.county.constant ?? batch.columns[plan.county.place]);
      if (county) counties!.fill(county, rows, columns, doubtful);
      else columns.county.fill(0, 0, rows);
      for (const place of plan.strangers) markStrangers(batch.columns[place], rows, doubtful);
      for (const [a, b] of together) markAlone(columns.fields[a!], columns.fields[b!], rows, doubtful);
      if (hasPlaces) {
        if (!plan.fields.some(({ field }) => field === 'lat')) aside.lat.fill(Number.NaN);
        if (!plan.fields.some(({ field }) => field === 'lng')) aside.lng.fill(Number.NaN);
        for (let row = 0; row < rows; row++)
          if (Number.isNaN(aside.lat[row]!) !== Number.isNaN(aside.lng[row]!)) doubtful[row] = 1;
      }
      for (const { row } of batch.unread) doubtful[row] = 1;
      for (const row of batch.whole?.keys() ?? []) doubtful[row] = 1;
      return {
        columns,
        doubtful,
        lat: hasPlaces ? aside.lat : undefined,
        lng: hasPlaces ? aside.lng : undefined,
        asOf: hasInstants ? aside.asOf : undefined,
        effectiveDate: hasDates ? aside.effectiveDate : undefined,
        fields: plan.fields,
        isIgnored,
      };
    },
  };
}

/** What a row says that the engine's columns do not hold. */
function roomAside(rows: number) {
  const [lat, lng] = [new Float64Array(rows), new Float64Array(rows)];
  return { lat, lng, asOf: new Float64Array(rows), effectiveDate: new Float64Array(rows) };
}

function markStrangers(column: RawColumn | undefined, rows: number, doubtful: Uint8Array): void {
  if (column?.kind !== 'dictionary') return;
  for (let row = 0; row < rows; row++) if (column.codes[row]! >= 0) doubtful[row] = 1;
}

/** Fills in what another column of the same field has; rows that both have are read by themselves. */
function joinColumns(into: Float64Array, other: Float64Array, rows: number, doubtful: Uint8Array): void {
  for (let row = 0; row < rows; row++) {
    if (Number.isNaN(other[row]!)) continue;
    if (!Number.isNaN(into[row]!)) doubtful[row] = 1;
    into[row] = other[row]!;
  }
}

type Filled = BookColumns['fields'][number] | undefined;

/** Of two fields that are given together or not at all, rows that have one alone. */
function markAlone(a: Filled, b: Filled, rows: number, doubtful: Uint8Array): void {
  if (!a || !b) return;
  const [hasA, hasB] = [givenOf(a, rows), givenOf(b, rows)];
  for (let row = 0; row < rows; row++) if (hasA[row] !== hasB[row]) doubtful[row] = 1;
}

/** By row, 1 where a column holds something. */
function givenOf(column: NonNullable<Filled>, rows: number): Uint8Array {
  const given = new Uint8Array(rows);
  if (column instanceof Float64Array) markNumbers(column, rows, given);
  else markWords(column, rows, given);
  return given;
}

function markNumbers(column: Float64Array, rows: number, given: Uint8Array): void {
  for (let row = 0; row < rows; row++) if (!Number.isNaN(column[row]!)) given[row] = 1;
}

function markWords(column: Uint8Array | Uint16Array, rows: number, given: Uint8Array): void {
  for (let row = 0; row < rows; row++) if (column[row] !== 0) given[row] = 1;
}
