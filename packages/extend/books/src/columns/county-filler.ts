import { requestSchemaOf, type Vocabulary } from '@leeward/engine';
import { checkCounty, states } from '@leeward/places/counties';
import { isGiven, withoutBlanks } from '@leeward/terms';
import { cellOf, type RawColumn } from '../source/raw-batch.ts';
import { type BookColumns, bookCounty } from './book-columns.ts';

const NOT_ASKED = -2_147_483_648;
const DOUBTFUL_COUNTY = 2_147_483_647;
const STATES = states.length;
const MAX_KEPT = 1 << 16;

/** Fills the column of counties, each pair of state and name looked up once. */
export interface CountyFiller {
  fill(column: RawColumn, rows: number, into: BookColumns, doubtful: Uint8Array): void;
}

export function createCountyFiller(vocabulary: Vocabulary): CountyFiller {
  const schema = requestSchemaOf(vocabulary).shape['county']!;
  const known = new Map<unknown, Int32Array>();
  const ask = (value: unknown, state: number, into: BookColumns): number => {
    if (!isGiven(value)) return 0;
    const read = schema.safeParse(withoutBlanks(schema, value));
    if (!read.success) return DOUBTFUL_COUNTY;
    if (read.data === undefined) return 0;
    const found = checkCounty(states[state]!, read.data as string);
    return bookCounty(into, 'value' in found ? found.value.map(({ fips }) => fips) : []);
  };
  /** By state, what a name comes to. */
  const byState = (value: unknown): Int32Array => {
    let counties = known.get(value);
    if (counties === undefined) {
      if (known.size >= MAX_KEPT) known.clear();
      counties = new Int32Array(STATES).fill(NOT_ASKED);
      known.set(value, counties);
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
        // Without a state there is nothing to look in.
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
        if (number === NOT_ASKED) {
          number = ask(
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
