import { type Catalog, STATUS_CODES, type Vocabulary } from '@leeward/engine';
import { certaintiesOf } from '@leeward/engine/compiled';
import type { BookEvaluatorOptions } from '../batches/book-evaluator.ts';
import { type StateDates, stateDates } from '../batches/moments.ts';
import { type RejectedRow, SingleRowReader } from '../batches/single-rows.ts';
import type { BookColumns } from '../columns/book-columns.ts';
import { type BookReader, createBookReader, type ReadBatch } from '../columns/book-reader.ts';
import { type ColumnMap, noColumnMap, usedColumns } from '../columns/column-map.ts';
import { readBook } from '../evaluate/read-book.ts';
import { BookFileError } from '../source/book-file-error.ts';
import type { RawBatch } from '../source/raw-batch.ts';
import type { BookTables } from '../tables/book-tables.ts';
import { createDiffCounter, type DiffCounter, type DiffCounts } from './diff-counts.ts';
import { type DiffTables, diffTables, PERHAPS, TOUCHED, touchOf } from './diff-tables.ts';
import type { Move } from './move.ts';
import { coastField, factsOfProperty, factsOfRow, type HomeFacts, premiumOf } from './moved-home.ts';

/** Options of `createBookDiff`. */
export interface BookDiffOptions
  extends Pick<
    BookEvaluatorOptions,
    'format' | 'name' | 'map' | 'asOf' | 'effectiveDate' | 'readRow' | 'allowsEveryType'
  > {
  readonly older: Catalog;
  readonly newer: Catalog;
  /** Column with the premium of a policy. Without it, premiums are not counted. */
  readonly premium?: string | undefined;
  /** Compares versions of rule sets as if both were in force, regardless of their effective dates. @default false */
  readonly asThoughInForce?: boolean;
  /** Called with each move. @default none */
  readonly onMove?: (move: Move) => void;
  /** Called with each rejected row. @default none */
  readonly onReject?: (rejected: RejectedRow) => void;
  /** Counter shared with the book's other files. @default a new counter */
  readonly counter?: DiffCounter;
}

/** Compares two catalogs batch by batch. */
export interface BookDiff {
  compare(batch: RawBatch): Promise<void>;
  /** The counts of all batches so far. */
  readonly counts: () => DiffCounts;
  /** True for a used column. Batches may omit all others. */
  readonly isWanted: (name: string) => boolean;
  /** Carriers whose rule sets differ on some date of the book. */
  carrierKeys(): readonly string[];
}

/**
 * Compares two catalogs over a book: which statuses differ, and which edits of rules cause it. Carriers with equal rule sets are not
 * evaluated. The edits are evaluated for homes whose status differs.
 *
 * @example
 * const diff = createBookDiff({ older, newer, format: book.format, name: 'policies.csv', asOf, readRow });
 * for await (const batch of book.batches({ isWanted: diff.isWanted })) await diff.compare(batch);
 * console.log(diff.counts().movedPolicies);
 */
export function createBookDiff(options: BookDiffOptions): BookDiff {
  return new CatalogDiff(options);
}

/** Status codes of rows by both catalogs, and of the edits: `before[from + carrier]`, `touches[touchesFrom + …]`. */
interface Codes {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly touches: Uint8Array;
}

class CatalogDiff implements BookDiff {
  readonly counts: () => DiffCounts;
  readonly isWanted: (name: string) => boolean;
  readonly #options: BookDiffOptions;
  readonly #vocabulary: Vocabulary;
  readonly #map: ColumnMap;
  readonly #dates: StateDates;
  readonly #reader: BookReader;
  readonly #rows: SingleRowReader;
  readonly #coast: number;
  readonly #counter: DiffCounter;
  readonly #rowOffset: number;
  readonly #tablesByDate = new Map<string, DiffTables>();
  readonly #carrierKeys = new Set<string>();

  constructor(options: BookDiffOptions) {
    const { newer, format, name, asOf, effectiveDate, readRow, premium, allowsEveryType = false } = options;
    const { counter = createDiffCounter() } = options;
    const { vocabulary } = newer;
    this.#options = options;
    this.#vocabulary = vocabulary;
    this.#map = withoutColumn(options.map ?? noColumnMap, premium);
    this.#dates = stateDates(asOf, effectiveDate);
    this.#counter = counter;
    this.#rowOffset = counter.counts().rows;
    this.#coast = coastField(vocabulary);
    this.#reader = createBookReader({
      vocabulary,
      map: this.#map,
      format,
      name,
      effectiveYear: this.#dates.year,
      readsEffectiveDate: effectiveDate === undefined,
      asOf,
    });
    this.#rows = new SingleRowReader({
      readRow,
      asOf,
      effectiveDate,
      rowOffset: this.#rowOffset,
      allowsEveryType,
      vocabulary,
      map: this.#map,
      certainties: [...new Set([options.older, options.newer].flatMap(certaintiesOf))],
    });
    this.counts = counter.counts;
    const isUsed = usedColumns(this.#map, vocabulary, format);
    this.isWanted = (column) => column === premium || isUsed(column);
  }

  async compare(batch: RawBatch): Promise<void> {
    const { premium, format, name } = this.#options;
    if (premium !== undefined && format !== 'ndjson' && !batch.names.includes(premium))
      throw new BookFileError(`${name} has no column ${JSON.stringify(premium)} of premiums.`);
    const read = this.#reader.read(batch);
    this.#counter.addRows(batch.rows);
    const { dates, ofState } = this.#dates;
    const single: number[] = [];
    const groups = dates.map(() => new Uint8Array(batch.rows));
    for (let row = 0; row < batch.rows; row++) {
      if (read.doubtful[row] === 1 || hasPointOrDate(read, row)) single.push(row);
      else groups[ofState[read.columns.state[row]!]!]![row] = 1;
    }
    for (const [index, group] of groups.entries()) this.#compareColumns(batch, read, group, dates[index]!);
    await this.#compareSingle(batch, read, single);
  }

  carrierKeys(): readonly string[] {
    return [...this.#carrierKeys];
  }

  #tablesOn(effectiveDate: string): DiffTables {
    const cached = this.#tablesByDate.get(effectiveDate);
    if (cached) return cached;
    const { older, newer, asOf, asThoughInForce = false } = this.#options;
    const tables = diffTables({ older, newer, asOf, effectiveDate, asThoughInForce });
    for (const key of tables.carrierKeys) this.#carrierKeys.add(key);
    this.#tablesByDate.set(effectiveDate, tables);
    return tables;
  }

  /** Compares rows that columns hold, all effective on one date. */
  #compareColumns(batch: RawBatch, { columns }: ReadBatch, only: Uint8Array, date: string): void {
    const diff = this.#tablesOn(date);
    const { tables, editCount, carrierKeys } = diff;
    if (!tables || !only.includes(1)) return;
    const width = carrierKeys.length;
    const before = this.#codesOf(tables.older, diff.older, columns, only, width);
    const after = this.#codesOf(tables.newer, diff.newer, columns, only, width);
    const moved = new Uint8Array(only.length);
    for (let at = 0; at < before.length; at++) if (before[at] !== after[at]) moved[Math.floor(at / width)] = 1;
    if (!moved.includes(1)) return;
    const touches = this.#codesOf(tables.edits, diff.editCatalog, columns, moved, editCount);
    for (let row = 0; row < batch.rows; row++) {
      if (moved[row] === 0) continue;
      const type = this.#vocabulary.policyTypes[columns.policyType[row]!]!;
      const facts = () => factsOfRow(columns, row, this.#coast);
      this.#addMoves(batch, row, type, facts, diff, { before, after, touches }, row * width, row * editCount);
      this.#counter.addPolicy(this.#premiumOf(batch, row));
    }
  }

  /** Compares rows that must be read separately. */
  async #compareSingle(batch: RawBatch, read: ReadBatch, rows: readonly number[]): Promise<void> {
    for (const single of await this.#rows.read(batch, read, rows)) {
      if ('rejected' in single) {
        this.#counter.addRejected();
        this.#options.onReject?.(single.rejected);
        continue;
      }
      const { row, property } = single;
      const diff = this.#tablesOn(property.effectiveDate);
      if (!diff.tables) continue;
      const codes: Codes = {
        before: diff.older.statusCodes(property),
        after: diff.newer.statusCodes(property),
        touches: diff.editCatalog.statusCodes(property),
      };
      const types = property.policyType === undefined ? this.#vocabulary.policyTypes : [property.policyType];
      const facts = () => factsOfProperty(property, this.#coast);
      const { carrierKeys, editCount } = diff;
      const moves = types.filter((type, index) =>
        this.#addMoves(batch, row, type, facts, diff, codes, index * carrierKeys.length, index * editCount),
      );
      if (moves.length > 0) this.#counter.addPolicy(this.#premiumOf(batch, row));
    }
  }

  /** Counts the moves of one home for a policy type. Returns true if there are any. */
  #addMoves(
    batch: RawBatch,
    row: number,
    policyType: string,
    factsOf: () => HomeFacts,
    { carrierKeys, edits }: DiffTables,
    { before, after, touches }: Codes,
    from: number,
    touchesFrom: number,
  ): boolean {
    let home: (Pick<Move, 'row' | 'line' | 'premium'> & HomeFacts) | undefined;
    carrierKeys.forEach((carrierKey, carrier) => {
      const [a, b] = [before[from + carrier]!, after[from + carrier]!];
      if (a === b) return;
      home ??= {
        row: this.#rowOffset + batch.firstRow + row + 1,
        line: batch.lineOf?.(row).line,
        ...factsOf(),
        premium: this.#premiumOf(batch, row),
      };
      const move: Move = {
        ...home,
        carrierKey,
        policyType,
        before: STATUS_CODES[a]!,
        after: STATUS_CODES[b]!,
        reasons: causesOf(edits, carrier, touches, touchesFrom).map(({ ruleId, code }) => ({ ruleId, code })),
      };
      this.#counter.add(move);
      this.#options.onMove?.(move);
    });
    return home !== undefined;
  }

  #premiumOf(batch: RawBatch, row: number): number | undefined {
    return premiumOf(batch, row, this.#options.premium, this.#map.number);
  }

  #codesOf(tables: BookTables, catalog: Catalog, columns: BookColumns, only: Uint8Array, width: number): Uint8Array {
    const codes = new Uint8Array(only.length * width);
    const options = { to: only.length, only, catalog: () => catalog };
    for (const chunk of readBook(tables, columns, this.#vocabulary, options))
      codes.set(chunk.codes.subarray(0, chunk.rows * width), chunk.from * width);
    return codes;
  }
}

/** The edits that move a carrier's status: those that certainly touch the home, else those that may. */
function causesOf(edits: DiffTables['edits'], carrier: number, touches: Uint8Array, from: number): DiffTables['edits'] {
  const withTouch = (touch: number) =>
    edits.filter((edit) => edit.carrier === carrier && touchOf(edit, touches, from) === touch);
  const certain = withTouch(TOUCHED);
  // A carrier that enters or leaves a place changes all of its rules there: only the territory is named.
  const territory = certain.filter(({ kind }) => kind === 'territory');
  if (territory.length > 0) return territory;
  return certain.length > 0 ? certain : withTouch(PERHAPS);
}

/** True if a row has coordinates, an instant or a date: it is then read separately. */
function hasPointOrDate({ lat, asOf, effectiveDate }: ReadBatch, row: number): boolean {
  return [lat, asOf, effectiveDate].some((column) => column && !Number.isNaN(column[row]!));
}

/** Ignores the column of premiums, which is not a field of a request. */
function withoutColumn(map: ColumnMap, column: string | undefined): ColumnMap {
  if (column === undefined || map.ignore === 'others') return map;
  return { ...map, ignore: [...map.ignore, column] };
}
