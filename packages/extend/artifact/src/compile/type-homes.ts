import { countiesOf } from '@leeward/places/counties';
import type { BuiltInterval, BuiltTables } from '../tables/built-tables.ts';
import { type CellHome, insideTerm } from './sweeps.ts';
import { cellsOfType, PLACE_AXIS, type TypeCells } from './type-cells.ts';
import type { VectorHome, VectorWriter } from './vector-homes.ts';

const NOON_MS = 43_200_000;
/** Homes of each outcome in a cover of the rules. */
const MAX_COVER = 6;

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
    return this.homeOf(this.#ordinary())!;
  }

  /**
   * An ordinary home, and about `count` others, each inside a term of some carrier.
   *
   * @param axis an axis that the terms test. @default any
   */
  bases(count: number, axis?: number): readonly CellHome[] {
    const ordinary = this.#ordinary();
    const all = this.cells.lanes.flatMap((lane) => [...lane.declining, ...lane.referring]);
    const terms = axis === undefined ? all : all.filter((term) => term.has(axis));
    const step = Math.max(1, Math.ceil(terms.length / count));
    const some = terms.filter((_, number) => number % step === 0);
    return [ordinary, ...some.map((term) => insideTerm(ordinary, term, (size) => this.pick(size)))];
  }

  /**
   * A few homes that are together inside a term of most rules: first of those that decline, then of those that refer, because a rule
   * shows only if it agrees with the status. Places are left out.
   */
  coverOfRules(): readonly CellHome[] {
    const ordinary = this.#ordinary();
    return (['decline', 'refer'] as const).flatMap((outcome) => {
      let left = this.cells.lanes.filter(({ rule }) => rule === outcome);
      const homes: CellHome[] = [ordinary];
      while (left.length > 0 && homes.length <= MAX_COVER) {
        let home: CellHome = ordinary;
        const fixed = new Set<number>();
        const open: typeof left = [];
        for (const lane of left) {
          const term = lane.declining.find((each) =>
            [...each].every(([axis, cells]) => axis === PLACE_AXIS || !fixed.has(axis) || cells[home.get(axis)!] === 1),
          );
          if (!term) {
            open.push(lane);
            continue;
          }
          const own = new Map([...term].filter(([axis]) => axis !== PLACE_AXIS));
          home = insideTerm(home, own, (size) => this.pick(size));
          for (const axis of own.keys()) fixed.add(axis);
        }
        homes.push(home);
        if (open.length === left.length) break;
        left = open;
      }
      return outcome === 'decline' ? homes.slice(1).concat(ordinary) : homes.slice(1);
    });
  }

  /**
   * Writes a home. It has the typical number of a cell, else the lowest.
   *
   * @param axis the axis on which it has an end of its cell
   * @param end 0 for the lowest number of that cell, 1 for the highest
   * @returns undefined if the axis cannot have the cell
   */
  homeOf(cells: CellHome, axis?: number, end: 0 | 1 = 0): VectorHome | undefined {
    const values = new Map<number, number>();
    let asOfMs = Date.parse(`${this.interval.from}T00:00:00Z`) + NOON_MS;
    for (const [input, cell] of cells) {
      if (input === PLACE_AXIS) continue;
      const value = this.#valueOf(input, cell, input === axis ? end : undefined);
      if (value === undefined && input === axis) return undefined;
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

  #valueOf(input: number, cell: number, end: 0 | 1 | undefined): number | undefined {
    const bounds = this.cells.bounds.get(input);
    if (!bounds) return cell + 1;
    const below = bounds[cell + 1] ?? Number.POSITIVE_INFINITY;
    const ends = this.#writer.endsOf(input, bounds[cell]!, below, this.interval.effectiveYear);
    const typical = this.#typical.get(input);
    if (ends && end !== undefined) return ends[end];
    return ends && typical !== undefined && typical >= ends[0] && typical <= ends[1] ? typical : ends?.[0];
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
