/**
 * Bit-sliced evaluation: the terms of up to 64 lanes are evaluated together, one bit a lane.
 *
 * - A *lane* is a carrier, or a rule in tables of reasons. Lanes behind the last are spare: those with many terms use them too, and are
 *   folded into their first lane at the end.
 * - A *plane* holds at most one term a lane. Terms that test a single axis need no plane.
 * - A *row* belongs to a cell of an axis. Its first two words are the lanes that this cell alone declines and refers; the word of a plane
 *   has a bit set if the lane's term accepts the cell. ANDing the rows of a home's cells gives the outcomes of a plane.
 */

import type { CellSet, Term } from '@leeward/engine/compiled';
import { stateCodes } from '@leeward/places/counties';
import { assignPlanes, type Plane, type PlaneTerm } from './assign-planes.ts';
import { createGroupAxes, type GroupAxes } from './group-axes.ts';
import type { ImageWriter } from './image-writer.ts';
import type { Lane } from './lane.ts';
import { LANES, shareLanes } from './lanes.ts';

/** Bytes of a record of a group, of a state and of an axis. */
const GROUP_BYTES = 96;
const STATE_BYTES = 32;
const AXIS_BYTES = 32;
const FOLD_BYTES = 16;
/** Words of 64 bits before those of the planes. */
const FRONT = 2;

interface OutcomeTerm {
  readonly lane: number;
  readonly term: Term;
  readonly isDecline: boolean;
}

/** Rows of 64-bit words, as pairs of 32 bits: low, high. */
interface Rows {
  readonly words: Uint32Array;
  /** Number of 32-bit words of a row. */
  readonly width: number;
}

/** Writes the tables of up to 64 lanes and returns the offset of their record. */
export function writeGroup(lanes: readonly Lane[], writer: ImageWriter): number {
  if (lanes.length > LANES) throw new RangeError(`A group has at most ${LANES} lanes.`);
  const axes = createGroupAxes(lanes);
  const termsOf = lanes.map(({ declining, referring }, lane): OutcomeTerm[] => [
    ...declining.map((term) => ({ lane, term, isDecline: true })),
    ...referring.map((term) => ({ lane, term, isDecline: false })),
  ]);
  const terms = termsOf.flat();
  const shared = shareLanes(termsOf.map((own) => own.filter(({ term }) => term.length > 1).length));
  const planesOf = (isDecline: boolean): readonly Plane<OutcomeTerm>[] =>
    assignPlanes(
      terms
        .filter((each) => each.isDecline === isDecline && each.term.length > 1)
        .map((each): PlaneTerm<OutcomeTerm> => {
          const numbers = each.term.map(({ axis }) => axes.numberOf(axis, lanes[each.lane]!.space));
          return { carrier: each.lane, axes: [...new Set(numbers)], term: each };
        }),
      (lane) => shared.ofCarrier[lane]!,
    );
  const declining = planesOf(true);
  const planes = [...declining, ...planesOf(false)];
  const rows = fillRows(lanes, terms, planes, axes);
  const merged = mergeCells(axes, rows);

  const view = new DataView(new ArrayBuffer(GROUP_BYTES));
  const put = (at: number, value: number) => view.setUint32(at, value, true);
  const putLanes = (at: number, mask: readonly [number, number]) => {
    put(at, mask[0]);
    put(at + 4, mask[1]);
  };
  put(0, lanes.length);
  put(4, writer.add(Uint16Array.from(lanes, ({ target }) => target)));
  put(8, axes.axes.length);
  put(12, writer.add(axisRecords(axes, merged, writer)));
  put(16, planes.length);
  put(20, declining.length);
  put(24, writer.add(startsOf(planes)));
  put(28, writer.add(Uint16Array.from(planes.flatMap((plane) => plane.axes))));
  put(32, shared.folds.length / 3);
  put(36, writer.add(foldRecords(shared.folds)));
  put(40, merged.sizes[0]!);
  put(44, writer.add(stateRecords(lanes, axes, merged, writer)));
  put(48, writer.add(merged.rows));
  put(52, merged.rows.length / rows.width);
  putLanes(64, alwaysOf(terms, true));
  putLanes(72, alwaysOf(terms, false));
  putLanes(80, maskOf(shared.ofCarrier.flat()));
  return writer.add(new Uint8Array(view.buffer));
}

function maskOf(lanes: readonly number[]): [number, number] {
  const mask: [number, number] = [0, 0];
  for (const lane of lanes) mask[lane >> 5]! |= 1 << (lane & 31);
  return [mask[0] >>> 0, mask[1] >>> 0];
}

function alwaysOf(terms: readonly OutcomeTerm[], isDecline: boolean): [number, number] {
  return maskOf(terms.flatMap((each) => (each.term.length === 0 && each.isDecline === isDecline ? [each.lane] : [])));
}

function sizesOf({ place, axes }: GroupAxes): number[] {
  return [place.size, ...axes.map(({ size }) => size)];
}

function fillRows(
  lanes: readonly Lane[],
  terms: readonly OutcomeTerm[],
  planes: readonly Plane<OutcomeTerm>[],
  axes: GroupAxes,
): Rows {
  const sizes = sizesOf(axes);
  const firstRow = sizes.map((_, axis) => sizes.slice(0, axis).reduce((sum, size) => sum + size, 0));
  const width = 2 * (FRONT + planes.length);
  const words = new Uint32Array(width * sizes.reduce((sum, size) => sum + size, 0));
  /** Sets or clears the bit of a lane in some rows of an axis. */
  const mark = (axis: number, word: number, lane: number, isSet: boolean, cells: Iterable<number>) => {
    const bit = 1 << (lane & 31);
    const from = firstRow[axis]! * width + word + (lane >> 5);
    for (const cell of cells) {
      const at = from + cell * width;
      words[at] = isSet ? words[at]! | bit : words[at]! & ~bit;
    }
  };
  const cellsOfAxis = sizes.map((size) => Array.from({ length: size }, (_, cell) => cell));
  for (const { lane, term, isDecline } of terms) {
    const [part] = term;
    if (term.length !== 1 || !part) continue;
    const owner = lanes[lane]!;
    const axis = axes.numberOf(part.axis, owner.space);
    const refused = new Set(axes.refusedBy(part, owner.space));
    const accepted = cellsOfAxis[axis]!.filter((cell) => !refused.has(cell));
    mark(axis, isDecline ? 0 : 2, lane, true, accepted);
  }
  planes.forEach((plane, index) => {
    const word = 2 * (FRONT + index);
    for (const { term, lane } of plane.terms) {
      for (const axis of plane.axes) mark(axis, word, lane, true, cellsOfAxis[axis]!);
      const { space } = lanes[term.lane]!;
      for (const part of term.term)
        mark(axes.numberOf(part.axis, space), word, lane, false, axes.refusedBy(part, space));
    }
  });
  return { words, width };
}

/** Cells of an axis with equal rows become one. */
interface MergedCells {
  readonly rows: Uint32Array;
  /** By axis: the number of its cells, and by cell before, the cell now. */
  readonly sizes: readonly number[];
  readonly cellOf: readonly Int32Array[];
  readonly firstRow: readonly number[];
}

/** Merges neighbouring cells of numbers, and any cells of the place. Words keep their cells: a code is a cell. */
function mergeCells(axes: GroupAxes, { words, width }: Rows): MergedCells {
  const samples: number[] = [];
  const sizes: number[] = [];
  const cellOf: Int32Array[] = [];
  const firstRow: number[] = [];
  const isSame = (a: number, b: number) => {
    for (let word = 0; word < width; word++) if (words[a * width + word] !== words[b * width + word]) return false;
    return true;
  };
  let first = 0;
  sizesOf(axes).forEach((size, axis) => {
    const cells = new Int32Array(size);
    firstRow.push(samples.length);
    const from = samples.length;
    const isNumber = axis > 0 && axes.axes[axis - 1]!.bounds !== undefined;
    const places: number[] = [];
    for (let cell = 0; cell < size; cell++) {
      const row = first + cell;
      const candidates = isNumber && cell > 0 ? [samples.length - 1] : places;
      let at = candidates.find((each) => isSame(samples[each]!, row));
      if (at === undefined) {
        at = samples.push(row) - 1;
        if (axis === 0) places.push(at);
      }
      cells[cell] = at - from;
    }
    sizes.push(samples.length - from);
    cellOf.push(cells);
    first += size;
  });
  const rows = new Uint32Array(samples.length * width);
  samples.forEach((row, at) => {
    rows.set(words.subarray(row * width, (row + 1) * width), at * width);
  });
  return { rows, sizes, cellOf, firstRow };
}

function startsOf(planes: readonly Plane<OutcomeTerm>[]): Uint32Array {
  const starts = new Uint32Array(planes.length + 1);
  planes.forEach((plane, index) => {
    starts[index + 1] = starts[index]! + plane.axes.length;
  });
  return starts;
}

function foldRecords(folds: Int32Array): Uint32Array {
  const records = new Uint32Array((FOLD_BYTES / 4) * (folds.length / 3));
  for (let fold = 0; fold < folds.length / 3; fold++) {
    records[4 * fold] = folds[3 * fold]!;
    records[4 * fold + 2] = folds[3 * fold + 1]!;
    records[4 * fold + 3] = folds[3 * fold + 2]!;
  }
  return records;
}

function axisRecords({ axes }: GroupAxes, { sizes, cellOf, firstRow }: MergedCells, writer: ImageWriter): Uint8Array {
  const view = new DataView(new ArrayBuffer(AXIS_BYTES * axes.length));
  axes.forEach(({ input, bounds }, index) => {
    const at = AXIS_BYTES * index;
    const size = sizes[index + 1]!;
    view.setInt32(at, input, true);
    view.setUint32(at + 4, bounds ? 0 : 1, true);
    view.setUint32(at + 8, size, true);
    view.setUint32(at + 12, firstRow[index + 1]!, true);
    if (!bounds) return;
    const merged = new Float64Array(size);
    // The first of the merged cells has the lowest bound.
    for (let cell = bounds.length - 1; cell >= 0; cell--) merged[cellOf[index + 1]![cell]!] = bounds[cell]!;
    view.setUint32(at + 16, writer.add(merged), true);
  });
  return new Uint8Array(view.buffer);
}

function stateRecords(
  lanes: readonly Lane[],
  { place }: GroupAxes,
  { cellOf: [merged] }: MergedCells,
  writer: ImageWriter,
): Uint8Array {
  const view = new DataView(new ArrayBuffer(STATE_BYTES * stateCodes.length));
  stateCodes.forEach((code, state) => {
    const at = STATE_BYTES * state;
    const offered = maskOf(lanes.flatMap(({ space }, lane) => (space.states.includes(code) ? [lane] : [])));
    view.setUint32(at, offered[0], true);
    view.setUint32(at + 4, offered[1], true);
    const other = place.cellOf(code, '');
    const otherCell = other < 0 ? -1 : merged![other]!;
    view.setInt32(at + 8, otherCell, true);
    const own = cellsIn(place.cellsOfState(code), place.size).map((cell) => merged![cell]!);
    if (own.length === 0) return;
    const byCounty = new Uint16Array(1000);
    place.samples.forEach(({ state: stateOf, county }, cell) => {
      if (stateOf !== code || !place.namedCounties.has(county) || merged![cell] === otherCell) return;
      byCounty[Number(county.slice(-3))] = merged![cell]! + 1;
    });
    if (byCounty.some((cell) => cell > 0)) view.setUint32(at + 12, writer.add(byCounty), true);
    const distinct = Uint16Array.from(new Set(own));
    view.setUint32(at + 16, writer.add(distinct), true);
    view.setUint32(at + 20, distinct.length, true);
  });
  return new Uint8Array(view.buffer);
}

function cellsIn(cells: CellSet, size: number): number[] {
  return Array.from({ length: size }, (_, cell) => cell).filter(
    (cell) => ((cells[cell >>> 5]! >>> (cell & 31)) & 1) === 1,
  );
}
