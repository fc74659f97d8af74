import {
  type BookColumns,
  type BookTables,
  type BookTally,
  type Catalog,
  createTally,
  type Property,
  readBook,
  STATUS_CODES,
  type TallyCounts,
  type Vocabulary,
} from '@leeward/engine';
import { states } from '@leeward/places/counties';
import { isObject } from '@leeward/terms';
import { createBookReader, type ReadBatch } from '../columns/book-reader.ts';
import { type ColumnMap, noColumnMap } from '../columns/column-map.ts';
import { requestBodyOf } from '../columns/request-body.ts';
import type { BookFormat } from '../source/book-source.ts';
import type { RawBatch } from '../source/raw-batch.ts';
import { pickRows } from './pick-rows.ts';
import type { ReadAlone } from './read-alone.ts';
import { type RejectedRow, typeRequired } from './reject.ts';
import { stateDates } from './state-dates.ts';

/** What a book is judged by: a catalog, or its tables alone and the catalog once a row must be judged by itself. */
export interface BookCarriers {
  readonly vocabulary: Vocabulary;
  /** In the catalog's order. */
  readonly carrierKeys: readonly string[];
  readonly bookTables: Catalog['bookTables'];
  /** The catalog for rows that columns do not carry. */
  readonly catalog: () => Pick<Catalog, 'statusCodes' | 'declines'>;
}

/** A catalog as what books are judged by. */
export function carriersOfCatalog(catalog: Catalog): BookCarriers {
  return {
    vocabulary: catalog.vocabulary,
    carrierKeys: catalog.carriers.map(({ key }) => key),
    bookTables: catalog.bookTables,
    catalog: () => catalog,
  };
}

/** What a book is judged by; rows are numbered from `rowOffset`. */
export interface BookJudgeOptions {
  readonly carriers: BookCarriers;
  /** Place of the first row of the file in a book of several files. */
  readonly rowOffset?: number;
  readonly format: BookFormat;
  /** What messages call the book. */
  readonly name: string;
  readonly map?: ColumnMap;
  /** Instant at which the whole book is judged. */
  readonly asOf: Date;
  /** `YYYY-MM-DD` for all rows; left out, the date of `asOf` in each home's state. */
  readonly effectiveDate?: string | undefined;
  readonly readAlone: ReadAlone;
  /** Counts for which reasons carriers decline, which takes about as long again. */
  readonly countsReasons?: boolean;
  /**
   * Settles what several rules together settle, as `decide` does: rows of which some carrier needs information are judged by themselves
   * as well, which takes some tens of microseconds each. Left out, such a carrier may need information where `decide` would know.
   */
  readonly isExact?: boolean;
  /** Says of each row why carriers decline it. Every declined row is then read by itself as well, which takes some tenths of a millisecond. */
  readonly tellsReasons?: boolean;
  /** Whether a row without a policy type is judged for each (its codes are then those of the types, one after the other), or refused. */
  readonly allowsEveryType?: boolean;
}

/** A batch, judged. What it holds is written over by the next. */
export interface JudgedBatch {
  readonly firstRow: number;
  readonly rows: number;
  /** `codes[row × carriers + carrier]`: an index into `STATUS_CODES`. Of a rejected row nothing is meant. */
  readonly codes: Uint8Array;
  /** By row, the FIPS code of its county as a number; 0 where nobody said which, negative where there is none such. */
  readonly counties: ArrayLike<number>;
  /** By place in the batch, in order. */
  readonly rejected: ReadonlyMap<number, RejectedRow>;
  /** By place in the batch and place of the carrier: the codes for which it certainly declines. Empty unless asked for. */
  readonly reasons: ReadonlyMap<number, ReadonlyMap<number, readonly string[]>>;
  /** Rows for every policy type: the codes of the first type, then of the next. */
  readonly everyType: ReadonlyMap<number, Uint8Array>;
}

/** What was counted of all batches. */
export interface BookCounts {
  readonly tally: TallyCounts;
  readonly rows: number;
  readonly rejected: number;
  /** Policies by effective date, and by the code of a warning. */
  readonly effectiveDates: ReadonlyMap<string, number>;
  readonly warnings: ReadonlyMap<string, number>;
  /** Rejected rows by field and code of what is wrong with them: `/roof_age out_of_range`. */
  readonly faults: ReadonlyMap<string, number>;
}

/** Judges a book batch by batch. */
export interface BookJudge {
  judge(batch: RawBatch): Promise<JudgedBatch>;
  counts(): BookCounts;
}

const NEEDS_INFORMATION = STATUS_CODES.indexOf('needs_information');
const INELIGIBLE = STATUS_CODES.indexOf('ineligible');

/** Judges batches of columns: a status for each row and carrier. Throws a `TypeError` for columns that are none. */
export function createBookJudge(options: BookJudgeOptions): BookJudge {
  const { carriers, format, name, map = noColumnMap, asOf, effectiveDate, readAlone } = options;
  const { countsReasons = false, rowOffset = 0 } = options;
  const { vocabulary, carrierKeys } = carriers;
  /** A row that is read by itself is judged no otherwise than one that columns hold. */
  const mode = options.isExact ? 'exact' : 'normalized';
  const carrierCount = carrierKeys.length;
  const places = new Map(carrierKeys.map((key, place) => [key, place]));
  const dates = stateDates(asOf, effectiveDate);
  const reader = createBookReader({ vocabulary, map, format, name, effectiveYear: dates.year });
  const tables = new Map<string, BookTables>();
  const tally = createTally(vocabulary, carrierCount);
  const warnings = new Map<string, number>();
  const allFaults = new Map<string, number>();
  const effectiveDates = new Map<string, number>();
  const asked = { as_of: asOf.toISOString(), effective_date: effectiveDate };
  let codes = new Uint8Array(0);
  let rejectedRows = 0;
  let allRows = 0;

  const tablesOf = (date: string): BookTables => {
    let found = tables.get(date);
    if (!found) {
      found = carriers.bookTables({ asOf, effectiveDate: date });
      tables.set(date, found);
    }
    return found;
  };

  const bodyOf = (batch: RawBatch, read: ReadBatch, row: number): unknown => {
    const body = requestBodyOf(batch, row, read.fields, format, read.isIgnored);
    return isObject(body) ? { ...body, ...asked } : body;
  };

  /** Reads and judges what columns do not carry. */
  const judgeAlone = async (batch: RawBatch, read: ReadBatch, alone: readonly number[], exactly: readonly number[]) => {
    const rejected = new Map<number, RejectedRow>();
    const everyType = new Map<number, Uint8Array>();
    const unread = new Map(batch.unread.map((each) => [each.row, each]));
    const refuse = (row: number, faults: RejectedRow['faults'], body: unknown) => {
      const at = batch.lineOf?.(row);
      for (const name of new Set(faults.map(({ path, code }) => `${path} ${code}`.trim()))) add(allFaults, name, 1);
      rejected.set(row, {
        row: rowOffset + batch.firstRow + row + 1,
        line: at?.line,
        faults,
        given: at ? at.text : body,
      });
    };
    for (const row of exactly) {
      const home = await readAlone(bodyOf(batch, read, row));
      if (!home.ok) throw new Error(`Row ${batch.firstRow + row + 1} was read by columns and refused by itself.`);
      codes.set(
        carriers.catalog().statusCodes(home.property, undefined, 'exact').subarray(0, carrierCount),
        row * carrierCount,
      );
    }
    const asks = alone.map((row) => {
      const wrong = unread.get(row);
      if (wrong) return { row, wrong: [{ path: '', code: wrong.code, message: wrong.message }] };
      const body = bodyOf(batch, read, row);
      return { row, body, answer: readAlone(body) };
    });
    const settled: { readonly row: number; readonly property: Property }[] = [];
    for (const { row, wrong, body, answer } of asks) {
      const home = answer && (await answer);
      if (!home) refuse(row, wrong!, undefined);
      else if (!home.ok) refuse(row, home.faults, body);
      else if (home.property.policyType === undefined && !options.allowsEveryType) refuse(row, [typeRequired], body);
      else {
        settled.push({ row, property: home.property });
        for (const code of new Set(home.warnings.map((warning) => warning.code))) add(warnings, code, 1);
        add(effectiveDates, home.property.effectiveDate, 1);
      }
    }
    for (const { row, property } of settled) {
      const found = carriers.catalog().statusCodes(property, undefined, mode);
      if (property.policyType === undefined) everyType.set(row, found);
      else codes.set(found.subarray(0, carrierCount), row * carrierCount);
      read.columns.state[row] = states.findIndex(({ code }) => code === property.state);
      if (countsReasons && property.policyType !== undefined) tally.addProperty(property, found, declinesOf(property));
      else if (property.policyType !== undefined) {
        read.columns.policyType[row] = vocabulary.policyTypes.indexOf(property.policyType);
      }
      if (property.policyType !== undefined) read.columns.county[row] = countyOf(property);
    }
    return { rejected: new Map([...rejected].sort(([a], [b]) => a - b)), everyType };
  };
  /** Why carriers decline the rows of a batch, each read by itself. */
  const reasonsOf = async (batch: RawBatch, read: ReadBatch, rejected: ReadonlyMap<number, RejectedRow>) => {
    const reasons = new Map<number, ReadonlyMap<number, readonly string[]>>();
    for (let row = 0; row < batch.rows; row++) {
      const from = row * carrierCount;
      if (rejected.has(row) || !codes.subarray(from, from + carrierCount).includes(INELIGIBLE)) continue;
      const home = await readAlone(bodyOf(batch, read, row));
      if (!home.ok || home.property.policyType === undefined) continue;
      reasons.set(row, new Map([...declinesOf(home.property)].map(([carrier, found]) => [carrier, [...found]])));
    }
    return reasons;
  };
  const declinesOf = (property: Property) => {
    const declines = new Map<number, Set<string>>();
    for (const { carrierKey, reasons } of carriers.catalog().declines(property))
      declines.set(places.get(carrierKey)!, new Set(reasons.map(({ code }) => code)));
    return declines;
  };

  /** Judges rows of columns that are all effective on one date. */
  const judgeColumns = (
    columns: BookColumns,
    rows: number,
    date: string,
    into: Uint8Array,
    counted: BookTally | undefined,
  ) => {
    for (const chunk of readBook(tablesOf(date), columns, vocabulary, {
      to: rows,
      ...(counted ? { tally: counted } : {}),
    }))
      into.set(chunk.codes.subarray(0, chunk.rows * carrierCount), chunk.from * carrierCount);
  };

  return {
    async judge(batch) {
      const { rows } = batch;
      const read = reader.read(batch);
      const { columns, doubtful } = read;
      if (codes.length < rows * carrierCount) codes = new Uint8Array(rows * carrierCount);
      allRows += rows;
      if (read.lat) markPlaced(read.lat, rows, doubtful);
      const alone = rowsMarked(doubtful, rows);
      for (const row of alone) {
        // Judged as nothing, here; its state and type may be anything.
        columns.county[row] = -1;
        columns.state[row] = 0;
        columns.policyType[row] = 0;
      }
      /** Rows whose columns said all but how it ends. */
      const exactly: number[] = [];
      countWarnings(columns, rows, doubtful, vocabulary, warnings);
      const counts = dates.dates.map(() => 0);
      if (counts.length === 1) counts[0] = rows - alone.length;
      else for (let row = 0; row < rows; row++) if (doubtful[row] === 0) counts[dates.ofState[columns.state[row]!]!]!++;
      const found = counts.filter((count) => count > 0).length;
      for (const [place, count] of counts.entries()) {
        if (count === 0) continue;
        const date = dates.dates[place]!;
        add(effectiveDates, date, count);
        if (found === 1 && (!countsReasons || count === rows)) {
          judgeColumns(columns, rows, date, codes, countsReasons ? tally : undefined);
          continue;
        }
        const of: number[] = [];
        for (let row = 0; row < rows; row++)
          if (doubtful[row] === 0 && dates.ofState[columns.state[row]!] === place) of.push(row);
        const picked = pickRows(columns, of, vocabulary);
        const judged = new Uint8Array(of.length * carrierCount);
        judgeColumns(picked, of.length, date, judged, countsReasons ? tally : undefined);
        of.forEach((row, index) => {
          codes.set(judged.subarray(index * carrierCount, (index + 1) * carrierCount), row * carrierCount);
        });
      }
      if (options.isExact) {
        for (let row = 0; row < rows; row++) {
          const from = row * carrierCount;
          if (doubtful[row] === 0 && codes.subarray(from, from + carrierCount).includes(NEEDS_INFORMATION))
            exactly.push(row);
        }
      }
      const { rejected, everyType } = await judgeAlone(batch, read, alone, exactly);
      rejectedRows += rejected.size;
      if (!countsReasons) tally.addStatuses(columns, 0, rows, codes);
      const reasons = options.tellsReasons ? await reasonsOf(batch, read, rejected) : noReasons;
      return {
        firstRow: rowOffset + batch.firstRow,
        rows,
        codes,
        counties: columns.county,
        rejected,
        reasons,
        everyType,
      };
    },
    counts: () => ({
      tally: tally.counts(),
      rows: allRows,
      rejected: rejectedRows,
      effectiveDates,
      warnings,
      faults: allFaults,
    }),
  };
}

function countyOf({ counties }: Property): number {
  if (counties?.length === 0) return -1;
  return counties?.length === 1 ? Number(counties[0]) : 0;
}

const noReasons: JudgedBatch['reasons'] = new Map();

function add(counts: Map<string, number>, name: string, count: number): void {
  if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
}

/** A home with a place is read by itself: its distances lie between two ends, which no column holds. */
function markPlaced(lat: Float64Array, rows: number, doubtful: Uint8Array): void {
  for (let row = 0; row < rows; row++) if (!Number.isNaN(lat[row]!)) doubtful[row] = 1;
}

/** Places of what is marked; searched for, as it is rare. */
function rowsMarked(marks: Uint8Array, rows: number): number[] {
  const all = marks.subarray(0, rows);
  const found: number[] = [];
  for (let row = all.indexOf(1); row >= 0; row = all.indexOf(1, row + 1)) found.push(row);
  return found;
}

/** The warnings that `parseRequest` gives of what columns carry. */
function countWarnings(
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
