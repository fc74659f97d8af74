import { type Catalog, type Property, STATUS_CODES, type Vocabulary } from '@leeward/engine';
import { states } from '@leeward/places/counties';
import { isObject } from '@leeward/terms';
import type { BookColumns } from '../columns/book-columns.ts';
import type { ReadBatch } from '../columns/book-reader.ts';
import { type ColumnMap, noColumnMap, usedColumns } from '../columns/column-map.ts';
import { propertyOfRow } from '../columns/property-of-row.ts';
import { requestBodyOf } from '../columns/request-body.ts';
import { readBook } from '../evaluate/read-book.ts';
import { type BookDates, type BookTables, bookTables } from '../planes/book-tables.ts';
import type { BookFormat } from '../source/book-source.ts';
import type { RawBatch } from '../source/raw-batch.ts';
import { type BookTally, createTally, type TallyCounts } from '../tally/tally.ts';
import { askedOf } from './asked-of.ts';
import { add, countWarnings, rowsMarked } from './count-warnings.ts';
import type { MeasuredRows, RowMeasuring } from './measure-rows.ts';
import { pickRows } from './pick-rows.ts';
import { leaveRows, placedRows } from './placed-rows.ts';
import type { ReadRow } from './read-row.ts';
import { type RejectedRow, typeRequired } from './reject.ts';
import { createRowMoments } from './row-moments.ts';
import { createTablesAt } from './tables-at.ts';
import { createYearReader, type DatedBatch } from './year-reader.ts';

/** What a book is judged by: a catalog, or its tables alone and the catalog once a row must be judged by itself. */
export interface BookCarriers {
  readonly vocabulary: Vocabulary;
  /** In the catalog's order. */
  readonly carrierKeys: readonly string[];
  /** The tables of the carriers' rules on one effective date. */
  readonly bookTables: (dates: BookDates) => BookTables;
  /** The catalog for rows that columns do not carry. */
  readonly catalog: () => Pick<Catalog, 'statusCodes' | 'declines'>;
}

/** A catalog as what books are judged by. */
export function carriersOfCatalog(catalog: Catalog): BookCarriers {
  return {
    vocabulary: catalog.vocabulary,
    carrierKeys: catalog.carriers.map(({ key }) => key),
    bookTables: (dates) => bookTables(catalog, dates),
    catalog: () => catalog,
  };
}

/** What a book is judged by; rows are numbered from `rowOffset`. */
export interface BookEvaluatorOptions {
  readonly carriers: BookCarriers;
  /** Place of the first row of the file in a book of several files. */
  readonly rowOffset?: number;
  readonly format: BookFormat;
  /** What messages call the book. */
  readonly name: string;
  readonly map?: ColumnMap;
  /** Instant at which rows are judged that bring no `as_of` of their own. */
  readonly asOf: Date;
  /** `YYYY-MM-DD` for all rows, whatever they say; left out, the row's own, else the date of asking in the home's state. */
  readonly effectiveDate?: string | undefined;
  readonly readRow: ReadRow;
  /** Measures the distances of rows with a point, a batch at a time; left out, these are read by themselves. */
  readonly measuring?: RowMeasuring | undefined;
  /** Counts for which reasons carriers decline, which takes about as long again. */
  readonly countsReasons?: boolean;
  /** Says of each row why carriers decline it. Every declined row is then read by itself as well, which takes some tenths of a millisecond. */
  readonly includesReasons?: boolean;
  /** Whether a row without a policy type is judged for each (its codes are then those of the types, one after the other), or refused. */
  readonly allowsEveryType?: boolean;
}

/** A batch, judged. What it holds is written over by the next. */
export interface EvaluatedBatch {
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
export interface BookEvaluator {
  evaluate(batch: RawBatch): Promise<EvaluatedBatch>;
  counts(): BookCounts;
  /** True for a column that is used; batches need not have the others. */
  isWanted(name: string): boolean;
}

/** Of a row that is doubtful no longer: its codes are written. */
const JUDGED = 2;
const INELIGIBLE = STATUS_CODES.indexOf('ineligible');

/** Judges batches of columns: a status for each row and carrier. Throws a `TypeError` for columns that are none. */
export function createBookEvaluator(options: BookEvaluatorOptions): BookEvaluator {
  const { carriers, format, name, map = noColumnMap, asOf, effectiveDate, readRow, measuring } = options;
  const { countsReasons = false, rowOffset = 0 } = options;
  const { vocabulary, carrierKeys } = carriers;
  const carrierCount = carrierKeys.length;
  const places = new Map(carrierKeys.map((key, place) => [key, place]));
  const moments = createRowMoments(asOf, effectiveDate);
  const reader = createYearReader(
    { vocabulary, map, format, name, readsEffectiveDate: effectiveDate === undefined },
    moments,
  );
  const tablesAt = createTablesAt(carriers.bookTables, asOf);
  const tally = createTally(vocabulary, carrierCount);
  const warnings = new Map<string, number>();
  const allFaults = new Map<string, number>();
  const effectiveDates = new Map<string, number>();
  const asked = askedOf(asOf, effectiveDate);
  let codes = new Uint8Array(0);
  let rejectedRows = 0;
  let allRows = 0;

  const bodyOf = (batch: RawBatch, read: ReadBatch, row: number): unknown => {
    const body = requestBodyOf(batch, row, read.fields, read.isIgnored);
    return isObject(body) ? asked(body) : body;
  };

  /** Reads and judges what columns do not carry. */
  const judgeAlone = async (batch: RawBatch, read: ReadBatch, alone: readonly number[]) => {
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
    const asks = alone.map((row) => {
      const wrong = unread.get(row);
      if (wrong) return { row, wrong: [{ path: '', code: wrong.code, message: wrong.message }] };
      const body = bodyOf(batch, read, row);
      return { row, body, answer: readRow(body) };
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
      const found = carriers.catalog().statusCodes(property);
      if (property.policyType === undefined) everyType.set(row, found);
      else codes.set(found.subarray(0, carrierCount), row * carrierCount);
      read.columns.state[row] = states.findIndex(({ code }) => code === property.state);
      if (countsReasons && property.policyType !== undefined)
        tally.addProperty(property, found, declinesOf(property, true));
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
      const home = await readRow(bodyOf(batch, read, row));
      if (!home.ok || home.property.policyType === undefined) continue;
      reasons.set(row, new Map([...declinesOf(home.property, false)].map(([carrier, found]) => [carrier, [...found]])));
    }
    return reasons;
  };
  /** Why carriers decline. `isCounted`: without reasons that decline only together, which columns do not count. */
  const declinesOf = (property: Property, isCounted: boolean) => {
    const declines = new Map<number, Set<string>>();
    for (const { carrierKey, reasons, isJoint } of carriers.catalog().declines(property))
      if (!isCounted || !isJoint) declines.set(places.get(carrierKey)!, new Set(reasons.map(({ code }) => code)));
    return declines;
  };

  /** Judges rows of columns that are all judged by the same tables. */
  const judgeColumns = (
    columns: BookColumns,
    rows: number,
    tables: BookTables,
    into: Uint8Array,
    counted: BookTally | undefined,
  ) => {
    for (const chunk of readBook(tables, columns, vocabulary, {
      to: rows,
      ...(counted ? { tally: counted } : {}),
    }))
      into.set(chunk.codes.subarray(0, chunk.rows * carrierCount), chunk.from * carrierCount);
  };

  /** Judges rows of columns, each at its moment. `judged`: how many there are. */
  const judgeMoments = ({ columns, doubtful, when }: DatedBatch, rows: number, judged: number) => {
    const { moments: all, ofRow } = when;
    if (!ofRow) add(effectiveDates, all[0]!.effectiveDate, judged);
    if (!ofRow && (!countsReasons || judged === rows)) {
      if (judged > 0) judgeColumns(columns, rows, tablesAt(all[0]!), codes, countsReasons ? tally : undefined);
      return;
    }
    const tables = all.map(tablesAt);
    const groups = new Map<BookTables, number[]>();
    const counts = new Uint32Array(all.length);
    for (let row = 0; row < rows; row++) {
      if (doubtful[row] !== 0) continue;
      const place = ofRow ? ofRow[row]! : 0;
      counts[place]!++;
      const of = groups.get(tables[place]!);
      if (of) of.push(row);
      else groups.set(tables[place]!, [row]);
    }
    if (ofRow) for (const [place, { effectiveDate: date }] of all.entries()) add(effectiveDates, date, counts[place]!);
    for (const [found, of] of groups) {
      const picked = pickRows(columns, of, vocabulary);
      const into = new Uint8Array(of.length * carrierCount);
      judgeColumns(picked, of.length, found, into, countsReasons ? tally : undefined);
      of.forEach((row, index) => {
        codes.set(into.subarray(index * carrierCount, (index + 1) * carrierCount), row * carrierCount);
      });
    }
  };

  /** Judges rows that were measured where columns do not carry what is known of them; these are marked as judged. */
  const judgeMeasured = ({ rows, known, writeRange }: MeasuredRows, read: DatedBatch) => {
    const { columns, doubtful, when } = read;
    const judged: { readonly row: number; readonly found: Uint8Array }[] = [];
    rows.forEach((row, index) => {
      const moment = when.moments[when.ofRow?.[row] ?? 0]!;
      const ranges = known(index);
      if (writeRange(row, ranges, tablesAt(moment))) return;
      const property = propertyOfRow(columns, row, vocabulary, { ...moment, known: ranges });
      const found = carriers.catalog().statusCodes(property).subarray(0, carrierCount);
      if (countsReasons) tally.addProperty(property, found, declinesOf(property, true));
      add(effectiveDates, moment.effectiveDate, 1);
      doubtful[row] = JUDGED;
      judged.push({ row, found });
    });
    return judged;
  };

  return {
    async evaluate(batch) {
      const { rows } = batch;
      const read = reader.read(batch);
      const { columns, doubtful } = read;
      if (codes.length < rows * carrierCount) codes = new Uint8Array(rows * carrierCount);
      allRows += rows;
      if (!measuring) leaveRows(read, placedRows(read, rows));
      const measured = await measuring?.measure(read, rows);
      const alone = rowsMarked(doubtful, rows);
      for (const row of alone) {
        // Judged as nothing, here; its state and type may be anything.
        columns.county[row] = -1;
        columns.state[row] = 0;
        columns.policyType[row] = 0;
      }
      countWarnings(columns, rows, doubtful, vocabulary, warnings);
      for (const [code, count] of measured?.warnings ?? []) add(warnings, code, count);
      const ranged = measured ? judgeMeasured(measured, read) : [];
      judgeMoments(read, rows, rows - alone.length - ranged.length);
      for (const { row, found } of ranged) codes.set(found, row * carrierCount);
      measured?.clear();
      const { rejected, everyType } = await judgeAlone(batch, read, alone);
      rejectedRows += rejected.size;
      if (!countsReasons) tally.addStatuses(columns, 0, rows, codes);
      const reasons = options.includesReasons ? await reasonsOf(batch, read, rejected) : noReasons;
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
    isWanted: usedColumns(map, vocabulary, format),
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

const noReasons: EvaluatedBatch['reasons'] = new Map();
