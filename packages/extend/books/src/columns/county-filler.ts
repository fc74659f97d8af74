import { requestSchemaOf, type Vocabulary } from '@leeward/engine';
import { checkCounty, states } from '@leeward/places/counties';
import { isGiven, withoutBlanks } from '@leeward/terms';
import { cellOf, type RawColumn } from '../source/raw-batch.ts';
import { type BookColumns, bookCounty } from './book-columns.ts';

const UNRESOLVED = -2_147_483_648;
const DOUBTFUL_COUNTY = 2_147_483_647;
const STATES = states.length;
const MAX_KEPT = 1 << 16;

/** Fills the column of counties. Each pair of state and name is looked up once. */
export interface CountyFiller {
  fill(column: RawColumn, rows: number, into: BookColumns, doubtful: Uint8Array): void;
}

export function createCountyFiller(vocabulary: Vocabulary): CountyFiller {
  const schema = requestSchemaOf(vocabulary).shape['county']!;
  const byName = new Map<unknown, Int32Array>();
  const resolve = (value: unknown, state: number, into: BookColumns): number => {
    if (!isGiven(value)) return 0;
    const read = schema.safeParse(withoutBlanks(schema, value));
    if (!read.success) return DOUBTFUL_COUNTY;
    if (read.data === undefined) return 0;
    const checked = checkCounty(states[state]!, read.data as string);
    return bookCounty(into, 'value' in checked ? checked.value.map(({ fips }) => fips) : []);
  };
  /** By state, the column value of a name. */
  const byState = (value: unknown): Int32Array => {
    let counties = byName.get(value);
    if (counties === undefined) {
      if (byName.size >= MAX_KEPT) byName.clear();
      counties = new Int32Array(STATES).fill(UNRESOLVED);
      byName.set(value, counties);
    }
    return counties;
  };
  let dictionary: { readonly words: readonly unknown[]; tables: Int32Array[] } | undefined;
  return {
    fill(column, rows, into, doubtful) {
      const { county, state } = into;
      const codes = column.kind === 'dictionary' ? column.codes : undefined;
      if (column.kind === 'dictionary') {
        if (dictionary?.words !== column.words) dictionary = { words: column.words, tables: [] };
        const { tables } = dictionary;
        while (tables.length < column.words.length) tables.push(byState(column.words[tables.length]));
      }
      for (let row = 0; row < rows; row++) {
        if (doubtful[row] === 1) continue;
        let counties: Int32Array;
        if (codes !== undefined) {
          if (codes[row]! < 0) {
            county[row] = 0;
            continue;
          }
          counties = dictionary!.tables[codes[row]!]!;
        } else {
          const value = cellOf(column, row);
          if (value === undefined) {
            county[row] = 0;
            continue;
          }
          counties = byState(value);
        }
        const at = state[row]!;
        let number = counties[at]!;
        if (number === UNRESOLVED) {
          number = resolve(
            codes === undefined ? cellOf(column, row) : column.kind === 'dictionary' && column.words[codes[row]!],
            at,
            into,
          );
          counties[at] = number;
        }
        if (number === DOUBTFUL_COUNTY) doubtful[row] = 1;
        else county[row] = number;
      }
    },
  };
}
