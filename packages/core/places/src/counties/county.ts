import { kinds, packedCounties } from './data.generated.ts';
import type { State } from './states.ts';

/** A county or county equivalent: a parish, borough, census area, municipio, independent city, planning region. */
export interface County {
  /** Five digits, `48201`. */
  readonly fips: string;
  /** Postal abbreviation of its state in lower case, `tx`. */
  readonly state: string;
  /**
   * The canonical name: lower case, without the legal suffix, with its usual punctuation and accents: `miami-dade`, `st. lucie`,
   * `doña ana`, `prince george's`. Unique in its state: a county and a city that share a name keep the suffix
   * (`baltimore county`, `baltimore city`).
   */
  readonly name: string;
  /** The name with its legal suffix, `Harris County`. */
  readonly label: string;
}

/** `bareName` omits the legal suffix even if another county of the state shares the name: `Baltimore`. */
interface CountyRow {
  readonly county: County;
  readonly bareName: string;
}

/** Rows of a state in order of their codes. */
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
