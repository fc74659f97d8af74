// The rows of a group of lanes, laid out for evaluation. An axis has a column for each word of its rows that some outcome needs. A column
// has a pair of words for each cell, and for sets of cells: the lanes that are possible (OR), and those that are certain (AND).
import { Group, half, header, ImageAxis, image, inputAt, record, State, word } from './image';
import { allocate } from './memory';

/** Homes evaluated at a time: their cells and outcomes stay in the cache. */
export const BLOCK: u32 = 256;
/** Sets of cells that an axis keeps: a power of two. */
const MIN_SLOTS: u32 = 64;
const MAX_SLOTS: u32 = 256;
/** Maximum number of whole numbers whose cells are tabulated. */
const MAX_DIRECT: f64 = 4096;

@unmanaged export class Axis {
  /** -1 for the place. */
  input: i32;
  isInteger: u32;
  cells: u32;
  /** First row of an unknown value (for the place one a state), and of other sets of cells, which are joined when a home needs them. */
  unknown: u32; slots: u32;
  columns: usize; columnCount: u32; columnBytes: u32;
  bounds: usize;
  /** Cells of the whole numbers from `directMin` on, or 0. */
  direct: usize; directMin: f64; directMax: f64;
  /** By slot, the set that it holds. */
  keys: usize; slotCount: u32; used: u32;
}

@unmanaged export class Plan {
  group: Group;
  axes: usize; axisCount: u32;
  /** For each outcome: the number of columns that decide alone, these columns, the number of planes, and their columns. */
  steps: usize;
  /** Target of the first lane if the others follow, else -1. */
  target: i32;
}

// @ts-ignore: decorator
@inline export function axisOf(plan: Plan, index: u32): Axis {
  return changetype<Axis>(plan.axes + index * offsetof<Axis>());
}

/** Lays out a group. Returns null if memory is short. */
export function createPlan(group: Group): Plan | null {
  const width = 2 + group.planeCount;
  const axisCount = group.axisCount + 1;
  const planeAxes = word(group.planeStarts, group.planeCount);
  if (<u64>axisCount * width > 1 << 22 || planeAxes > 1 << 26) return null;
  const at = allocate(offsetof<Plan>() + axisCount * offsetof<Axis>());
  const steps = allocate(4 * (4 + 4 * axisCount + group.planeCount + 2 * planeAxes));
  /** By axis and word: 1 if a plane reads it, then the address of its column. */
  const columns = allocate(4 * axisCount * width);
  if (at == 0 || steps == 0 || columns == 0) return null;
  memory.fill(columns, 0, 4 * axisCount * width);
  const plan = changetype<Plan>(at);
  plan.group = group;
  plan.axes = at + offsetof<Plan>();
  plan.axisCount = axisCount;
  plan.steps = steps;
  plan.target = group.lanes > 0 ? half(group.targets, 0) : 0;
  for (let lane: u32 = 1; lane < group.lanes; lane++)
    if (half(group.targets, lane) != half(group.targets, lane - 1) + 1) plan.target = -1;
  for (let plane: u32 = 0; plane < group.planeCount; plane++)
    for (let each = word(group.planeStarts, plane); each < word(group.planeStarts, plane + 1); each++)
      store<u32>(columns + 4 * (half(group.planeAxes, each) * width + 2 + plane), 1);
  for (let index: u32 = 0; index < axisCount; index++)
    if (!layOut(plan, index, columns + 4 * index * width, width)) return null;
  writeSteps(plan, columns, width);
  return plan;
}

function writeSteps(plan: Plan, columns: usize, width: u32): void {
  const group = plan.group;
  let at = plan.steps;
  for (let outcome: u32 = 0; outcome < 2; outcome++) {
    const count = at;
    at += 4;
    for (let index: u32 = 0; index < plan.axisCount; index++) {
      const column = load<u32>(columns + 4 * (index * width + outcome));
      if (column != 0) at = writeStep(at, index, column);
    }
    store<u32>(count, (at - count) >> 3);
    const from: u32 = outcome == 0 ? 0 : group.decliningPlanes;
    const to = outcome == 0 ? group.decliningPlanes : group.planeCount;
    store<u32>(at, to - from);
    at += 4;
    for (let plane = from; plane < to; plane++) {
      const first = word(group.planeStarts, plane);
      const end = word(group.planeStarts, plane + 1);
      store<u32>(at, end - first);
      at += 4;
      for (let each = first; each < end; each++) {
        const index = half(group.planeAxes, each);
        at = writeStep(at, index, load<u32>(columns + 4 * (index * width + 2 + plane)));
      }
    }
  }
}

function writeStep(at: usize, axis: u32, column: u32): usize {
  store<u32>(at, axis * 4 * BLOCK);
  store<u32>(at, column, 4);
  return at + 8;
}

/** Lays out an axis and replaces the marks in `columns` by addresses. */
function layOut(plan: Plan, index: u32, columns: usize, width: u32): bool {
  const group = plan.group;
  const axis = axisOf(plan, index);
  const source = record<ImageAxis>(group.axes, index - 1, 32);
  const isPlace = index == 0;
  const isNumber = !isPlace && source.kind == 0;
  const cells = isPlace ? group.placeCells : source.cells;
  let rows = cells + (isPlace ? header.stateCount : 1);
  axis.input = isPlace ? -1 : source.input;
  axis.cells = cells;
  axis.unknown = cells;
  axis.slots = rows;
  axis.slotCount = MIN_SLOTS;
  while (axis.slotCount < 2 * cells && axis.slotCount < MAX_SLOTS) axis.slotCount *= 2;
  axis.used = 0;
  if (isPlace || (isNumber && cells > 2)) rows += axis.slotCount;
  axis.keys = allocate(4 * axis.slotCount);
  const firstRow = image + group.rows + 8 * width * (isPlace ? 0 : source.firstRow);
  let count: u32 = 0;
  for (let each: u32 = 0; each < width; each++) {
    const mark = columns + 4 * each;
    for (let cell: u32 = 0; cell < cells && each < 2; cell++)
      if (load<u64>(firstRow + 8 * (width * cell + each)) != 0) store<u32>(mark, 1);
    count += load<u32>(mark);
  }
  const bytes = 16 * <u64>rows * count;
  axis.columns = bytes < 1 << 30 ? allocate(<u32>bytes) : 0;
  axis.columnBytes = 16 * rows;
  axis.columnCount = count;
  if (axis.columns == 0 || axis.keys == 0) return false;
  if (count == 0) return true;
  memory.fill(axis.columns, 0, <u32>bytes);
  memory.fill(axis.keys, 0, 4 * axis.slotCount);
  let column = axis.columns;
  for (let each: u32 = 0; each < width; each++) {
    if (load<u32>(columns + 4 * each) == 0) continue;
    store<u32>(columns + 4 * each, column);
    for (let cell: u32 = 0; cell < cells; cell++)
      v128.store(column + 16 * cell, v128.load64_splat(firstRow + 8 * (width * cell + each)));
    column += axis.columnBytes;
  }
  if (isPlace) {
    for (let state: u32 = 0; state < header.stateCount; state++) {
      const here = record<State>(group.states, state, 32);
      for (let each: u32 = 0; each < here.count; each++) join(axis, cells + state, half(here.cells, each), each == 0);
    }
    return true;
  }
  for (let cell: u32 = 0; cell < cells; cell++) join(axis, axis.unknown, cell, cell == 0);
  return !isNumber || layOutNumbers(axis, source);
}

function layOutNumbers(axis: Axis, source: ImageAxis): bool {
  const cells = axis.cells;
  axis.bounds = image + source.bounds;
  axis.direct = 0;
  axis.isInteger = inputAt(source.input).integer;
  if (cells == 1 || !axis.isInteger) return true;
  axis.directMin = Math.floor(load<f64>(axis.bounds + 8)) - 1;
  axis.directMax = Math.floor(load<f64>(axis.bounds + 8 * (cells - 1))) + 1;
  if (!(axis.directMax - axis.directMin < MAX_DIRECT)) return true;
  const count = <u32>(axis.directMax - axis.directMin) + 1;
  const direct = allocate(2 * count);
  if (direct == 0) return false;
  for (let each: u32 = 0; each < count; each++) store<u16>(direct + 2 * each, searchCell(axis, axis.directMin + each));
  axis.direct = direct;
  return true;
}

/** Adds a row to a set of cells; `isFirst` replaces the set. */
function join(axis: Axis, to: u32, row: u32, isFirst: bool): void {
  let column = axis.columns;
  for (let each: u32 = 0; each < axis.columnCount; each++, column += axis.columnBytes) {
    const added = v128.load(column + 16 * row);
    const before = v128.load(column + 16 * to);
    const both = v128.bitselect(v128.or(before, added), v128.and(before, added), i64x2(-1, 0));
    v128.store(column + 16 * to, isFirst ? added : both);
  }
}

/** The last cell whose bound is not above a number, without branches. */
function searchCell(axis: Axis, value: f64): u32 {
  let at = axis.bounds;
  let length = axis.cells;
  while (length > 1) {
    const step = length >> 1;
    at = select<usize>(at + 8 * step, at, load<f64>(at + 8 * step) <= value);
    length -= step;
  }
  return <u32>(at - axis.bounds) >> 3;
}

// @ts-ignore: decorator
@inline export function cellOf(axis: Axis, value: f64): u32 {
  if (axis.direct != 0) {
    const clamped = Math.min(Math.max(value, axis.directMin), axis.directMax) - axis.directMin;
    const whole = <u32>clamped;
    if (<f64>whole == clamped) return load<u16>(axis.direct + 2 * whole);
  }
  return searchCell(axis, value);
}

/** The row of the numbers from `low` to `high`. Returns -1 if the axis has no free slot: then the block ends before this home. */
export function rowOfRange(axis: Axis, low: f64, high: f64): i32 {
  const from = axis.isInteger ? Math.ceil(low) : low;
  const to = axis.isInteger ? Math.floor(high) : high;
  if (!(from <= to)) return axis.unknown;
  const first = cellOf(axis, from);
  const last = cellOf(axis, to);
  if (first == last) return first;
  if (first == 0 && last == axis.cells - 1) return axis.unknown;
  const row = rowOfKey(axis, (first << 16) | last);
  if (row < 0 || !isNew) return row;
  for (let cell = first; cell <= last; cell++) join(axis, row, cell, cell == first);
  return row;
}

/**
 * The row of a county's name that several counties of a state share. Returns -1 as `rowOfRange` does.
 *
 * @param counties Address of their number and their FIPS codes.
 */
export function rowOfCounties(plan: Plan, state: u32, entry: u32, counties: usize): i32 {
  const axis = axisOf(plan, 0);
  const row = rowOfKey(axis, ((entry << 8) | state) + 1);
  if (row < 0 || !isNew) return row;
  const count = load<u32>(counties);
  for (let each: u32 = 0; each < count; each++) {
    const cell = cellOfCounty(record<State>(plan.group.states, state, 32), load<u32>(counties + 4 * each, 4));
    join(axis, row, cell < 0 ? axis.unknown + state : cell, each == 0);
  }
  return row;
}

// @ts-ignore: decorator
@inline export function cellOfCounty(state: State, fips: u32): i32 {
  const named = state.byCounty == 0 ? 0 : half(state.byCounty, fips % 1000);
  return named > 0 ? <i32>named - 1 : state.otherCell;
}

/** True if the last set of cells has no row yet: the caller joins it. */
let isNew = false;

/** The row of a set of cells. Returns -1 if the axis has too few free slots. */
function rowOfKey(axis: Axis, key: u32): i32 {
  let slot = (key ^ (key >> 13)) & (axis.slotCount - 1);
  for (;;) {
    const current = load<u32>(axis.keys + 4 * slot);
    isNew = current == 0;
    if (current == key) return axis.slots + slot;
    if (isNew) break;
    slot = (slot + 1) & (axis.slotCount - 1);
  }
  if (axis.used * 4 == axis.slotCount * 3) return -1;
  store<u32>(axis.keys + 4 * slot, key);
  axis.used++;
  return axis.slots + slot;
}

/** Before a block: frees the slots if few are left, or all of them. */
export function freeSlots(axis: Axis, all: bool): void {
  if (axis.used == 0 || (!all && axis.used * 2 <= axis.slotCount)) return;
  memory.fill(axis.keys, 0, 4 * axis.slotCount);
  axis.used = 0;
}
