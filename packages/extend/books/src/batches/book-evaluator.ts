import { type Property, STATUS_CODES, type Warning } from '@leeward/engine';
import { states } from '@leeward/places/counties';
import type { BookColumns } from '../columns/book-columns.ts';
import type { ReadBatch } from '../columns/book-reader.ts';
import { type ColumnMap, noColumnMap, usedColumns } from '../columns/column-map.ts';
import { readBook } from '../evaluate/read-book.ts';
import type { BookFormat } from '../source/book-source.ts';
import type { RawBatch } from '../source/raw-batch.ts';
import { type BookTables, intervalOn } from '../tables/book-tables.ts';
import type { BookCarriers } from './book-carriers.ts';
import { BookCounter, type BookCounts, markedRows } from './book-counter.ts';
import { leaveRows, placedRows, type RowMeasuring } from './measure-rows.ts';
import { MomentReader } from './moments.ts';
import { isSampled } from './open-questions.ts';
import { offeringCarriers, type RowTerms, termsOf } from './row-terms.ts';
import { type ReadRow, type RejectedRow, SingleRowReader } from './single-rows.ts';
import { createYearReader, type DatedBatch } from './year-reader.ts';

/** Options of `createBookEvaluator`. */
export interface BookEvaluatorOptions {
  readonly carriers: BookCarriers;
  /** Number of rows in the book's files before this one. @default 0 */
  readonly rowOffset?: number;
  readonly format: BookFormat;
  /** For messages. */
  readonly name: string;
  /** Columns of the fields. @default columns with the names of fields */
  readonly map?: ColumnMap;
  /** Decision time of rows without `as_of`. */
  readonly asOf: Date;
  /** Effective date of all rows, `YYYY-MM-DD`. Without it, the row's, else the date in the home's state at its instant. */
  readonly effectiveDate?: string | undefined;
  readonly readRow: ReadRow;
  /** Measures the distances of rows with coordinates, a batch at a time. Without it, these rows are read one by one. */
  readonly measuring?: RowMeasuring | undefined;
  /** Counts the reasons of declines, which takes several times as long. @default false */
  readonly countsReasons?: boolean;
  /** Reason code whose declined rows are returned in `declined`. @default none */
  readonly listsReason?: string;
  /**
   * Returns the reason codes of each declined row, and the terms of each row with an offer. Each such row is then read separately, which
   * takes some tenths of a millisecond.
   * @default false
   */
  readonly includesReasons?: boolean;
  /**
   * Share of the rows, from 0 to 1, whose missing fields are counted: which answers one of them alone would settle. Each of these rows that
   * needs information is read separately.
   * @default 0
   */
  readonly questionShare?: number;
  /** The known events, such as storms, for rules and moratoria on events. @default unknown */
  readonly events?: Property['events'];
  /** Evaluates a row without a policy type for every type; otherwise it is rejected. @default false */
  readonly allowsEveryType?: boolean;
}

/** The statuses of a batch. The next batch reuses the buffers. */
export interface EvaluatedBatch {
  /** Row number in the book, from 0. */
  readonly firstRow: number;
  readonly rows: number;
  /** `codes[row × carriers + carrier]`: an index into `STATUS_CODES`. Meaningless for a rejected row. */
  readonly codes: Uint8Array;
  /** By row, the FIPS code of its county as a number; 0 if unknown, negative if the county is not in the state. */
  readonly counties: ArrayLike<number>;
  /** By row, the index of its state in `states` of `@leeward/places`, and of its policy type in the vocabulary. Meaningless for a rejected row. */
  readonly states: ArrayLike<number>;
  readonly policyTypes: ArrayLike<number>;
  /** Rejected rows by index in the batch, in order. */
  readonly rejected: ReadonlyMap<number, RejectedRow>;
  /** By index in the batch, 1 if a carrier certainly declines the row for `listsReason`. */
  readonly declined?: Uint8Array;
  /** By index in the batch and of the carrier: the codes of a certain decline. Empty without `includesReasons`. */
  readonly reasons: ReadonlyMap<number, ReadonlyMap<number, readonly string[]>>;
  /** By index in the batch and of the carrier: the terms of its offers. Empty without `includesReasons`. */
  readonly terms: ReadonlyMap<number, ReadonlyMap<number, RowTerms>>;
  /** Why a home could not be placed, or only coarsely, by index in the batch: the warnings of HTTP. */
  readonly placeNotes?: ReadonlyMap<number, string>;
  /** Rows without a policy type: codes of all carriers for the first type, then for the next. */
  readonly everyType: ReadonlyMap<number, Uint8Array>;
}

/** Evaluates a book batch by batch. */
export interface BookEvaluator {
  evaluate(batch: RawBatch): Promise<EvaluatedBatch>;
  /** The counts of all batches so far. */
  counts(): BookCounts;
  /** True for a used column. Batches may omit all others. */
  readonly isWanted: (name: string) => boolean;
}

/**
 * Creates an evaluator of the batches of one file: a status for each row and carrier.
 *
 * @throws {TypeError} from `evaluate`, if a column is not a field and is not ignored.
 *
 * @example
 * const evaluator = createBookEvaluator({ carriers, format: book.format, name: 'policies.csv', asOf, readRow });
 * for await (const batch of book.batches({ isWanted: evaluator.isWanted })) {
 *   const { firstRow, rows, codes, rejected } = await evaluator.evaluate(batch);
 * }
 */
export function createBookEvaluator(options: BookEvaluatorOptions): BookEvaluator {
  return new BatchEvaluator(options);
}

const INELIGIBLE = STATUS_CODES.indexOf('ineligible');
const NEEDS_INFORMATION = STATUS_CODES.indexOf('needs_information');

/**
 * Most rows are evaluated from columns. The catalog evaluates three kinds of rows one by one: rows that columns cannot hold (marked as
 * doubtful), rows that several rules decide together in too many ways for tables, and declined rows whose reasons are returned.
 */
class BatchEvaluator implements BookEvaluator {
  readonly isWanted: (name: string) => boolean;
  readonly #carriers: BookCarriers;
  readonly #options: BookEvaluatorOptions;
  readonly #places: ReadonlyMap<string, number>;
  readonly #reader: ReturnType<typeof createYearReader>;
  readonly #rows: SingleRowReader;
  readonly #tables: BookTables[] = [];
  readonly #counter: BookCounter;
  #codes = new Uint8Array(0);
  #declined: Uint8Array | undefined;
  /** Indexes of the carriers with offers. */
  #offering: readonly number[] | undefined;

  constructor(options: BookEvaluatorOptions) {
    const { carriers, format, name, map = noColumnMap, asOf, effectiveDate, readRow } = options;
    const { vocabulary, carrierKeys } = carriers;
    const { rowOffset = 0, allowsEveryType = false } = options;
    this.#carriers = carriers;
    this.#options = options;
    this.#places = new Map(carrierKeys.map((key, place) => [key, place]));
    const readsEffectiveDate = effectiveDate === undefined;
    const moments = new MomentReader(asOf, effectiveDate);
    this.#reader = createYearReader({ vocabulary, map, format, name, readsEffectiveDate, asOf }, moments);
    this.#rows = new SingleRowReader({
      readRow,
      asOf,
      effectiveDate,
      rowOffset,
      allowsEveryType,
      vocabulary,
      map,
      certainties: carriers.certainties ?? [],
    });
    this.#counter = new BookCounter(vocabulary, carrierKeys.length);
    this.isWanted = usedColumns(map, vocabulary, format);
  }

  async evaluate(batch: RawBatch): Promise<EvaluatedBatch> {
    const { rows } = batch;
    const { measuring, countsReasons, includesReasons, listsReason, rowOffset = 0 } = this.#options;
    const read = this.#reader.read(batch);
    const { columns, doubtful, when } = read;
    columns.moments = { all: when.moments, ofRow: when.ofRow };
    columns.events = this.#options.events;
    columns.points = read.lat && {
      latitude: read.lat,
      longitude: read.lng!,
      radiusMeters: new Float64Array(read.lat.length),
    };
    const size = rows * this.#carriers.carrierKeys.length;
    if (this.#codes.length < size) this.#codes = new Uint8Array(size);
    this.#counter.rows += rows;
    this.#declined = listsReason === undefined ? undefined : new Uint8Array(rows);
    if (!measuring) leaveRows(read, placedRows(read, rows));
    const warnings = await measuring?.measure(read, rows, this.#carriers.certainties);
    const single = markedRows(doubtful, rows);
    for (const row of single) {
      // A doubtful row without a county in its state is skipped.
      columns.county[row] = -1;
      columns.state[row] = 0;
      columns.policyType[row] = 0;
    }
    this.#counter.addColumnWarnings(batch, read);
    for (const [code, count] of warnings ?? []) this.#counter.addWarning(code, count);
    this.#evaluateColumns(read, rows);
    const { rejected, everyType, placeNotes } = await this.#evaluateSingle(batch, read, single);
    if (!countsReasons) this.#counter.tally.addStatuses(columns, 0, rows, this.#codes);
    await this.#countQuestions(batch, read, rejected);
    const details = includesReasons ? await this.#detailsOf(batch, read, rejected) : NO_DETAILS;
    const firstRow = rowOffset + batch.firstRow;
    return {
      firstRow,
      rows,
      codes: this.#codes,
      counties: columns.county,
      states: columns.state,
      policyTypes: columns.policyType,
      rejected,
      ...details,
      ...(this.#declined && { declined: this.#declined }),
      placeNotes,
      everyType,
    };
  }

  counts(): BookCounts {
    return this.#counter.counts();
  }

  #setCodes(row: number, codes: Uint8Array): void {
    const count = this.#carriers.carrierKeys.length;
    this.#codes.set(codes.subarray(0, count), row * count);
  }

  #tablesOn(effectiveDate: string): BookTables {
    const { asOf, countsReasons = false, listsReason } = this.#options;
    const reasons = countsReasons || listsReason !== undefined;
    const existing = this.#tables.find((each) => intervalOn(each, effectiveDate) >= 0);
    const tables = existing ?? this.#carriers.bookTables({ asOf, effectiveDate, reasons });
    if (!existing) this.#tables.push(tables);
    return tables;
  }

  /** Evaluates the rows that columns hold, by the tables of their dates. */
  #evaluateColumns({ columns, doubtful, when }: DatedBatch, rows: number): void {
    const { moments, ofRow } = when;
    const tables: BookTables[] = [];
    const counts = new Uint32Array(moments.length);
    const groups = new Map<BookTables, Uint8Array>();
    for (let row = 0; row < rows; row++) {
      if (doubtful[row] !== 0) continue;
      const place = ofRow ? ofRow[row]! : 0;
      counts[place]!++;
      tables[place] ??= this.#tablesOn(moments[place]!.effectiveDate);
      const group = groups.get(tables[place]) ?? new Uint8Array(rows);
      groups.set(tables[place], group);
      group[row] = 1;
    }
    moments.forEach(({ effectiveDate }, place) => void this.#counter.addEffectiveDate(effectiveDate, counts[place]!));
    const { vocabulary, carrierKeys, catalog } = this.#carriers;
    const width = carrierKeys.length;
    const { countsReasons, listsReason: code } = this.#options;
    const tally = countsReasons ? { tally: this.#counter.tally } : {};
    const reason = code === undefined ? undefined : { code, rows: this.#declined! };
    const isOne = groups.size === 1;
    if (!isOne) this.#codes.fill(0, 0, rows * width);
    for (const [groupTables, only] of groups) {
      for (const chunk of readBook(groupTables, columns, vocabulary, { to: rows, only, catalog, reason, ...tally })) {
        const codes = chunk.codes.subarray(0, chunk.rows * width);
        const from = chunk.from * width;
        if (isOne) this.#codes.set(codes, from);
        else for (let index = 0; index < codes.length; index++) this.#codes[from + index]! |= codes[index]!;
      }
    }
  }

  async #evaluateSingle(
    batch: RawBatch,
    read: ReadBatch,
    rows: readonly number[],
  ): Promise<Required<Pick<EvaluatedBatch, 'rejected' | 'everyType' | 'placeNotes'>>> {
    const rejected = new Map<number, RejectedRow>();
    const everyType = new Map<number, Uint8Array>();
    const placeNotes = new Map<number, string>();
    for (const single of await this.#rows.read(batch, read, rows)) {
      const { row } = single;
      if ('rejected' in single) {
        rejected.set(row, single.rejected);
        this.#counter.addRejected(single.rejected);
        continue;
      }
      const { warnings } = single;
      const note = placeNoteOf(warnings);
      if (note !== '') placeNotes.set(row, note);
      const property = this.#withEvents(single.property);
      for (const code of new Set(warnings.map((warning) => warning.code))) this.#counter.addWarning(code, 1);
      this.#counter.addEffectiveDate(property.effectiveDate, 1);
      const codes = this.#carriers.catalog().statusCodes(property);
      if (property.policyType === undefined) everyType.set(row, codes);
      else this.#setRow(read.columns, row, property, codes);
    }
    return { rejected, everyType, placeNotes };
  }

  /** Events that `readRow` gives a home are kept. */
  #withEvents(property: Property): Property {
    const { events } = this.#options;
    return events === undefined || property.events !== undefined ? property : { ...property, events };
  }

  /** Sets the codes of a row, and the columns from which it is counted. */
  #setRow(columns: BookColumns, row: number, property: Property, codes: Uint8Array): void {
    const { vocabulary } = this.#carriers;
    this.#setCodes(row, codes);
    const { countsReasons, listsReason } = this.#options;
    if (countsReasons) this.#addToTally(property, codes);
    if (listsReason !== undefined) {
      const declines = this.#declineCodes(property, ({ isJoint }) => !isJoint);
      if ([...declines.values()].some((each) => each.has(listsReason))) this.#declined![row] = 1;
    }
    columns.state[row] = states.findIndex(({ code }) => code === property.state);
    columns.policyType[row] = vocabulary.policyTypes.indexOf(property.policyType!);
    columns.county[row] = countyOf(property);
  }

  /** Counts a row evaluated by the catalog. Reasons that decline only jointly are not counted, as for columns. */
  #addToTally(property: Property, codes: Uint8Array): void {
    this.#counter.tally.addProperty(
      property,
      codes,
      this.#declineCodes(property, ({ isJoint }) => !isJoint),
    );
  }

  /** Reason codes of certain declines, by index of the carrier. */
  #declineCodes(
    property: Property,
    isIncluded: (decline: { readonly isJoint: boolean }) => boolean,
  ): Map<number, Set<string>> {
    const declines = this.#carriers.catalog().declines(property).filter(isIncluded);
    return new Map(
      declines.map(({ carrierKey, reasons }) => [
        this.#places.get(carrierKey)!,
        new Set(reasons.map(({ code }) => code)),
      ]),
    );
  }

  /** A row as a property of one policy type; undefined if it is not. */
  async #propertyOf(batch: RawBatch, read: ReadBatch, row: number): Promise<Property | undefined> {
    const home = await this.#rows.readBody(this.#rows.bodyOf(batch, read, row));
    if (!home.ok || home.property.policyType === undefined) return undefined;
    const complete = this.#rows.withAggregates(batch, row, home.property);
    return Array.isArray(complete) ? undefined : this.#withEvents(complete);
  }

  /** Counts which missing fields would settle answers of the sampled rows. */
  async #countQuestions(batch: RawBatch, read: ReadBatch, rejected: ReadonlyMap<number, RejectedRow>): Promise<void> {
    const { questionShare = 0, rowOffset = 0 } = this.#options;
    const width = this.#carriers.carrierKeys.length;
    for (let row = 0; questionShare > 0 && row < batch.rows; row++) {
      if (!isSampled(rowOffset + batch.firstRow + row, questionShare) || rejected.has(row)) continue;
      if (!this.#codes.subarray(row * width, (row + 1) * width).includes(NEEDS_INFORMATION)) continue;
      const property = await this.#propertyOf(batch, read, row);
      if (property) this.#counter.openQuestions.add(this.#carriers.catalog().decideSync(property));
    }
  }

  /** Reasons and terms of rows that a carrier declines or may accept under terms. */
  async #detailsOf(
    batch: RawBatch,
    read: ReadBatch,
    rejected: ReadonlyMap<number, RejectedRow>,
  ): Promise<Pick<EvaluatedBatch, 'reasons' | 'terms'>> {
    const reasons = new Map<number, ReadonlyMap<number, readonly string[]>>();
    const terms = new Map<number, ReadonlyMap<number, RowTerms>>();
    const width = this.#carriers.carrierKeys.length;
    this.#offering ??= offeringCarriers(this.#carriers.catalog());
    for (let row = 0; row < batch.rows; row++) {
      const codes = this.#codes.subarray(row * width, (row + 1) * width);
      const isDeclined = codes.includes(INELIGIBLE);
      const hasOffers = this.#offering.some((carrier) => codes[carrier] !== 0);
      if (rejected.has(row) || (!isDeclined && !hasOffers)) continue;
      const property = await this.#propertyOf(batch, read, row);
      if (!property) continue;
      if (isDeclined) {
        const declines = this.#declineCodes(property, () => true);
        reasons.set(row, new Map([...declines].map(([carrier, each]) => [carrier, [...each]])));
      }
      const ofRow = hasOffers ? termsOf(this.#carriers.catalog().decideSync(property), this.#places) : NO_TERMS;
      if (ofRow.size > 0) terms.set(row, ofRow);
    }
    return { reasons, terms };
  }
}

const NO_TERMS: ReadonlyMap<number, RowTerms> = new Map();
const NO_DETAILS: Pick<EvaluatedBatch, 'reasons' | 'terms'> = { reasons: new Map(), terms: new Map() };

const placePaths = /^\/(address|lat|lng|footprint)\b/;
/** Warnings that concern not the place of a home but its surroundings. */
const placedCodes = ['tidal_river_possible', 'hazards_not_looked_up', 'unknown_coast'];

/** The warnings about the place of a home, as `code: message`. Empty without any. */
function placeNoteOf(warnings: readonly Warning[]): string {
  const ofPlace = warnings.filter(({ code, path }) => placePaths.test(path) && !placedCodes.includes(code));
  return [...new Set(ofPlace.map(({ code, message }) => `${code}: ${message}`))].join(' ');
}

function countyOf({ counties }: Property): number {
  if (counties?.length === 0) return -1;
  return counties?.length === 1 ? Number(counties[0]) : 0;
}
