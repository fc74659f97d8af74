import { type Catalog, type Knowledge, type Property, STATUS_CODES } from '@leeward/engine';
import { countyByFips, states } from '@leeward/places/counties';
import { isObject, type NumberStyle, readWrittenNumber } from '@leeward/terms';
import { askedOf } from '../batches/asked-of.ts';
import type { BookEvaluatorOptions } from '../batches/book-evaluator.ts';
import { pickRows } from '../batches/pick-rows.ts';
import { type RejectedRow, typeRequired } from '../batches/reject.ts';
import { stateDates } from '../batches/state-dates.ts';
import type { BookColumns } from '../columns/book-columns.ts';
import { createBookReader, type ReadBatch } from '../columns/book-reader.ts';
import { type ColumnMap, noColumnMap, usedColumns } from '../columns/column-map.ts';
import { requestBodyOf } from '../columns/request-body.ts';
import { readBook } from '../evaluate/read-book.ts';
import type { BookTables } from '../planes/book-tables.ts';
import { BookFileError } from '../source/book-file-error.ts';
import { cellOf, type RawBatch } from '../source/raw-batch.ts';
import { createDiffCounter, type DiffCounter, type DiffCounts } from './diff-counts.ts';
import { type DiffTables, diffTables, PERHAPS, TOUCHED, touchOf, UNTOUCHED } from './diff-tables.ts';
import { distanceBand } from './distance-band.ts';
import type { Move } from './move.ts';

/** Two catalogs and a book: who moves from one to the other. */
export interface BookDiffOptions
  extends Pick<
    BookEvaluatorOptions,
    'format' | 'name' | 'map' | 'asOf' | 'effectiveDate' | 'readRow' | 'allowsEveryType'
  > {
  readonly older: Catalog;
  readonly newer: Catalog;
  /** The column that says what a policy costs. */
  readonly premium?: string | undefined;
  /** Whether the versions are compared as though they were in force, whatever their own dates. */
  readonly asThoughInForce?: boolean;
  readonly onMove?: (move: Move) => void;
  readonly onReject?: (rejected: RejectedRow) => void;
  /** What was counted of the files before, in a book of several; these rows are added to it. */
  readonly counter?: DiffCounter;
}

/** Finds, batch by batch, which answers two catalogs give otherwise. */
export interface BookDiff {
  compare(batch: RawBatch): Promise<void>;
  counts(): DiffCounts;
  /** True for a column that is used; batches need not have the others. */
  isWanted(name: string): boolean;
  /** Carriers whose rule sets differ on some date of the book. */
  carrierKeys(): readonly string[];
}

const COAST = 'distance_to_tidal_water_meters';

/**
 * Compares two catalogs over a book. Carriers whose rule sets are the same are not judged; of the others, rows that lie in no changed
 * region are told by the edits alone, and only the rest is judged by both.
 */
export function createBookDiff(options: BookDiffOptions): BookDiff {
  const { older, newer, format, name, asOf, effectiveDate, readRow, onMove, onReject } = options;
  const { premium, asThoughInForce = false } = options;
  const { vocabulary } = newer;
  const map = withoutColumn(options.map ?? noColumnMap, premium);
  const isUsed = usedColumns(map, vocabulary, format);
  const dates = stateDates(asOf, effectiveDate);
  const readsEffectiveDate = effectiveDate === undefined;
  const reader = createBookReader({ vocabulary, map, format, name, effectiveYear: dates.year, readsEffectiveDate });
  const asked = askedOf(asOf, effectiveDate);
  const coast = vocabulary.fields.findIndex((field) => field.name === COAST);
  const { counter = createDiffCounter() } = options;
  const rowOffset = counter.counts().rows;
  const byDate = new Map<string, DiffTables>();
  const keys = new Set<string>();

  const tablesOf = (date: string): DiffTables => {
    let found = byDate.get(date);
    if (!found) {
      found = diffTables({ older, newer, asOf, effectiveDate: date, asThoughInForce });
      for (const key of found.carrierKeys) keys.add(key);
      byDate.set(date, found);
    }
    return found;
  };
  const bodyOf = (batch: RawBatch, read: ReadBatch, row: number): unknown => {
    const body = requestBodyOf(batch, row, read.fields, read.isIgnored);
    return isObject(body) ? asked(body) : body;
  };

  /** What is told of a home besides its answers. */
  interface Home extends Pick<Move, 'row' | 'line' | 'state' | 'county' | 'distanceBand' | 'premium'> {}
  const homeOf = (batch: RawBatch, row: number, about: Pick<Home, 'state' | 'county' | 'distanceBand'>): Home => ({
    row: rowOffset + batch.firstRow + row + 1,
    line: batch.lineOf?.(row).line,
    ...about,
    premium: premiumOf(batch, row, premium, map.number),
  });

  /** Adds the moves of one home; true where there are some. */
  const addMoves = (
    home: () => Home,
    policyType: string,
    { carrierKeys, edits }: DiffTables,
    before: Uint8Array,
    after: Uint8Array,
    from: number,
    touches: Uint8Array,
    touchesFrom: number,
  ): boolean => {
    let told: Home | undefined;
    for (let carrier = 0; carrier < carrierKeys.length; carrier++) {
      const [a, b] = [before[from + carrier]!, after[from + carrier]!];
      if (a === b) continue;
      told ??= home();
      const ofTouch = (touch: number) =>
        edits.filter((edit) => edit.carrier === carrier && touchOf(edit, touches, touchesFrom) === touch);
      const certain = ofTouch(TOUCHED);
      // Where a carrier comes or goes, all of its rules do.
      const places = certain.filter(({ kind }) => kind === 'territory');
      const behind = places.length > 0 ? places : certain.length > 0 ? certain : ofTouch(PERHAPS);
      const move: Move = {
        ...told,
        carrierKey: carrierKeys[carrier]!,
        policyType,
        before: STATUS_CODES[a]!,
        after: STATUS_CODES[b]!,
        reasons: behind.map(({ ruleId, code }) => ({ ruleId, code })),
      };
      counter.add(move);
      onMove?.(move);
    }
    return told !== undefined;
  };

  /** Compares rows that columns hold and that are all effective on one date. */
  const compareColumns = async (batch: RawBatch, read: ReadBatch, of: readonly number[], date: string) => {
    const tables = tablesOf(date);
    if (!tables.tables || of.length === 0) return;
    const columns = of.length === batch.rows ? read.columns : pickRows(read.columns, of, vocabulary);
    const touches = codesOf(tables.tables.edits, columns, of.length, tables.editCount);
    const open: number[] = [];
    for (let index = 0; index < of.length; index++) {
      const from = index * tables.editCount;
      if (tables.edits.some((edit) => touchOf(edit, touches, from) !== UNTOUCHED)) open.push(index);
    }
    counter.addRows({ rows: 0, rejected: 0, evaluatedTwice: open.length });
    if (open.length === 0) return;
    const picked = open.length === of.length ? columns : pickRows(columns, open, vocabulary);
    const count = tables.carrierKeys.length;
    const before = codesOf(tables.tables.older, picked, open.length, count);
    const after = codesOf(tables.tables.newer, picked, open.length, count);
    for (let index = 0; index < open.length; index++) {
      const place = open[index]!;
      const row = of[place]!;
      const from = index * count;
      const home = () => homeOf(batch, row, aboutColumns(read.columns, row, coast));
      const type = vocabulary.policyTypes[read.columns.policyType[row]!]!;
      if (addMoves(home, type, tables, before, after, from, touches, place * tables.editCount))
        counter.addPolicy(premiumOf(batch, row, premium, map.number));
    }
  };

  const compareAlone = async (batch: RawBatch, read: ReadBatch, alone: readonly number[]) => {
    const unread = new Map(batch.unread.map((each) => [each.row, each]));
    const asks = alone.map((row) => {
      const wrong = unread.get(row);
      if (wrong) return { row, faults: [{ path: '', code: wrong.code, message: wrong.message }] };
      const body = bodyOf(batch, read, row);
      return { row, body, answer: readRow(body) };
    });
    for (const { row, body, answer, faults } of asks) {
      const home = answer && (await answer);
      const isWhole = home?.ok === true && (home.property.policyType !== undefined || options.allowsEveryType);
      if (!isWhole) {
        counter.addRows({ rows: 0, rejected: 1, evaluatedTwice: 0 });
        const at = batch.lineOf?.(row);
        const number = rowOffset + batch.firstRow + row + 1;
        const all = faults ?? (home?.ok === false ? home.faults : [typeRequired]);
        onReject?.({ row: number, line: at?.line, faults: all, given: at ? at.text : body });
        continue;
      }
      const { property } = home;
      const tables = tablesOf(property.effectiveDate);
      if (!tables.tables) continue;
      counter.addRows({ rows: 0, rejected: 0, evaluatedTwice: 1 });
      const [before, after, touches] = [tables.older, tables.newer, tables.editCatalog].map((catalog) =>
        catalog.statusCodes(property),
      ) as [Uint8Array, Uint8Array, Uint8Array];
      const types = property.policyType === undefined ? vocabulary.policyTypes : [property.policyType];
      const about = () => homeOf(batch, row, aboutProperty(property, coast));
      const count = tables.carrierKeys.length;
      const isMoved = types
        .map((type, index) =>
          addMoves(about, type, tables, before, after, index * count, touches, index * tables.editCount),
        )
        .includes(true);
      if (isMoved) counter.addPolicy(premiumOf(batch, row, premium, map.number));
    }
  };

  const codesOf = (tables: BookTables, columns: BookColumns, count: number, width: number): Uint8Array => {
    const codes = new Uint8Array(count * width);
    for (const chunk of readBook(tables, columns, vocabulary, { to: count }))
      codes.set(chunk.codes.subarray(0, chunk.rows * width), chunk.from * width);
    return codes;
  };

  return {
    async compare(batch) {
      if (premium !== undefined && format !== 'ndjson' && !batch.names.includes(premium))
        throw new BookFileError(`${name} has no column ${JSON.stringify(premium)} of premiums.`);
      const read = reader.read(batch);
      counter.addRows({ rows: batch.rows, rejected: 0, evaluatedTwice: 0 });
      const alone: number[] = [];
      const groups: number[][] = dates.dates.map(() => []);
      for (let row = 0; row < batch.rows; row++) {
        if (read.doubtful[row] === 1 || bringsOwn(read, row)) alone.push(row);
        else groups[dates.ofState[read.columns.state[row]!]!]!.push(row);
      }
      for (const [index, of] of groups.entries()) await compareColumns(batch, read, of, dates.dates[index]!);
      await compareAlone(batch, read, alone);
    },
    counts: counter.counts,
    isWanted: (column) => column === premium || isUsed(column),
    carrierKeys: () => [...keys],
  };
}

/** Whether a row says where it stands, or when it is asked: it is read by itself then. */
function bringsOwn({ lat, asOf, effectiveDate }: ReadBatch, row: number): boolean {
  return [lat, asOf, effectiveDate].some((column) => column && !Number.isNaN(column[row]!));
}

/** What premiums stand in is no field of a request. */
function withoutColumn(map: ColumnMap, column: string | undefined): ColumnMap {
  if (column === undefined || map.ignore === 'others') return map;
  return { ...map, ignore: [...map.ignore, column] };
}

function premiumOf(
  batch: RawBatch,
  row: number,
  column: string | undefined,
  style: NumberStyle | undefined,
): number | undefined {
  if (column === undefined) return undefined;
  const whole = batch.whole?.get(row);
  const place = batch.names.indexOf(column);
  const value = isObject(whole) ? whole[column] : place < 0 ? undefined : cellOf(batch.columns[place], row);
  if (typeof value === 'string') return readWrittenNumber(value, { style });
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function aboutColumns(
  columns: BookColumns,
  row: number,
  coast: number,
): Pick<Move, 'state' | 'county' | 'distanceBand'> {
  const county = columns.county[row]!;
  return {
    state: states[columns.state[row]!]!.code,
    county: county > 0 ? countyName(String(county).padStart(5, '0')) : 'unknown',
    distanceBand: distanceBand(coast < 0 ? undefined : columns.fields[coast]![row]!),
  };
}

function aboutProperty(
  { state, counties, values }: Property,
  coast: number,
): Pick<Move, 'state' | 'county' | 'distanceBand'> {
  const [county, other] = counties ?? [];
  const [least, greatest] = endsOf(values[coast]);
  return {
    state,
    county: county !== undefined && other === undefined ? countyName(county) : 'unknown',
    distanceBand: distanceBand(least, greatest),
  };
}

function endsOf(known: Knowledge): readonly [number | undefined, number | undefined] {
  if (typeof known === 'number') return [known, known];
  if (typeof known === 'object' && known.kind === 'between') return [known.min, known.max];
  return [undefined, undefined];
}

function countyName(fips: string): string {
  const county = countyByFips(fips);
  return county ? `${county.label}, ${county.state.toUpperCase()}` : 'unknown';
}
