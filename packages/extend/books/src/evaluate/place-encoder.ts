import { has, intersects, isWithinSet } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import type { BookColumns } from '../columns/book-columns.ts';
import { type EncodedRows, ROWS_A_BLOCK } from '../planes/encoded-rows.ts';
import type { PlacePlanes, PlaneTable } from '../planes/plane-table.ts';
import type { StatePlanes } from '../planes/row-layout.ts';

const FIPS_LIMIT = 80_000;

/** Encodes the places of rows, and finds their moratoria. */
export interface PlaceEncoder {
  encode(columns: BookColumns, rows: Int32Array, from: number, count: number): void;
  /** By row of the block, index of its state in `states`; −1 if no carrier offers anything there. */
  readonly stateNumbers: Int16Array;
  /** By index in `states`. */
  readonly byState: readonly (StatePlanes | undefined)[];
  readonly hasMoratoria: boolean;
  /** Calls `visit` with each carrier that certainly or possibly has a moratorium at a row of the block. */
  eachMoratorium(index: number, visit: (word: number, bit: number, isCertain: boolean) => void): void;
}

const byPlaces = new WeakMap<PlacePlanes, Int16Array>();

/** By FIPS code, the cell of a county that a rule names; −1 for others. Shared, because it is large. */
export function cellsByFips(place: PlacePlanes): Int16Array {
  const cached = byPlaces.get(place);
  if (cached) return cached;
  const cells = new Int16Array(FIPS_LIMIT).fill(-1);
  for (const [county, cell] of place.cellByCounty) cells[Number(county)] = cell;
  byPlaces.set(place, cells);
  return cells;
}

/** @param width Factor of row numbers. */
export function createPlaceEncoder(
  { axes, place, moratoria: all }: PlaneTable,
  asOfMs: number,
  { offsets, loose, looseCount }: EncodedRows,
  width: number,
): PlaceEncoder {
  const axisCount = axes.length + 1;
  const byState: (StatePlanes | undefined)[] = states.map((state) => place.states.get(state.code));
  const cellByFips = cellsByFips(place);
  const moratoria = all.filter(({ fromMs, untilMs }) => fromMs <= asOfMs && asOfMs < untilMs);
  const stateNumbers = new Int16Array(ROWS_A_BLOCK);
  /** By row of the block; −1 for an unknown county. */
  const cellNumbers = new Int16Array(ROWS_A_BLOCK);
  return {
    encode(columns, rows, from, count) {
      for (let index = 0; index < count; index++) {
        const row = rows[from + index]!;
        const county = columns.county[row]!;
        const state = byState[columns.state[row]!];
        const at = index * axisCount;
        looseCount[index] = 0;
        stateNumbers[index] = state === undefined || county === -1 ? -1 : columns.state[row]!;
        if (state === undefined) continue;
        if (county > 0) {
          const named = cellByFips[county]!;
          const cell = named >= 0 ? named : state.otherCell;
          cellNumbers[index] = cell;
          offsets[at] = cell * width;
          continue;
        }
        // A name of several counties is encoded as an unknown county, which is sound. `OpenSettler` narrows it.
        cellNumbers[index] = -1;
        offsets[at] = state.unknownRow * width;
        loose[at] = 0;
        looseCount[index] = 1;
      }
    },
    stateNumbers,
    byState,
    hasMoratoria: moratoria.length > 0,
    eachMoratorium(index, visit) {
      const cell = cellNumbers[index]!;
      const { code } = states[stateNumbers[index]!]!;
      for (const { carrier, cells: stopped, cellsOfState } of moratoria) {
        const open = cellsOfState.get(code)!;
        if (cell >= 0 ? !has(stopped, cell) : !intersects(open, stopped)) continue;
        visit(carrier >> 5, 1 << (carrier & 31), cell >= 0 || isWithinSet(open, stopped));
      }
    },
  };
}
