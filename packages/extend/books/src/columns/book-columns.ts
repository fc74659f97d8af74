import type { Property, Vocabulary } from '@leeward/engine';
import { states } from '@leeward/places/counties';

/**
 * A book of properties as columns: one typed array a field, by row. Plain data, shareable between threads.
 * Numbers: NaN is unknown. Words: 1 is the first word of the field's domain, 0 unknown; two
 * bytes where a domain has more than 255 of them.
 */
export interface BookColumns {
  readonly rows: number;
  /** Place in the vocabulary's policy types. */
  readonly policyType: Uint8Array;
  /** Place in `states` of `@leeward/places/counties`. */
  readonly state: Uint8Array;
  /** FIPS code as a number; 0 unknown; −1 none of the state; −2 − n: the n-th of `ambiguous`. */
  readonly county: Int32Array;
  /** Names that mean several counties. */
  readonly ambiguous: (readonly string[])[];
  /** By place in the vocabulary's fields. */
  readonly fields: readonly (Float64Array | Uint8Array | Uint16Array)[];
}

const stateNumbers = new Map(states.map((state, index) => [state.code, index]));
/** What columns were made for; those that a thread was sent are not among them. */
const vocabularies = new WeakMap<BookColumns, Vocabulary>();
const wordNumbers = new WeakMap<Vocabulary, readonly (ReadonlyMap<string, number> | undefined)[]>();

/** Empty columns for a number of rows. `shared`: in shared memory, for worker threads. */
export function createBookColumns(vocabulary: Vocabulary, rows: number, shared = false): BookColumns {
  const memory = (bytes: number): ArrayBuffer | SharedArrayBuffer =>
    shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
  const columns = {
    rows,
    policyType: new Uint8Array(memory(rows)),
    state: new Uint8Array(memory(rows)),
    county: new Int32Array(memory(4 * rows)),
    ambiguous: [],
    fields: wordsOf(vocabulary).map((words) => {
      if (!words) return new Float64Array(memory(8 * rows)).fill(Number.NaN);
      return words.size > 255 ? new Uint16Array(memory(2 * rows)) : new Uint8Array(memory(rows));
    }),
  };
  vocabularies.set(columns, vocabulary);
  return columns;
}

/** Refuses columns of another vocabulary: they would be taken for those of other fields. */
export function expectColumnsOf(columns: BookColumns, vocabulary: Vocabulary): void {
  const known = vocabularies.get(columns);
  if (known === vocabulary || (known === undefined && columns.fields.length === vocabulary.fields.length)) return;
  const whose = known ? `of the line "${known.line}"` : `of ${columns.fields.length} fields`;
  throw new RangeError(`The columns are ${whose}; make them with the very vocabulary of "${vocabulary.line}".`);
}

/**
 * Writes a property into a row. Throws a `RangeError` for what a column cannot carry: no policy type, or
 * knowledge within bounds that is not a relation's.
 */
export function writeBookRow(columns: BookColumns, row: number, property: Property): void {
  const { vocabulary, counties } = property;
  expectColumnsOf(columns, vocabulary);
  if (property.policyType === undefined) throw new RangeError('A policy of a book has a policy_type; give one.');
  columns.policyType[row] = vocabulary.policyTypes.indexOf(property.policyType);
  columns.state[row] = stateNumbers.get(property.state)!;
  columns.county[row] = bookCounty(columns, counties);
  const words = wordsOf(vocabulary);
  (property.given ?? property.values).forEach((value, field) => {
    if (typeof value === 'object') {
      throw new RangeError(`${vocabulary.fields[field]!.name} is known within bounds, which a book cannot carry.`);
    }
    const column = columns.fields[field]!;
    if (value === undefined) column[row] = words[field] ? 0 : Number.NaN;
    else column[row] = typeof value === 'number' ? value : words[field]!.get(value)!;
  });
}

/** What the county column holds for the counties (FIPS codes) that a name can mean; undefined: nobody said. */
export function bookCounty({ ambiguous }: BookColumns, counties: readonly string[] | undefined): number {
  if (counties === undefined) return 0;
  if (counties.length === 0) return -1;
  if (counties.length === 1) return Number(counties[0]);
  const key = counties.join();
  const known = ambiguous.findIndex((each) => each.join() === key);
  return -2 - (known >= 0 ? known : ambiguous.push(counties) - 1);
}

/** Copies some rows. */
export function pickRows(columns: BookColumns, rows: readonly number[], vocabulary: Vocabulary): BookColumns {
  const picked = createBookColumns(vocabulary, rows.length);
  picked.ambiguous.push(...columns.ambiguous);
  rows.forEach((row, index) => {
    picked.policyType[index] = columns.policyType[row]!;
    picked.state[index] = columns.state[row]!;
    picked.county[index] = columns.county[row]!;
  });
  picked.fields.forEach((field, place) => {
    const from = columns.fields[place]!;
    for (let index = 0; index < rows.length; index++) field[index] = from[rows[index]!]!;
  });
  return picked;
}

/** For each field of words, the number of each word from 1; undefined for fields of numbers. */
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
