/**
 * Chooses homes that find faults in tables. A sweep is a home with one axis varied over all of its cells. The membership of a home in a term
 * is *critical* for a carrier if the answer would differ without it: no other term gives the same answer. A fault in a cell of a term shows
 * in a home of that cell for which the term is critical, or becomes critical. A home outside all terms of a carrier shows terms that are too
 * wide. Sweeps are chosen while they cover enough new cells.
 */
import { type CellLane, type CellTerm, PLACE_AXIS, type TypeCells } from './type-cells.ts';

/** A home by cells: of each axis that the type tests, of the place too. An absent axis is unknown. */
export type CellHome = ReadonlyMap<number, number>;

/** A home, and the axis to vary. */
export interface Sweep {
  readonly base: CellHome;
  readonly axis: number;
  /** By cell, the carriers whose rules it covers first. */
  readonly reasons: readonly ReadonlySet<number>[];
}

/** Cells of terms that some sweep covers, by term. Equal terms of other dates and policy types share them. */
export class Coverage {
  readonly #byTerm = new Map<string, Map<number, Uint8Array>>();

  of(key: string, axis: number, size: number): Uint8Array {
    let byAxis = this.#byTerm.get(key);
    if (!byAxis) {
      byAxis = new Map();
      this.#byTerm.set(key, byAxis);
    }
    let cells = byAxis.get(axis);
    if (!cells || cells.length !== size) {
      cells = new Uint8Array(size);
      byAxis.set(axis, cells);
    }
    return cells;
  }
}

interface LaneTerm {
  readonly key: string;
  readonly cells: CellTerm;
  readonly isReferring: boolean;
}

/** Chooses sweeps among all axes of some homes, in their order. */
export class SweepChooser {
  readonly #cells: TypeCells;
  readonly #coverage: Coverage;
  readonly #lanes: readonly { readonly lane: CellLane; readonly key: string; readonly terms: readonly LaneTerm[] }[];
  readonly #status: ReadonlyMap<number, readonly LaneTerm[]>;

  /** @param keyOf identifies a term of a lane, or without a number the lane, among all dates and policy types */
  constructor(cells: TypeCells, coverage: Coverage, keyOf: (lane: CellLane, number?: number) => string) {
    this.#cells = cells;
    this.#coverage = coverage;
    this.#lanes = cells.lanes.map((lane) => ({
      lane,
      key: keyOf(lane),
      terms: [...lane.declining, ...lane.referring].map((term, number) => ({
        key: keyOf(lane, number),
        cells: term,
        isReferring: number >= lane.declining.length,
      })),
    }));
    this.#status = new Map(
      this.#lanes.flatMap(({ lane, terms }) => (lane.rule === undefined ? [[lane.carrier, terms]] : [])),
    );
  }

  /** Returns the sweeps of a home that cover at least `minGain` new cells of terms for each of their rows. */
  choose(base: CellHome, axes: readonly number[], minGain: number): readonly Sweep[] {
    const failing = new Map<LaneTerm, number>();
    for (const { terms } of this.#lanes) {
      for (const term of terms) failing.set(term, failingAxes(term.cells, base));
    }
    return axes.flatMap((axis) => this.#chooseAxis(base, axis, failing, minGain) ?? []);
  }

  #chooseAxis(
    base: CellHome,
    axis: number,
    failing: ReadonlyMap<LaneTerm, number>,
    minGain: number,
  ): Sweep | undefined {
    const size = this.#cells.sizes.get(axis)!;
    const own = base.get(axis);
    // The terms that depend on this axis only, the others being as in the base.
    const isOpen = (term: LaneTerm) => {
      const part = term.cells.get(axis);
      return failing.get(term)! - (part && (own === undefined || part[own] === 0) ? 1 : 0) === 0;
    };
    const statusAt = new Map<number, Uint8Array>();
    for (const [carrier, terms] of this.#status) statusAt.set(carrier, statusesAlong(terms.filter(isOpen), axis, size));
    let gain = 0;
    const marks: [cells: Uint8Array, cell: number][] = [];
    const reasons = Array.from({ length: size }, () => new Set<number>());
    const place = base.get(PLACE_AXIS)!;
    for (const { lane, key, terms } of this.#lanes) {
      const open = terms.filter(isOpen);
      const declined = countAlong(open, axis, size, false);
      const referred = countAlong(open, axis, size, true);
      const status = statusAt.get(lane.carrier);
      const cover = (cells: Uint8Array, cell: number) => {
        // The rules of a carrier show in its reasons if they decide its status.
        if (lane.rule !== undefined && status?.[cell] !== (lane.rule === 'decline' ? DECLINED : REFERRED)) return;
        if (lane.rule !== undefined) reasons[cell]!.add(lane.carrier);
        gain++;
        marks.push([cells, cell]);
      };
      const outside = this.#coverage.of(key, axis, size);
      for (let cell = 0; cell < size; cell++) {
        const isOffered = lane.offered[axis === PLACE_AXIS ? cell : place] === 1;
        if (!outside[cell] && isOffered && declined[cell]! + referred[cell]! === 0) cover(outside, cell);
      }
      for (const term of open) {
        const part = term.cells.get(axis);
        const cells = this.#coverage.of(term.key, axis, size);
        for (let cell = 0; cell < size; cell++) {
          const isInside = part?.[cell] === 0 ? 0 : 1;
          const others = declined[cell]! + (term.isReferring ? referred[cell]! : 0) - isInside;
          if (!cells[cell] && others === 0) cover(cells, cell);
        }
      }
    }
    if (gain < minGain * size) return undefined;
    for (const [cells, cell] of marks) cells[cell] = 1;
    return { base, axis, reasons };
  }
}

const [TAKEN, REFERRED, DECLINED] = [0, 1, 2];

function statusesAlong(open: readonly LaneTerm[], axis: number, size: number): Uint8Array {
  const statuses = new Uint8Array(size).fill(TAKEN);
  for (const { cells, isReferring } of open) {
    const part = cells.get(axis);
    for (let cell = 0; cell < size; cell++) {
      if (part?.[cell] !== 0) statuses[cell] = Math.max(statuses[cell]!, isReferring ? REFERRED : DECLINED);
    }
  }
  return statuses;
}

function countAlong(open: readonly LaneTerm[], axis: number, size: number, isReferring: boolean): Uint16Array {
  const counts = new Uint16Array(size);
  for (const { cells, isReferring: refers } of open) {
    if (refers !== isReferring) continue;
    const part = cells.get(axis);
    for (let cell = 0; cell < size; cell++) if (part?.[cell] !== 0) counts[cell]!++;
  }
  return counts;
}

/** Number of axes on which a home is outside a term. An unknown axis is outside. */
function failingAxes(term: CellTerm, home: CellHome): number {
  let failing = 0;
  for (const [axis, cells] of term) {
    const cell = home.get(axis);
    if (cell === undefined || cells[cell] === 0) failing++;
  }
  return failing;
}

/** Places a home inside a term: on its axes, one of the accepted cells, chosen by `pick`. */
export function insideTerm(base: CellHome, term: CellTerm, pick: (count: number) => number): CellHome {
  const home = new Map(base);
  for (const [axis, cells] of term) {
    const accepted = Array.from(cells.keys()).filter((cell) => cells[cell] === 1);
    const own = home.get(axis);
    if (accepted.length > 0 && !(own !== undefined && cells[own] === 1))
      home.set(axis, accepted[pick(accepted.length)]!);
  }
  return home;
}
