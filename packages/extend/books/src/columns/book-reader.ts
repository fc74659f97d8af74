import type { Vocabulary } from '@leeward/engine';
import { isGiven, type NumberStyle, readWrittenNumber } from '@leeward/terms';
import type { BookFormat } from '../source/book-source.ts';
import { cellOf, type RawBatch, type RawColumn } from '../source/raw-batch.ts';
import { type BookColumns, createBookColumns, ownColumn, ownList } from './book-columns.ts';
import { type AggregateColumn, type ColumnMap, type FieldColumn, fieldColumns } from './column-map.ts';
import { type CountyFiller, createCountyFiller } from './county-filler.ts';
import { createEvidenceFiller, type EvidenceFiller } from './evidence-filler.ts';
import { bookNamesOf, evidenceNames } from './evidence-names.ts';
import { type ColumnFiller, createColumnFiller } from './fill-column.ts';
import { type ResolverTarget, resolversOf } from './value-resolver.ts';

/** A batch as columns of the engine. The next batch reuses the buffers. */
export interface ReadBatch {
  readonly columns: BookColumns;
  /** By row, 1 if the row must be read separately. Its columns are then meaningless. */
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
  /** For messages. */
  readonly name: string;
  /** Year of the effective date, on which ages and domains depend. */
  readonly effectiveYear: number;
  readonly readsEffectiveDate: boolean;
  /** Decision time of rows without `as_of`. */
  readonly asOf: Date;
}

/** Reads batches with the results that `parseRequest` has for each row. */
export interface BookReader {
  read(batch: RawBatch): ReadBatch;
}

type TargetColumn = ResolverTarget['column'];

/** The columns to fill from batches with these names. */
interface Plan {
  readonly names: readonly string[];
  readonly fields: readonly FieldColumn[];
  readonly fillers: readonly {
    readonly place: number;
    readonly column: TargetColumn;
    readonly filler: ColumnFiller;
    readonly constant: RawColumn | undefined;
    readonly empty: number;
  }[];
  /** The columns that `fillers` fill. */
  readonly columns: ReadonlySet<TargetColumn>;
  readonly county:
    | { readonly place: number; readonly constant: RawColumn | undefined; readonly filler: CountyFiller }
    | undefined;
  readonly evidence: EvidenceFiller | undefined;
  /** Columns of NDJSON that are not fields: a row with a value is rejected. */
  readonly unknown: readonly number[];
}

const constantColumn = (value: unknown, rows: number): RawColumn => ({
  kind: 'dictionary',
  codes: new Int32Array(rows),
  words: [value],
});

/** NaN if the cell is empty; undefined if the aggregate cannot have the value. */
export function readAggregateCell(
  cell: unknown,
  { min, max, integer }: AggregateColumn,
  style: NumberStyle | undefined,
): number | undefined {
  if (!isGiven(cell) || (typeof cell === 'string' && cell.trim() === '')) return Number.NaN;
  const value = typeof cell === 'string' ? readWrittenNumber(cell, { style, isWhole: integer }) : cell;
  const fits = typeof value === 'number' && value >= min && value <= max && (!integer || Number.isInteger(value));
  return fits ? value : undefined;
}

const MIN_ROWS = 512;

/** Lists are kept for the next batches until there are so many. */
const MAX_LISTS = 1 << 14;

export function createBookReader(options: BookReaderOptions): BookReader {
  return new ColumnBookReader(options);
}

class ColumnBookReader implements BookReader {
  readonly #options: BookReaderOptions;
  readonly #isIgnored: (name: string) => boolean;
  /** Pairs of fields that belong together, by their indexes in the vocabulary. */
  readonly #pairs: readonly (readonly number[])[];
  #columns: BookColumns;
  #doubtful = new Uint8Array(0);
  /** Numbers of a column before they are joined, or that fill no column. */
  #scratch = new Float64Array(0);
  #others = otherColumns(0);
  #plan: Plan | undefined;

  constructor(options: BookReaderOptions) {
    this.#options = options;
    const { vocabulary, map } = options;
    const fieldNames = bookNamesOf(vocabulary);
    const aggregates = new Set(map.aggregates?.map(({ column }) => column));
    this.#isIgnored = (column) =>
      aggregates.has(column) || (map.ignore === 'others' ? !fieldNames.includes(column) : map.ignore.includes(column));
    this.#pairs = vocabulary.givenTogether.map((pair) =>
      pair.map((each) => vocabulary.fields.findIndex(({ requestName }) => requestName === each)),
    );
    this.#columns = createBookColumns(vocabulary, 0);
  }

  read(batch: RawBatch): ReadBatch {
    const { rows } = batch;
    this.#ensureRows(rows);
    const plan = this.#planFor(batch.names);
    const [columns, doubtful, others] = [this.#columns, this.#doubtful, this.#others];
    doubtful.fill(0);
    const filled = this.#fill(plan, batch);
    // A row without a state or a policy type is read separately.
    if (!filled.has('state') || !filled.has('policyType')) doubtful.fill(1, 0, rows);
    const county = plan.county && (plan.county.constant ?? batch.columns[plan.county.place]);
    if (county) plan.county!.filler.fill(county, rows, columns, doubtful);
    else columns.county.fill(0, 0, rows);
    this.#fillAggregates(batch);
    for (const place of plan.unknown) markValues(batch.columns[place], rows, doubtful);
    for (const [a, b] of this.#pairs) markIncomplete(columns.fields[a!], columns.fields[b!], rows, doubtful);
    const hasPlaces = plan.columns.has('lat') || plan.columns.has('lng');
    if (hasPlaces) {
      if (!plan.columns.has('lat')) others.lat.fill(Number.NaN);
      if (!plan.columns.has('lng')) others.lng.fill(Number.NaN);
      for (let row = 0; row < rows; row++)
        if (Number.isNaN(others.lat[row]!) !== Number.isNaN(others.lng[row]!)) doubtful[row] = 1;
    }
    for (const { row } of batch.unread) doubtful[row] = 1;
    for (const row of batch.whole?.keys() ?? []) doubtful[row] = 1;
    if (plan.evidence) plan.evidence.fill(batch, columns, doubtful, filled.has('asOf') ? others.asOf : undefined);
    else columns.evidence = undefined;
    return {
      columns,
      doubtful,
      lat: hasPlaces ? others.lat : undefined,
      lng: hasPlaces ? others.lng : undefined,
      asOf: plan.columns.has('asOf') ? others.asOf : undefined,
      effectiveDate: plan.columns.has('effectiveDate') ? others.effectiveDate : undefined,
      fields: plan.fields,
      isIgnored: this.#isIgnored,
    };
  }

  /** Fills the columns of aggregates. A row with a value that an aggregate cannot have is read separately, and rejected. */
  #fillAggregates({ names, columns, rows }: RawBatch): void {
    const { aggregates = [], number } = this.#options.map;
    if (aggregates.length === 0) return;
    const filled = new Map<string, Float64Array>();
    for (const aggregate of aggregates) {
      const raw = columns[names.indexOf(aggregate.column)];
      const into = new Float64Array(this.#doubtful.length).fill(Number.NaN);
      for (let row = 0; raw && row < rows; row++) {
        const value = readAggregateCell(cellOf(raw, row), aggregate, number);
        if (value === undefined) this.#doubtful[row] = 1;
        else into[row] = value;
      }
      filled.set(aggregate.name, into);
    }
    this.#columns.aggregates = filled;
  }

  #planFor(names: readonly string[]): Plan {
    const { lists } = this.#columns;
    const isFull = lists.some((each) => each && each.lists.length > MAX_LISTS);
    if (this.#plan?.names !== names || isFull) {
      lists.fill(undefined);
      this.#plan = createPlan(names, this.#options, this.#isIgnored, this.#doubtful.length);
    }
    return this.#plan;
  }

  /** Fills the columns of a batch. Returns those that the batch has. */
  #fill(plan: Plan, batch: RawBatch): ReadonlySet<TargetColumn> {
    const { rows } = batch;
    const [doubtful, scratch] = [this.#doubtful, this.#scratch];
    const filled = new Set<TargetColumn>();
    const present = new Set<TargetColumn>();
    for (const { place, column, filler, constant, empty } of plan.fillers) {
      const raw = constant ?? batch.columns[place];
      const into = this.#target(column);
      const isSecond = typeof column === 'number' && filled.has(column);
      if (raw && isSecond) {
        // A distance may have two names. A row may use one of them.
        filler.fill(raw, rows, scratch, doubtful);
        joinColumns(into as Float64Array, scratch, rows, doubtful);
      } else if (raw) filler.fill(raw, rows, into, doubtful);
      else if (!isSecond) into.fill(empty, 0, rows);
      filled.add(column);
      if (raw) present.add(column);
    }
    return present;
  }

  #target(column: TargetColumn): Float64Array | Uint8Array | Uint16Array {
    if (typeof column === 'number') return ownColumn(this.#columns, column);
    if (typeof column === 'object') return ownList(this.#columns, column.list, column.lists).places;
    switch (column) {
      case 'state':
      case 'policyType':
        return this.#columns[column];
      case 'address':
      case 'check':
        return this.#scratch;
      default:
        return this.#others[column];
    }
  }

  #ensureRows(needed: number): void {
    if (needed <= this.#doubtful.length) return;
    // Blocks of text differ in length: powers of two avoid a new buffer for each longer one.
    const rows = Math.max(MIN_ROWS, 2 ** Math.ceil(Math.log2(needed)));
    this.#columns = createBookColumns(this.#options.vocabulary, rows);
    this.#doubtful = new Uint8Array(rows);
    this.#scratch = new Float64Array(rows);
    this.#others = otherColumns(rows);
    this.#plan = undefined;
  }
}

/** @param rows Length of the buffers. */
function createPlan(
  names: readonly string[],
  { vocabulary, map, format, name, effectiveYear, readsEffectiveDate, asOf }: BookReaderOptions,
  isIgnored: (name: string) => boolean,
  rows: number,
): Plan {
  const evidence = evidenceNames(vocabulary);
  const fields = fieldColumns(names, map, vocabulary, { name, isStrict: format !== 'ndjson' });
  const county = fields.find(({ field }) => field === 'county');
  const constantOf = ({ place, constant }: FieldColumn) => (place < 0 ? constantColumn(constant, rows) : undefined);
  const isUnknown = (column: string, place: number) =>
    !map.aggregates?.some((each) => each.column === column) &&
    !fields.some((field) => field.place === place) &&
    !column.startsWith('x_') &&
    !isIgnored(column);
  const fillers = fields
    .filter(({ field }) => (field !== 'effective_date' || readsEffectiveDate) && !evidence.has(field))
    .flatMap((field) =>
      resolversOf(field.field, vocabulary, effectiveYear).map(({ column, resolver }) => ({
        place: field.place,
        column,
        filler: createColumnFiller(resolver, field),
        constant: constantOf(field),
        empty: resolver.empty,
      })),
    );
  return {
    names,
    fields,
    fillers,
    columns: new Set(fillers.map(({ column }) => column)),
    county: county && {
      place: county.place,
      constant: constantOf(county),
      filler: createCountyFiller(vocabulary),
    },
    evidence: createEvidenceFiller(fields, vocabulary, asOf.getTime()),
    unknown: format === 'ndjson' ? names.flatMap((each, place) => (isUnknown(each, place) ? [place] : [])) : [],
  };
}

function otherColumns(rows: number) {
  const [lat, lng] = [new Float64Array(rows), new Float64Array(rows)];
  return { lat, lng, asOf: new Float64Array(rows), effectiveDate: new Float64Array(rows) };
}

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
