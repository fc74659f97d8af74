import { countiesOf } from '@leeward/places/counties';
import type { BuiltInterval, BuiltTables } from '../tables/built-tables.ts';
import { type CellTerm, cellsOfType, PLACE_AXIS, type TypeCells } from './type-cells.ts';
import type { VectorHome, VectorWriter } from './vector-homes.ts';

const NOON_MS = 43_200_000;

/** A home by cells: of each axis that the type tests, of the place too. An absent axis is unknown. */
type CellHome = ReadonlyMap<number, number>;

/** Homes of one policy type in an interval of dates: by cells, and as vectors have them. */
export class TypeHomes {
  readonly cells: TypeCells;
  readonly policyType: string;
  readonly interval: BuiltInterval;
  /** Axes whose values can be chosen. */
  readonly axes: readonly number[];
  readonly #tables: BuiltTables;
  readonly #writer: VectorWriter;
  readonly #typical: ReadonlyMap<number, number>;
  #seed: number;

  constructor(writer: VectorWriter, tables: BuiltTables, interval: BuiltInterval, type: number) {
    this.cells = cellsOfType(interval.types[type]!, tables.inputs);
    this.policyType = tables.vocabulary.policyTypes[type]!;
    this.interval = interval;
    this.axes = [...this.cells.sizes.keys()].filter((axis) => axis === PLACE_AXIS || writer.isFree(axis));
    this.#tables = tables;
    this.#writer = writer;
    this.#typical = writer.typicalValues(interval.effectiveYear);
    this.#seed = type + 1;
  }

  /** An ordinary home in the first place. */
  get ordinary(): VectorHome {
    return this.homeOf(this.#ordinary());
  }

  /**
   * An ordinary home, and about `count` others, each inside a term of some carrier.
   *
   * @param axis an axis that the terms test. @default any
   */
  bases(count: number, axis?: number): readonly CellHome[] {
    const ordinary = this.#ordinary();
    const terms = this.cells.terms.filter((term) => axis === undefined || term.has(axis));
    const step = Math.max(1, Math.ceil(terms.length / count));
    const some = terms.filter((_, number) => number % step === 0);
    return [ordinary, ...some.map((term) => this.#insideTerm(ordinary, term))];
  }

  /** Places a home inside a term: on its axes, in one of the accepted cells. */
  #insideTerm(base: CellHome, term: CellTerm): CellHome {
    const home = new Map(base);
    for (const [axis, cells] of term) {
      const accepted = Array.from(cells.keys()).filter((cell) => cells[cell] === 1);
      if (accepted.length > 0 && cells[home.get(axis) ?? -1] !== 1)
        home.set(axis, accepted[this.pick(accepted.length)]!);
    }
    return home;
  }

  /** Writes a home. It has the typical number of a cell, else an end of the cell. A cell that no request can have is left out. */
  homeOf(cells: CellHome): VectorHome {
    const values = new Map<number, number>();
    let asOfMs = Date.parse(`${this.interval.from}T00:00:00Z`) + NOON_MS;
    for (const [input, cell] of cells) {
      if (input === PLACE_AXIS) continue;
      const value = this.#valueOf(input, cell);
      if (value === undefined) continue;
      if (this.#tables.inputs[input]!.source.kind === 'as_of') asOfMs = value;
      else values.set(input, value);
    }
    const { state, county } = this.cells.places[cells.get(PLACE_AXIS)!]!;
    return {
      policyType: this.policyType,
      state,
      county: countiesOf(state).find(({ fips }) => fips === county)?.label,
      values,
      effectiveDate: this.interval.from,
      asOfMs,
    };
  }

  /** A number from 0 to below `size`; the same for the same rules. */
  pick(size: number): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) >>> 0;
    return (this.#seed >>> 8) % size;
  }

  #valueOf(input: number, cell: number): number | undefined {
    const bounds = this.cells.bounds.get(input);
    if (!bounds) return cell + 1;
    const below = bounds[cell + 1] ?? Number.POSITIVE_INFINITY;
    const ends = this.#writer.endsOf(input, bounds[cell]!, below, this.interval.effectiveYear);
    const typical = this.#typical.get(input);
    return ends && typical !== undefined && typical >= ends[0] && typical <= ends[1] ? typical : ends?.[this.pick(2)];
  }

  #ordinary(): CellHome {
    const home = new Map([[PLACE_AXIS, 0]]);
    for (const axis of this.axes) {
      const value = this.#typical.get(axis);
      if (value === undefined) continue;
      const bounds = this.cells.bounds.get(axis);
      home.set(axis, bounds ? bounds.findLastIndex((bound) => bound <= value) : value - 1);
    }
    return home;
  }
}
