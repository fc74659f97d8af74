import type { Knowledge, Property, Vocabulary } from '@leeward/engine';
import { between } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';

/** Homes as columns: a typed array for each field. Plain data for worker threads. */
export interface BookColumns {
  readonly rows: number;
  /** Index in the vocabulary's policy types. */
  readonly policyType: Uint8Array;
  /** Index in `states` of `@leeward/places/counties`. */
  readonly state: Uint8Array;
  /** FIPS code as a number; 0 unknown; −1 not in the state; −2 − n: entry n of `ambiguous`. */
  readonly county: Int32Array;
  /** Names of several counties. */
  readonly ambiguous: (readonly string[])[];
  /**
   * By index in the vocabulary's fields. Numbers: NaN if unknown. Words: from 1 in the order of the domain, 0 if unknown; two
   * bytes if the domain has more than 255 words. Fields on demand share one column of unknown values until `ownColumn`.
   */
  readonly fields: readonly (Float64Array | Uint8Array | Uint16Array)[];
  /** By index in the vocabulary's lists. Undefined if no row has the list. */
  readonly lists: (ListColumn | undefined)[];
  /** Decision times and effective dates of the rows. @default those of the tables */
  moments?: RowMoments | undefined;
  /** Positions of the homes. @default unknown */
  points?: RowPoints | undefined;
  /** Known aggregates of lists, by canonical name: a number by row, NaN if unknown. @default unknown */
  aggregates?: ReadonlyMap<string, Float64Array> | undefined;
  /** Dates and origins of values by row, by name of the field, set or list. @default unknown */
  evidence?: Map<string, EvidenceColumn> | undefined;
  /** Known events, for all rows. @default unknown */
  events?: Property['events'];
  /** Ranges of measured distances, for rows without a number in the column of the field. @default none */
  ranges?: RangeColumns | undefined;
  /** As `ranges`, for rule sets with a certainty. @default `ranges` */
  rangesByCertainty?: ReadonlyMap<number, RangeColumns> | undefined;
}

/** By index of the field, the ends of ranges by row; NaN without a range. */
export type RangeColumns = ReadonlyMap<number, { readonly minima: Float64Array; readonly maxima: Float64Array }>;

/** By row, the evidence of one value. Rows may share it. */
export type EvidenceColumn = (NonNullable<Property['evidence']>[string] | undefined)[];

type Items = NonNullable<Property['lists']>[string];

/** The lists of rows, such as losses. */
export interface ListColumn {
  /** By row, the index in `lists`; NaN if unknown. */
  readonly places: Float64Array;
  /** Rows may share a list. */
  readonly lists: Items[];
}

/** Decision times, epoch milliseconds, and effective dates, `YYYY-MM-DD`. */
export interface RowMoments {
  readonly all: readonly { readonly asOfMs: number; readonly effectiveDate: string }[];
  /** By row, its index in `all`; undefined if all rows have the first. */
  readonly ofRow: Uint32Array | undefined;
}

/** By row, degrees and meters. NaN if unknown. */
export interface RowPoints {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** Radius of a circle that contains the building. */
  readonly radiusMeters: Float64Array;
}

const stateNumbers = new Map(states.map((state, index) => [state.code, index]));
/** Vocabularies of columns, except those copied to a thread. */
const vocabularies = new WeakMap<BookColumns, Vocabulary>();

type FieldColumn = BookColumns['fields'][number];

/** For columns that may be written: creates the column of a field, and the columns of unknown values. */
interface ColumnSource {
  readonly create: (field: number) => FieldColumn;
  readonly createPlaces: () => Float64Array;
  hasHomes: boolean;
  readonly unknown: ReadonlySet<FieldColumn>;
}
const sources = new WeakMap<BookColumns, ColumnSource>();
const wordNumbers = new WeakMap<Vocabulary, readonly (ReadonlyMap<string, number> | undefined)[]>();

/**
 * Creates columns with all fields unknown.
 *
 * @param shared Uses shared memory, for worker threads.
 *
 * @example
 * const columns = createBookColumns(homeVocabulary, homes.length);
 * homes.forEach((home, row) => writeBookRow(columns, row, home));
 */
export function createBookColumns(vocabulary: Vocabulary, rows: number, shared = false): BookColumns {
  const memory = (bytes: number): ArrayBuffer | SharedArrayBuffer =>
    shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
  const words = wordsOf(vocabulary);
  const create = (field: number): FieldColumn => {
    const domain = words[field];
    if (!domain) return new Float64Array(memory(8 * rows)).fill(Number.NaN);
    return domain.size > 255 ? new Uint16Array(memory(2 * rows)) : new Uint8Array(memory(rows));
  };
  // By the kind of column: fields on demand are missing in most books.
  const unknown = new Map<string, FieldColumn>();
  const columnOf = (field: number): FieldColumn => {
    if (vocabulary.fields[field]!.isOnDemand !== true) return create(field);
    const kind = words[field] ? (words[field].size > 255 ? 'long' : 'word') : 'number';
    const column = unknown.get(kind) ?? create(field);
    unknown.set(kind, column);
    return column;
  };
  const columns: BookColumns = {
    rows,
    policyType: new Uint8Array(memory(rows)),
    state: new Uint8Array(memory(rows)),
    county: new Int32Array(memory(4 * rows)),
    ambiguous: [],
    fields: words.map((_, field) => columnOf(field)),
    lists: (vocabulary.lists ?? []).map(() => undefined),
  };
  vocabularies.set(columns, vocabulary);
  const createPlaces = () => new Float64Array(memory(8 * rows)).fill(Number.NaN);
  sources.set(columns, { create, createPlaces, hasHomes: false, unknown: new Set(unknown.values()) });
  return columns;
}

/** True if no row of a field on demand was ever known. */
export function isUnknownColumn(columns: BookColumns, field: number): boolean {
  return sources.get(columns)?.unknown.has(columns.fields[field]!) ?? false;
}

/** The column of a field, for writing. */
export function ownColumn(columns: BookColumns, field: number): FieldColumn {
  if (isUnknownColumn(columns, field)) (columns.fields as FieldColumn[])[field] = sources.get(columns)!.create(field);
  return columns.fields[field]!;
}

/** The column of a list, for writing. */
export function ownList(columns: BookColumns, list: number, lists: Items[] = []): ListColumn {
  columns.lists[list] ??= { places: sources.get(columns)!.createPlaces(), lists };
  return columns.lists[list];
}

/** The evidence of a field, set or list, for writing. */
export function ownEvidence(columns: BookColumns, subject: string): EvidenceColumn {
  columns.evidence ??= new Map();
  const column = columns.evidence.get(subject) ?? new Array<undefined>(columns.rows).fill(undefined);
  columns.evidence.set(subject, column);
  return column;
}

/** Removes the evidence of the first `rows`. */
export function clearEvidence({ evidence }: BookColumns, rows: number): void {
  for (const column of evidence?.values() ?? []) column.fill(undefined, 0, rows);
}

/** Throws a `RangeError` for columns of another vocabulary. */
export function expectColumnsOf(columns: BookColumns, vocabulary: Vocabulary): void {
  const owner = vocabularies.get(columns);
  if (owner === vocabulary || (owner === undefined && columns.fields.length === vocabulary.fields.length)) return;
  const whose = owner ? `of the line "${owner.line}"` : `of ${columns.fields.length} fields`;
  throw new RangeError(`The columns are ${whose}; create them with the vocabulary of "${vocabulary.line}".`);
}

/**
 * Writes a home into a row.
 *
 * @throws {RangeError} if it has no policy type, or knowledge that columns cannot hold: a field within bounds, a footprint, or other
 *   events than the first home.
 *
 * @example
 * writeBookRow(columns, 0, createProperty({ vocabulary: homeVocabulary, policyType: 'ho3', state: 'tx', values, asOfMs, effectiveDate }));
 */
export function writeBookRow(columns: BookColumns, row: number, property: Property): void {
  const { vocabulary, counties } = property;
  expectColumnsOf(columns, vocabulary);
  if (property.policyType === undefined) throw new RangeError('A policy of a book has a policy_type; give one.');
  writeHostKnowledge(columns, row, property);
  columns.policyType[row] = vocabulary.policyTypes.indexOf(property.policyType);
  columns.state[row] = stateNumbers.get(property.state)!;
  columns.county[row] = bookCounty(columns, counties);
  const words = wordsOf(vocabulary);
  (property.givenValues ?? property.values).forEach((value, field) => {
    if (typeof value === 'object') {
      throw new RangeError(`${vocabulary.fields[field]!.name} is known within bounds, which a column cannot hold.`);
    }
    if (value === undefined && isUnknownColumn(columns, field)) return;
    const column = ownColumn(columns, field);
    if (value === undefined) column[row] = words[field] ? 0 : Number.NaN;
    else column[row] = typeof value === 'number' ? value : words[field]!.get(value)!;
  });
  vocabulary.lists?.forEach(({ name }, list) => {
    const items = property.lists?.[name];
    if (items === undefined && !columns.lists[list]) return;
    const column = ownList(columns, list);
    column.places[row] = items === undefined ? Number.NaN : column.lists.push(items) - 1;
  });
}

/** Writes the events, the evidence and the position of a home. */
function writeHostKnowledge(
  columns: BookColumns,
  row: number,
  { evidence, events, location, aggregates }: Property,
): void {
  if (aggregates) throw new RangeError('The home has aggregates without their lists; write them into the columns.');
  if (location?.footprint) throw new RangeError('The home has a footprint, which a column cannot hold.');
  const source = sources.get(columns)!;
  if (source.hasHomes && events !== columns.events)
    throw new RangeError('The home has other events than those before; create columns for each list of events.');
  source.hasHomes = true;
  columns.events = events;
  for (const column of columns.evidence?.values() ?? []) column[row] = undefined;
  for (const [subject, own] of Object.entries(evidence ?? {})) ownEvidence(columns, subject)[row] = own;
  if (!location && !columns.points) return;
  const { createPlaces: create } = source;
  columns.points ??= { latitude: create(), longitude: create(), radiusMeters: create() };
  columns.points.latitude[row] = location?.latitude ?? Number.NaN;
  columns.points.longitude[row] = location?.longitude ?? Number.NaN;
  columns.points.radiusMeters[row] = location?.radiusMeters ?? Number.NaN;
}

/** The range of a measured field at a certainty; undefined without one. */
export function rangeOfRow(
  { ranges, rangesByCertainty }: BookColumns,
  row: number,
  field: number,
  certainty?: number,
): Knowledge {
  for (const each of [certainty === undefined ? undefined : rangesByCertainty?.get(certainty), ranges]) {
    const range = each?.get(field);
    if (range && !Number.isNaN(range.minima[row]!)) return between(range.minima[row]!, range.maxima[row]!);
  }
  return undefined;
}

/** Value of the county column for the counties (FIPS codes) that a name can mean. */
export function bookCounty({ ambiguous }: BookColumns, counties: readonly string[] | undefined): number {
  if (counties === undefined) return 0;
  if (counties.length === 0) return -1;
  if (counties.length === 1) return Number(counties[0]);
  const key = counties.join();
  const place = ambiguous.findIndex((each) => each.join() === key);
  return -2 - (place >= 0 ? place : ambiguous.push(counties) - 1);
}

/** By field, the number of each word from 1; undefined for a field of numbers. */
function wordsOf(vocabulary: Vocabulary): readonly (ReadonlyMap<string, number> | undefined)[] {
  let words = wordNumbers.get(vocabulary);
  if (!words) {
    words = vocabulary.fields.map((field) => {
      const domain = field.domain({ effectiveYear: 2000 });
      return domain.kind === 'words' ? new Map(domain.words.map((word, index) => [word, index + 1])) : undefined;
    });
    wordNumbers.set(vocabulary, words);
  }
  return words;
}
