import { countiesOf } from '@leeward/places/counties';
import { coversCounty, type Places } from '../rule-set/places.ts';
import { add as addCell, type CellSet, emptySet, fullSet, setOf } from './cell-set.ts';

export interface Place {
  readonly state: string;
  /** FIPS code; empty in a state without counties. */
  readonly county: string;
}

/** State and county on one axis: one cell for each county that a test names, and one for the other counties of each state. */
export interface PlaceAxis {
  readonly size: number;
  readonly full: CellSet;
  readonly samples: readonly Place[];
  readonly namedCounties: ReadonlySet<string>;
  cellOf(state: string, county: string): number;
  /** The possible cells of a state with an unknown county. */
  cellsOfState(state: string): CellSet;
  cellsWhere(fits: (place: Place) => boolean): CellSet;
}

/** Creates the place axis of some states. `namedCounties` are the FIPS codes of counties that have a separate cell. */
export function createPlaceAxis(states: Iterable<string>, namedCounties: ReadonlySet<string>): PlaceAxis {
  const samples: Place[] = [];
  const byCounty = new Map<string, number>();
  const otherOf = new Map<string, number>();
  const ofState = new Map<string, number[]>();
  for (const state of states) {
    const cells: number[] = [];
    const add = (county: string): number => {
      cells.push(samples.length);
      return samples.push({ state, county }) - 1;
    };
    const counties = countiesOf(state).map((county) => county.fips);
    for (const county of counties) if (namedCounties.has(county)) byCounty.set(county, add(county));
    const other = counties.find((county) => !namedCounties.has(county));
    if (other !== undefined || counties.length === 0) otherOf.set(state, add(other ?? ''));
    ofState.set(state, cells);
  }
  const size = samples.length;
  const sets = new Map(
    [...ofState].map(([state, cells]) => {
      const set = emptySet(size);
      for (const cell of cells) addCell(set, cell);
      return [state, set] as const;
    }),
  );
  const none = emptySet(size);
  return {
    size,
    full: fullSet(size),
    samples,
    namedCounties,
    cellOf: (state, county) => byCounty.get(county) ?? otherOf.get(state) ?? -1,
    cellsOfState: (state) => sets.get(state) ?? none,
    cellsWhere: (fits) => setOf(size, (cell) => fits(samples[cell]!)),
  };
}

/** True if the places include the county. */
export function covers(places: Places, place: Place): boolean {
  return coversCounty(places, place.state, place.county);
}
