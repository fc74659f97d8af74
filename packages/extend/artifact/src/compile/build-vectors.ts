/**
 * Conformance vectors: homes as a user writes them, with the answers of the engine. A reader that gives these answers handles every cell of
 * every axis at both ends, unknown fields, dates around each border, spellings and faults. `sweeps.ts` explains the choice of homes.
 */
import type { Catalog } from '@leeward/engine';
import { countiesOf } from '@leeward/places/counties';
import type { BuiltInterval, BuiltTables } from '../tables/built-tables.ts';
import { type Lookups, lookupsOf } from './lookups.ts';
import { type CellHome, Coverage, insideTerm, type Sweep, SweepChooser } from './sweeps.ts';
import { cellsOfType, PLACE_AXIS, type TypeCells } from './type-cells.ts';
import type { VectorHome } from './vector-homes.ts';
import { VectorList, type WrittenVectors } from './vector-list.ts';

/** The content of the section `leeward.vectors`. */
export interface ConformanceVectors extends WrittenVectors {
  readonly spellings: Lookups;
}

/** Maximum number of homes of a policy type whose axes are varied, in addition to an ordinary one. */
const MAX_BASES = 120;
/** Rows of a policy type in an interval, about. */
const MAX_ROWS = 1000;
/** New cells of terms that a row of a sweep must cover: the best sweeps are chosen first. */
const MIN_GAINS = [60, 15, 4];
const NOON_MS = 43_200_000;

/** Writes the vectors of a catalog and its tables. Equal rules give equal vectors. */
export function buildVectors(catalog: Catalog, tables: BuiltTables): ConformanceVectors {
  const list = new VectorList(catalog, tables);
  const coverage = new Coverage();
  for (const interval of tables.intervals) {
    for (const [type, policyType] of tables.vocabulary.policyTypes.entries()) {
      new TypeVectors(list, tables, interval, type, policyType, coverage).add();
    }
  }
  return { ...list.finish(), spellings: lookupsOf(tables) };
}

/** The vectors of one policy type in an interval of dates. */
class TypeVectors {
  readonly #list: VectorList;
  readonly #tables: BuiltTables;
  readonly #interval: BuiltInterval;
  readonly #policyType: string;
  readonly #cells: TypeCells;
  readonly #chooser: SweepChooser;
  readonly #typical: ReadonlyMap<number, number>;
  readonly #asOfMs: number;
  #seed: number;

  constructor(
    list: VectorList,
    tables: BuiltTables,
    interval: BuiltInterval,
    type: number,
    policyType: string,
    coverage: Coverage,
  ) {
    this.#list = list;
    this.#tables = tables;
    this.#interval = interval;
    this.#policyType = policyType;
    this.#cells = cellsOfType(interval.types[type]!, tables.inputs);
    this.#typical = list.writer.typicalValues(interval.effectiveYear);
    this.#asOfMs = Date.parse(`${interval.from}T00:00:00Z`) + NOON_MS;
    this.#seed = type + 1;
    const keys = keysOf(interval, type, policyType);
    this.#chooser = new SweepChooser(this.#cells, coverage, (lane, number) =>
      keys(this.#cells.lanes.indexOf(lane), number),
    );
  }

  add(): void {
    const { places, lanes, sizes } = this.#cells;
    if (places.length === 0) return;
    const axes = [...sizes.keys()].filter((axis) => axis === PLACE_AXIS || this.#list.writer.isFree(axis));
    const ordinary = this.#ordinaryHome();
    const terms = lanes.flatMap((lane) => [...lane.declining, ...lane.referring]);
    const step = Math.max(1, Math.ceil(terms.length / MAX_BASES));
    const bases = [
      ordinary,
      ...terms.filter((_, number) => number % step === 0).map((term) => insideTerm(ordinary, term, this.#pick)),
    ];
    const end = this.#list.length + MAX_ROWS;
    for (const minGain of MIN_GAINS) {
      for (const base of bases) {
        if (this.#list.length >= end) return;
        for (const sweep of this.#chooser.choose(base, axes, minGain)) this.#addSweep(sweep);
      }
    }
  }

  /** An ordinary home in the first place, by cells. */
  #ordinaryHome(): CellHome {
    const home = new Map([[PLACE_AXIS, 0]]);
    for (const axis of this.#cells.sizes.keys()) {
      const value = axis === PLACE_AXIS ? undefined : this.#typical.get(axis);
      if (value === undefined) continue;
      const bounds = this.#cells.bounds.get(axis);
      home.set(axis, bounds ? bounds.findLastIndex((bound) => bound <= value) : value - 1);
    }
    return home;
  }

  #addSweep({ base, axis, reasons }: Sweep): void {
    const isNumber = this.#cells.bounds.has(axis);
    for (const [cell, carriers] of reasons.entries()) {
      for (const end of isNumber ? [0, 1] : [0]) {
        const home = this.#homeOf(new Map(base).set(axis, cell), axis, end);
        if (home) this.#list.add(home, end === 0 ? carriers : []);
      }
    }
  }

  /** @param end 0 for the lowest number of the cell on the varied axis, 1 for the highest */
  #homeOf(cells: CellHome, axis: number, end: number): VectorHome | undefined {
    const { effectiveYear, from } = this.#interval;
    const values = new Map<number, number>();
    let asOfMs = this.#asOfMs;
    for (const [input, cell] of cells) {
      if (input === PLACE_AXIS) continue;
      const bounds = this.#cells.bounds.get(input);
      let value = cell + 1;
      if (bounds) {
        const ends = this.#list.writer.endsOf(
          input,
          bounds[cell]!,
          bounds[cell + 1] ?? Number.POSITIVE_INFINITY,
          effectiveYear,
        );
        const typical = this.#typical.get(input);
        if (!ends) {
          if (input === axis) return undefined;
          continue;
        }
        const isTypical = typical !== undefined && typical >= ends[0] && typical <= ends[1];
        value = input === axis ? ends[end]! : isTypical ? typical : ends[0];
      }
      if (this.#tables.inputs[input]!.source.kind === 'as_of') asOfMs = value;
      else values.set(input, value);
    }
    // Fields that this type does not test are in requests too.
    const { state, county } = this.#cells.places[cells.get(PLACE_AXIS)!]!;
    return {
      policyType: this.#policyType,
      state,
      county: this.#writtenCounty(state, county),
      values,
      effectiveDate: from,
      asOfMs,
    };
  }

  #writtenCounty(state: string, fips: string | undefined): string | undefined {
    const county = countiesOf(state).find((each) => each.fips === fips);
    return county && (this.#list.length % 2 === 0 ? county.label : county.fips);
  }

  readonly #pick = (count: number): number => {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) >>> 0;
    return (this.#seed >>> 8) % count;
  };
}

/** Returns the key of a term: equal terms of one carrier and policy type have equal keys on all dates. */
function keysOf({ types }: BuiltInterval, type: number, policyType: string) {
  const { lanes, reasonLanes, reasons } = types[type]!;
  const all = [
    ...lanes.map((lane) => ({ lane, name: `status ${lane.target}` })),
    ...reasonLanes.map((lane) => ({
      lane,
      name: `${reasons[lane.target]!.kind} ${reasons[lane.target]!.carrier} ${reasons[lane.target]!.id}`,
    })),
  ];
  return (number: number, term: number): string => {
    const { lane, name } = all[number]!;
    const parts = [...lane.declining, ...lane.referring][term]!.map(({ axis, cells }) => {
      const own = lane.space.axes[axis];
      return [own?.input ?? PLACE_AXIS, own?.bounds?.join(' ') ?? '', cells.join(' ')];
    });
    return `${policyType} ${name} ${JSON.stringify(parts)}`;
  };
}
