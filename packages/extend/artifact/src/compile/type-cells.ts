import { has, type Term } from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import type { BuiltType } from '../tables/built-tables.ts';
import type { LaneSpace } from '../tables/lane.ts';
import type { TableInput } from '../tables/table-inputs.ts';

/** Number of the place among the axes of a type; inputs count from 0. */
export const PLACE_AXIS = -1;

/** A term on the cells of a type: by axis, 1 for each cell that it accepts. Axes without a test are left out. */
export type CellTerm = ReadonlyMap<number, Uint8Array>;

/** A county, or a state without one. */
export interface PlaceCell {
  readonly state: string;
  readonly county: string | undefined;
}

/** The cells that the tables of a policy type distinguish: each limit of any carrier, and each county that any names. */
export interface TypeCells {
  /** By input, lower bounds of its cells; undefined for words and inputs that the type does not test. */
  readonly bounds: ReadonlyMap<number, readonly number[]>;
  /** Number of cells by axis. */
  readonly sizes: ReadonlyMap<number, number>;
  readonly places: readonly PlaceCell[];
  /** Terms of all carriers and of their rules. */
  readonly terms: readonly CellTerm[];
}

/** Collects the cells of a policy type. */
export function cellsOfType({ lanes, reasonLanes }: BuiltType, inputs: readonly TableInput[]): TypeCells {
  const spaces = new Set([...lanes, ...reasonLanes].map(({ space }) => space));
  const bounds = new Map<number, number[]>();
  const sizes = new Map<number, number>();
  for (const { axes } of spaces) {
    for (const axis of axes) {
      if (!axis) continue;
      if (axis.bounds) bounds.set(axis.input, [...(bounds.get(axis.input) ?? []), ...axis.bounds]);
      else sizes.set(axis.input, inputs[axis.input]!.words!.length);
    }
  }
  for (const [input, all] of bounds) {
    const sorted = [...new Set(all)].sort((a, b) => a - b);
    bounds.set(input, sorted);
    sizes.set(input, sorted.length);
  }
  const places = placesOf(spaces);
  sizes.set(PLACE_AXIS, places.length);
  const cells = new TermCells(bounds, places);
  const terms = [...lanes, ...reasonLanes].flatMap(({ space, declining, referring }) =>
    [...declining, ...referring].map((term) => cells.of(term, space)),
  );
  return { bounds, sizes, places, terms };
}

/** Counties that a carrier names, and one other county of each state. */
function placesOf(spaces: ReadonlySet<LaneSpace>): readonly PlaceCell[] {
  const states = new Set([...spaces].flatMap(({ place }) => place.samples.map(({ state }) => state)));
  const named = new Set([...spaces].flatMap(({ place }) => [...place.namedCounties]));
  return [...states].flatMap((state): PlaceCell[] => {
    const counties = countiesOf(state).map(({ fips }) => fips);
    const other = counties.find((fips) => !named.has(fips));
    const own = counties.filter((fips) => named.has(fips) || fips === other);
    return own.length === 0 ? [{ state, county: undefined }] : own.map((county) => ({ state, county }));
  });
}

/** Converts terms from the cells of a carrier to those of a type. Each conversion of an axis is done once. */
class TermCells {
  readonly #bounds: ReadonlyMap<number, readonly number[]>;
  readonly #places: readonly PlaceCell[];
  readonly #cells = new WeakMap<LaneSpace, Map<number, readonly number[]>>();

  constructor(bounds: ReadonlyMap<number, readonly number[]>, places: readonly PlaceCell[]) {
    this.#bounds = bounds;
    this.#places = places;
  }

  of(term: Term, space: LaneSpace): CellTerm {
    const parts = term.map((part): [number, Uint8Array] => {
      const own = this.#ownCells(space, part.axis);
      const input = space.axes[part.axis]?.input ?? PLACE_AXIS;
      return [input, Uint8Array.from(own, (cell) => (cell >= 0 && has(part.cells, cell) ? 1 : 0))];
    });
    const whole = new Map(parts);
    // A carrier answers only where it is offered.
    const place = whole.get(PLACE_AXIS);
    const offered = this.#places.map(({ state }, cell) =>
      space.states.includes(state) && place?.[cell] !== 0 ? 1 : 0,
    );
    return whole.set(PLACE_AXIS, Uint8Array.from(offered));
  }

  /** By cell of the type, the cell of the carrier. */
  #ownCells(space: LaneSpace, number: number): readonly number[] {
    let byAxis = this.#cells.get(space);
    if (!byAxis) {
      byAxis = new Map();
      this.#cells.set(space, byAxis);
    }
    let cells = byAxis.get(number);
    if (!cells) {
      const axis = space.axes[number];
      if (!axis) cells = this.#places.map(({ state, county }) => space.place.cellOf(state, county ?? ''));
      else if (!axis.bounds) cells = Array.from({ length: axis.size }, (_, cell) => cell);
      else {
        const { bounds } = axis;
        cells = this.#bounds.get(axis.input)!.map((low) => bounds.findLastIndex((bound) => bound <= low));
      }
      byAxis.set(number, cells);
    }
    return cells;
  }
}
