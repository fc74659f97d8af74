import { kinds, packedCounties } from './data.generated.ts';
import type { State } from './states.ts';

/** A county or equivalent: a parish, borough, census area, municipio, independent city, planning region. */
export interface County {
  /** Five digits, `48201`. */
  readonly fips: string;
  /** Lower case, `tx`. */
  readonly state: string;
  /**
   * Lower case, without the legal suffix, with punctuation and accents: `miami-dade`, `st. lucie`, `doña ana`. Unique in its state: a
   * county and a city that share a name keep the suffix (`baltimore county`, `baltimore city`).
   */
  readonly name: string;
  /** With its legal suffix, `Harris County`. */
  readonly label: string;
}

/** `bareName` never has the legal suffix: `Baltimore`. */
interface CountyRow {
  readonly county: County;
  readonly bareName: string;
}

export function unpackCounties(state: State): readonly CountyRow[] {
  let last = -1;
  const rows = (packedCounties.get(state.fips) ?? '').split(';').map((row) => {
    const isNext = !/^\d/.test(row);
    last = isNext ? last + 2 : Number(row.slice(0, 3));
    const bareName = isNext ? row : row.slice(4);
    const kind = isNext ? 'c' : row.charAt(3);
    return { fips: state.fips + String(last).padStart(3, '0'), bareName, label: bareName + kinds.get(kind) };
  });
  const uses = new Map<string, number>();
  for (const { bareName } of rows) uses.set(bareName, (uses.get(bareName) ?? 0) + 1);
  return rows.map(({ fips, bareName, label }) => {
    const name = (uses.get(bareName) === 1 ? bareName : label).toLowerCase();
    return { county: Object.freeze({ fips, state: state.code, name, label }), bareName };
  });
}
