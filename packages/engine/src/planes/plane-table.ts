import { type CellSet, has, intersects, isWithinSet } from '../compiled/cell-set.ts';
import { type CompiledProgram, PLACE } from '../compiled/compile-program.ts';
import type { PlaceAxis } from '../compiled/place-axis.ts';
import { isInside, type Term } from '../compiled/term.ts';
import { coversState } from '../rule-set/places.ts';
import { assignPlanes, type Plane, type PlaneTerm } from './assign-planes.ts';
import { type Encoder, encoderOf } from './encoder.ts';
import type { TableAxes } from './table-axes.ts';

/** Carriers a table: one bit each of two 32-bit words. */
export const CARRIERS_PER_TABLE = 64;
/** Words before the planes of a row: what terms of this axis alone decide (decline, refer; low, high). */
export const FRONT = 4;

/**
 * The rules of up to 64 carriers for one policy type, as bit planes. Bit c is carrier c; plane k holds one
 * term of each carrier. A row is a cell of an axis: the terms it lets through. Plain data: typed arrays and
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
  /** Terms that always hold: decline low, high, refer low, high. */
  readonly always: Int32Array;
  readonly axes: readonly FieldAxis[];
  readonly place: PlacePlanes;
  readonly moratoria: readonly MoratoriumPlane[];
}

export interface FieldAxis {
  /** Place in the vocabulary's fields, or -1 for a test of its own. */
  readonly field: number;
  /** First row: unknown (possible); then unknown (definite), then cells. */
  readonly firstRow: number;
  readonly size: number;
  readonly encoder: Encoder;
  /**
   * First of two rows a cell for "this cell or any above" (possible, definite), and likewise below: what
   * relations leave of a field nobody gave. -1 where no relation bounds the field.
   */
  readonly fromRow: number;
  readonly upToRow: number;
}

/** Rows of places begin at 0: a row a cell. */
export interface PlacePlanes {
  readonly cellByCounty: ReadonlyMap<string, number>;
  readonly states: ReadonlyMap<string, StatePlanes>;
}

export interface StatePlanes {
  /** Carriers that offer the policy type in the state. */
  readonly offeredLow: number;
  readonly offeredHigh: number;
  /** Cell of counties that no rule names; -1 where there are none. */
  readonly otherCell: number;
  /** Row of an unknown county: what some county lets through, and (the next row) what every county does. */
  readonly unknownRow: number;
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
export function buildPlaneTable(programs: readonly CompiledProgram[], axes: TableAxes): PlaneTable {
  if (programs.length > CARRIERS_PER_TABLE) throw new RangeError(`At most ${CARRIERS_PER_TABLE} carriers a table.`);
  const { place } = axes;
  const terms = programs.flatMap((program, carrier) => statusTerms(program, carrier));
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
    );
  const decline = planesOf('decline');
  const refer = planesOf('refer');
  const planes = [...decline, ...refer];
  const width = FRONT + 2 * planes.length;

  // Row numbers: the place first, then every field.
  let next = place.size;
  const states = new Map<string, StatePlanes>();
  for (const state of axes.states) {
    const offered = [0, 0];
    programs.forEach((program, carrier) => {
      if (program.programs.some((each) => coversState(each.places, state)))
        offered[carrier >> 5]! |= 1 << (carrier & 31);
    });
    states.set(state, {
      offeredLow: offered[0]!,
      offeredHigh: offered[1]!,
      otherCell: place.cellOf(state, ''),
      unknownRow: next,
    });
    next += 2;
  }
  const fieldAxes: FieldAxis[] = [];
  const relations = programs[0]?.vocabulary.relations ?? [];
  for (const { axis, field, test } of axes.fields) {
    const { size, name } = axis;
    const firstRow = next;
    next += size + 2;
    const rowsFor = (isBounded: boolean) => {
      if (!isBounded) return -1;
      next += 2 * size;
      return next - 2 * size;
    };
    fieldAxes.push({
      field,
      firstRow,
      size,
      encoder: test ? { kind: 'test', leaf: test } : encoderOf(axis),
      fromRow: rowsFor(relations.some((relation) => relation.higher === name)),
      upToRow: rowsFor(relations.some((relation) => relation.lower === name)),
    });
  }
  const shared = new SharedArrayBufferOrArrayBuffer(next * width * 4);
  const rows = new Int32Array(shared).fill(-1);
  for (let row = 0; row < next; row++) rows.fill(0, row * width, row * width + FRONT);

  const always = new Int32Array(FRONT);
  const setFront = (words: Int32Array, offset: number, { carrier, outcome }: OutcomeTerm) => {
    words[offset + (outcome === 'decline' ? 0 : 2) + (carrier >> 5)]! |= 1 << (carrier & 31);
  };
  const clear = (row: number, plane: number, carrier: number) => {
    rows[row * width + FRONT + 2 * plane + (carrier >> 5)]! &= ~(1 << (carrier & 31));
  };
  /** Calls back with every row of an axis and whether the part lets it through. */
  const eachRow = (part: Term[number], program: CompiledProgram, visit: (row: number, passes: boolean) => void) => {
    const number = axes.numberOf(part.axis, program);
    const passing = axes.translate(part.axis, part.cells, program);
    const { size } = number === 0 ? place : axes.fields[number - 1]!.axis;
    let firstCellRow = 0;
    if (number === 0) {
      for (const [state, { unknownRow }] of states) {
        const here = place.cellsOfState(state);
        visit(unknownRow, intersects(here, passing));
        visit(unknownRow + 1, isWithinSet(here, passing));
      }
    } else {
      const { firstRow } = fieldAxes[number - 1]!;
      firstCellRow = firstRow + 2;
      visit(firstRow, true);
      visit(firstRow + 1, false);
    }
    for (let cell = 0; cell < size; cell++) visit(firstCellRow + cell, has(passing, cell));
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
    for (const { term: each } of plane.terms) {
      present[2 * index + (each.carrier >> 5)]! |= 1 << (each.carrier & 31);
      for (const part of each.term) {
        eachRow(part, programs[each.carrier]!, (row, passes) => {
          if (!passes) clear(row, index, each.carrier);
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

/** Shared between threads where the host lets it be; a page that is not isolated has no shared memory. */
const SharedArrayBufferOrArrayBuffer: new (bytes: number) => SharedArrayBuffer | ArrayBuffer =
  typeof SharedArrayBuffer === 'undefined' ? ArrayBuffer : SharedArrayBuffer;

/**
 * The terms that decide a program's status. A place that is the whole of where the carrier writes needs no
 * test, since elsewhere it is declined or not offered anyway; a term inside another with an outcome no
 * worse decides nothing.
 */
function statusTerms(program: CompiledProgram, carrier: number): OutcomeTerm[] {
  const covered = program.place.full.map((word, index) => word & ~program.territory[index]!);
  const relaxed = (term: Term): Term =>
    term[0]?.axis === PLACE && isWithinSet(covered, term[0].cells) ? term.slice(1) : term;
  const of = (outcome: OutcomeTerm['outcome']) =>
    program.rules.filter((each) => each.rule.outcome === outcome).flatMap((each) => each.terms.map(relaxed));
  const decline: Term[] = keepWidest(of('decline'), []);
  const refer = keepWidest(of('refer'), decline);
  if (program.territory.some((word) => word !== 0))
    decline.push([{ axis: PLACE, cells: program.territory, leaves: [] }]);
  return [
    ...decline.map((term) => ({ carrier, term, outcome: 'decline' as const })),
    ...refer.map((term) => ({ carrier, term, outcome: 'refer' as const })),
  ];
}

function keepWidest(terms: readonly Term[], worse: readonly Term[]): Term[] {
  const kept: Term[] = [];
  for (const term of [...terms].sort((a, b) => a.length - b.length)) {
    if (![...worse, ...kept].some((other) => isInside(term, other))) kept.push(term);
  }
  return kept;
}

/** Fills the rows of "this cell or any above" and "this cell or any below". */
function accumulate({ firstRow, size, fromRow, upToRow }: FieldAxis, rows: Int32Array, width: number): void {
  const fill = (base: number, cell: number, previous: number | undefined) => {
    if (base < 0) return;
    for (let word = 0; word < width; word++) {
      const bits = rows[(firstRow + 2 + cell) * width + word]!;
      const before = previous === undefined ? undefined : (base + 2 * previous) * width + word;
      rows[(base + 2 * cell) * width + word] = before === undefined ? bits : bits | rows[before]!;
      rows[(base + 2 * cell + 1) * width + word] = before === undefined ? bits : bits & rows[before + width]!;
    }
  };
  for (let cell = 0; cell < size; cell++) fill(upToRow, cell, cell === 0 ? undefined : cell - 1);
  for (let cell = size - 1; cell >= 0; cell--) fill(fromRow, cell, cell === size - 1 ? undefined : cell + 1);
}

function cellsByCounty(place: PlaceAxis): ReadonlyMap<string, number> {
  const cells = new Map<string, number>();
  place.samples.forEach(({ county }, cell) => {
    if (place.namedCounties.has(county)) cells.set(county, cell);
  });
  return cells;
}
