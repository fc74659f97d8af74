import {
  type CellSet,
  type CompiledProgram,
  PLACE,
  type PlaceAxis,
  statusTermsOf,
  type TableAxes,
  type Term,
} from '@leeward/engine/compiled';
import { assignPlanes, type Plane, type PlaneTerm } from './assign-planes.ts';
import { LANES, shareLanes } from './lanes.ts';
import { accumulate, type FieldAxis, layOutRows, type RowLayout, type StatePlanes } from './row-layout.ts';
import { sharedWords } from './shared-words.ts';

/** Carriers a table. */
export const CARRIERS_PER_TABLE = LANES;
/** Words before the planes of a row: what terms of this axis alone decide (decline, refer; low, high). */
export const FRONT = 4;

/**
 * The rules of up to 64 carriers for one policy type, as bit planes. Bit c is carrier c (bits beyond the last
 * carrier are spare lanes); plane k holds one term of each lane. A row is a cell of an axis: the terms it lets through. Plain data: typed arrays and
 * maps, which a worker thread can be sent or can share.
 */
export interface PlaneTable {
  readonly policyType: string;
  readonly effectiveYear: number;
  readonly carrierCount: number;
  /** Words a row. */
  readonly width: number;
  readonly declinePlanes: number;
  readonly referPlanes: number;
  /** Rows of every axis: unknown (possible), unknown (definite), then one a cell. */
  readonly rows: Int32Array;
  /** For each plane, low and high: carriers that have a term there. */
  readonly present: Int32Array;
  /** Axes that plane p tests: `planeAxes[planeStart[p]] … planeAxes[planeStart[p + 1] − 1]`. */
  readonly planeStart: Int32Array;
  readonly planeAxes: Int32Array;
  /** As in `Lanes`: whose terms stand in more lanes than one. */
  readonly folds: Int32Array;
  /** Terms that always hold: decline low, high, refer low, high. */
  readonly always: Int32Array;
  readonly axes: readonly FieldAxis[];
  readonly place: PlacePlanes;
  readonly moratoria: readonly MoratoriumPlane[];
}

/** Rows of places begin at 0: a row a cell. */
export interface PlacePlanes {
  readonly cellByCounty: ReadonlyMap<string, number>;
  readonly states: ReadonlyMap<string, StatePlanes>;
}

export interface MoratoriumPlane {
  readonly carrier: number;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly cells: CellSet;
  readonly cellsOfState: ReadonlyMap<string, CellSet>;
}

interface OutcomeTerm {
  readonly carrier: number;
  readonly term: Term;
  readonly outcome: 'decline' | 'refer';
}

/** Builds the table of compiled programs of one policy type, on their common axes. */
export function buildPlaneTable(
  programs: readonly CompiledProgram[],
  axes: TableAxes,
  layout: RowLayout = layOutRows(programs, axes),
): PlaneTable {
  if (programs.length > CARRIERS_PER_TABLE) throw new RangeError(`At most ${CARRIERS_PER_TABLE} carriers a table.`);
  const { place } = axes;
  const termsOf = programs.map((program, carrier) => statusTerms(program, carrier));
  const terms = termsOf.flat();
  const lanes = shareLanes(termsOf.map((own) => own.filter(({ term }) => term.length > 1).length));
  const planesOf = (outcome: OutcomeTerm['outcome']): readonly Plane<OutcomeTerm>[] =>
    assignPlanes(
      terms
        .filter((each) => each.outcome === outcome && each.term.length > 1)
        .map(
          (each): PlaneTerm<OutcomeTerm> => ({
            carrier: each.carrier,
            axes: each.term.map((part) => axes.numberOf(part.axis, programs[each.carrier]!)),
            term: each,
          }),
        ),
      (carrier) => lanes.ofCarrier[carrier]!,
    );
  const decline = planesOf('decline');
  const refer = planesOf('refer');
  const planes = [...decline, ...refer];
  const width = FRONT + 2 * planes.length;

  const { states, axes: fieldAxes, rowCount, eachRow } = layout;
  const rows = sharedWords(rowCount * width).fill(-1);
  for (let row = 0; row < rowCount; row++) rows.fill(0, row * width, row * width + FRONT);

  const always = new Int32Array(FRONT);
  const setFront = (words: Int32Array, offset: number, { carrier, outcome }: OutcomeTerm) => {
    words[offset + (outcome === 'decline' ? 0 : 2) + (carrier >> 5)]! |= 1 << (carrier & 31);
  };
  const clear = (row: number, plane: number, lane: number) => {
    rows[row * width + FRONT + 2 * plane + (lane >> 5)]! &= ~(1 << (lane & 31));
  };
  for (const each of terms) {
    const program = programs[each.carrier]!;
    if (each.term.length === 0) setFront(always, 0, each);
    else if (each.term.length === 1) {
      eachRow(each.term[0]!, program, (row, passes) => {
        if (passes) setFront(rows, row * width, each);
      });
    }
  }
  const present = new Int32Array(2 * planes.length);
  const planeStart = new Int32Array(planes.length + 1);
  planes.forEach((plane, index) => {
    planeStart[index + 1] = planeStart[index]! + plane.axes.length;
    for (const { term: each, lane } of plane.terms) {
      present[2 * index + (lane >> 5)]! |= 1 << (lane & 31);
      for (const part of each.term) {
        eachRow(part, programs[each.carrier]!, (row, passes) => {
          if (!passes) clear(row, index, lane);
        });
      }
    }
  });
  for (const axis of fieldAxes) accumulate(axis, rows, width);
  return {
    policyType: programs[0]?.policyType ?? '',
    effectiveYear: programs[0]?.effectiveYear ?? 0,
    carrierCount: programs.length,
    width,
    declinePlanes: decline.length,
    referPlanes: refer.length,
    rows,
    present,
    planeStart,
    planeAxes: Int32Array.from(planes.flatMap((plane) => plane.axes)),
    folds: lanes.folds,
    always,
    axes: fieldAxes,
    place: { cellByCounty: cellsByCounty(place), states },
    moratoria: programs.flatMap((program, carrier) =>
      program.moratoria.map(({ moratorium, cells }) => ({
        carrier,
        fromMs: moratorium.fromMs,
        untilMs: moratorium.untilMs,
        cells: axes.translate(PLACE, cells, program),
        cellsOfState: new Map(axes.states.map((state) => [state, place.cellsOfState(state)])),
      })),
    ),
  };
}

/** The terms that decide a program's status. */
function statusTerms(program: CompiledProgram, carrier: number): OutcomeTerm[] {
  const { declining, referring } = statusTermsOf(program);
  return [
    ...declining.map((term) => ({ carrier, term, outcome: 'decline' as const })),
    ...referring.map((term) => ({ carrier, term, outcome: 'refer' as const })),
  ];
}

function cellsByCounty(place: PlaceAxis): ReadonlyMap<string, number> {
  const cells = new Map<string, number>();
  place.samples.forEach(({ county }, cell) => {
    if (place.namedCounties.has(county)) cells.set(county, cell);
  });
  return cells;
}
