// Evaluates batches of homes: sorts them by interval and policy type, finds the cells of a block of homes axis by axis, then ANDs and ORs
// the columns of all planes. Lanes are bits, so a step answers up to 64 lanes; each v128 holds the possible and the certain lanes.
import { Group, half, header, image, Input, inputAt, Interval, record, State, Type, word } from './image';
import { allocate, mark, release } from './memory';
import { FIRST_YEAR } from './normalize';
import {
  Axis, axisOf, BLOCK, cellOf, cellOfCounty, createPlan, freeSlots, Plan, rowOfCounties, rowOfRange,
} from './plan';

@unmanaged class Batch {
  rows: u32; types: usize; states: usize; counties: usize; intervals: usize; inputs: usize; out: usize; stride: u32;
  /** Ambiguous counties instead of those of the image, if there are any: addresses of the number of counties and their FIPS codes. */
  ambiguousCount: u32; ambiguous: usize;
  /** Counts reasons instead of writing them, if `counts` is not 0: see `countReasons`. */
  numbers: usize; carriers: usize; codes: usize; counts: usize;
}

const NO_MEMORY = 3;
const NOT_IN_STATE = -1;
const INELIGIBLE = 4;

/** By interval and type: the address of the plans of its groups. */
let plans: usize = 0;
/** By input: its number among those in relations, or -1. */
let related: usize = 0;
let relatedCount: u32 = 0;

/** Lays out all groups of statuses. Intervals share the plans of equal groups. */
export function createPlans(): bool {
  const lists = header.intervalCount * header.typeCount;
  plans = allocate(4 * lists);
  related = allocate(4 * header.inputCount);
  if (plans == 0 || related == 0) return false;
  memory.fill(related, 0xff, 4 * header.inputCount);
  relatedCount = 0;
  for (let each: u32 = 0; each < 2 * header.relationCount; each++) {
    const at = related + 4 * word(header.relations, each);
    if (load<i32>(at) < 0) store<i32>(at, relatedCount++);
  }
  for (let list: u32 = 0; list < lists; list++) {
    const type = typeAt(list);
    const own = allocate(4 * type.groupCount);
    if (own == 0) return false;
    store<u32>(plans + 4 * list, own);
    for (let each: u32 = 0; each < type.groupCount; each++) {
      const group = record<Group>(word(type.groups, each), 0, 0);
      let plan = findPlan(group, list);
      if (plan === null) plan = createPlan(group);
      if (plan === null) return false;
      store<u32>(own + 4 * each, changetype<usize>(plan));
    }
  }
  return true;
}

function typeAt(list: u32): Type {
  return record<Type>(record<Interval>(header.intervals, list / header.typeCount, 16).types, list % header.typeCount, 32);
}

function findPlan(group: Group, lists: u32): Plan | null {
  for (let list: u32 = 0; list < lists; list++) {
    for (let each: u32 = 0; each < typeAt(list).groupCount; each++) {
      const plan = changetype<Plan>(load<u32>(load<u32>(plans + 4 * list) + 4 * each));
      if (plan.group == group) return plan;
    }
  }
  return null;
}

// Buffers of the current batch.
let batch: Batch = changetype<Batch>(0);
/** By input: its column and its upper ends. An input without a column has those of its base. */
let columns: usize = 0;
/** By axis of a group and home of the block: byte offset in a column. */
let offsets: usize = 0;
let declines: usize = 0;
let refers: usize = 0;
let parts: usize = 0;
/** By input in relations and row of the current interval and type: the ends of its range. Each input has `boundRows` numbers. */
let lows: usize = 0;
let highs: usize = 0;
let boundRows: u32 = 0;

/** @returns 0, or 3 if memory is short. */
export function evaluate(at: usize): i32 {
  return run(changetype<Batch>(at), -1);
}

/** Answers the reasons of one interval and type: 0 cannot hold, 1 may hold, 2 holds. Rows of others are left unchanged. */
export function explain(at: usize, interval: u32, type: u32): i32 {
  if (interval >= header.intervalCount || type >= header.typeCount) return 0;
  return run(changetype<Batch>(at), interval * header.typeCount + type);
}

function run(current: Batch, only: i32): i32 {
  batch = current;
  const before = mark();
  const lists = header.intervalCount * header.typeCount;
  const ends = allocate(4 * (lists + 1));
  const order = allocate(4 * batch.rows);
  columns = allocate(8 * header.inputCount);
  declines = allocate(3 * 16 * BLOCK);
  refers = declines + 16 * BLOCK;
  parts = refers + 16 * BLOCK;
  let result = ends == 0 || order == 0 || columns == 0 || declines == 0 ? NO_MEMORY : 0;
  if (result == 0) {
    setColumns();
    sortRows(ends, order);
    for (let list: u32 = 0; list < lists && result == 0; list++) {
      const from: u32 = list == 0 ? 0 : load<u32>(ends + 4 * (list - 1));
      const to = load<u32>(ends + 4 * list);
      if (from == to || (only >= 0 && list != only)) continue;
      if (only >= 0)
        for (let each = from; each < to; each++)
          memory.fill(batch.out + batch.stride * load<u32>(order + 4 * each), 0, batch.stride);
      const beforeList = mark();
      if (!boundByRelations(order + 4 * from, to - from, list / header.typeCount)) result = NO_MEMORY;
      const type = typeAt(list);
      const count = only < 0 ? type.groupCount : type.reasonGroupCount;
      for (let each: u32 = 0; each < count && result == 0; each++) {
        const start = mark();
        // The plans of reasons are large and rarely needed: they are laid out for one call.
        const plan = only < 0
          ? changetype<Plan>(load<u32>(load<u32>(plans + 4 * list) + 4 * each))
          : createPlan(record<Group>(word(type.reasonGroups, each), 0, 0));
        offsets = plan === null ? 0 : allocate(4 * BLOCK * plan.axisCount);
        if (offsets == 0) result = NO_MEMORY;
        else evaluateRows(plan!, order + 4 * from, to - from, only >= 0);
        release(start);
      }
      release(beforeList);
    }
  }
  release(before);
  return result;
}

function setColumns(): void {
  for (let index: u32 = 0; index < header.inputCount; index++) {
    const base = inputAt(index).base;
    const isOwn = base < 0 || load<u32>(batch.inputs + 16 * index) != 0;
    store<u64>(columns + 8 * index, load<u64>(batch.inputs + 16 * (isOwn ? index : base)));
  }
}

/** Orders rows by interval and type; `ends` gets the end of each. */
function sortRows(ends: usize, order: usize): void {
  const lists = header.intervalCount * header.typeCount;
  memory.fill(ends, 0, 4 * (lists + 1));
  for (let row: u32 = 0; row < batch.rows; row++) {
    const list = listOf(row);
    if (list >= 0) store<u32>(ends + 4 * list, load<u32>(ends + 4 * list) + 1);
  }
  let sum: u32 = 0;
  for (let list: u32 = 0; list < lists; list++) {
    const count = load<u32>(ends + 4 * list);
    store<u32>(ends + 4 * list, sum);
    sum += count;
  }
  for (let row: u32 = 0; row < batch.rows; row++) {
    const list = listOf(row);
    if (list < 0) continue;
    const at = load<u32>(ends + 4 * list);
    store<u32>(order + 4 * at, row);
    store<u32>(ends + 4 * list, at + 1);
  }
}

// @ts-ignore: decorator
@inline function listOf(row: u32): i32 {
  const type = load<u8>(batch.types + row);
  const interval = load<u16>(batch.intervals + 2 * row);
  const isSkipped = type >= header.typeCount || interval >= header.intervalCount || load<u8>(batch.states + row) >= header.stateCount;
  return isSkipped ? -1 : interval * header.typeCount + type;
}

function evaluateRows(plan: Plan, order: usize, rows: u32, isReasons: bool): void {
  // Each batch may have other ambiguous counties.
  freeSlots(axisOf(plan, 0), true);
  for (let row: u32 = 0; row < rows; ) {
    const homes = order + 4 * row;
    let count = min(BLOCK, rows - row);
    for (let index: u32 = 0; index < plan.axisCount; index++)
      if (axisOf(plan, index).columnCount > 0) count = findRows(plan, index, homes, row, count);
    const second = findOutcome(plan, plan.steps, count, plan.group.alwaysDecline, declines);
    if (!isReasons) findOutcome(plan, second, count, plan.group.alwaysRefer, refers);
    for (let index: u32 = 0; index < count; index++) write(plan, load<u32>(homes + 4 * index), index, isReasons);
    row += count;
  }
}

/** Finds the rows of an axis. Returns the number of homes, which is less if the axis has too few free slots for their sets of cells. */
function findRows(plan: Plan, index: u32, homes: usize, row: u32, count: u32): u32 {
  const axis = axisOf(plan, index);
  const into = offsets + 4 * BLOCK * index;
  freeSlots(axis, false);
  if (axis.input < 0) return findPlaces(plan, axis, homes, count, into);
  const values = load<u32>(columns + 8 * axis.input);
  if (inputAt(axis.input).kind == 1) {
    for (let home: u32 = 0; home < count; home++) {
      const code = codeOf(axis.input, load<u32>(homes + 4 * home));
      store<u32>(into + 4 * home, (code - 1 < axis.cells ? code - 1 : axis.unknown) << 4);
    }
    return count;
  }
  const number = load<i32>(related + 4 * axis.input);
  const at = 8 * (boundRows * number + row);
  if (number >= 0) return findNumbers(axis, lows + at, highs + at, 0, count, into);
  if (values != 0) return findNumbers(axis, values, load<u32>(columns + 8 * axis.input, 4), homes, count, into);
  for (let home: u32 = 0; home < count; home++) store<u32>(into + 4 * home, axis.unknown << 4);
  return count;
}

function findPlaces(plan: Plan, axis: Axis, homes: usize, count: u32, into: usize): u32 {
  for (let home: u32 = 0; home < count; home++) {
    const row = load<u32>(homes + 4 * home);
    const state = load<u8>(batch.states + row);
    const county = load<i32>(batch.counties + 4 * row);
    let place = -1;
    if (county > 0) place = cellOfCounty(record<State>(plan.group.states, state, 32), county);
    else if (county < NOT_IN_STATE) {
      const entry: u32 = -2 - county;
      const isOwn = batch.ambiguousCount > 0;
      const entries = isOwn ? batch.ambiguousCount : header.ambiguousCount;
      if (entry < entries) {
        place = rowOfCounties(plan, state, entry, isOwn ? load<u32>(batch.ambiguous + 4 * entry) : image + word(header.ambiguous, entry));
        if (place < 0) return home;
      }
    }
    store<u32>(into + 4 * home, (place < 0 ? axis.unknown + state : place) << 4);
  }
  return count;
}

/** @param homes Row numbers, or 0 if the values are in the order of the block. */
function findNumbers(axis: Axis, low: usize, high: usize, homes: usize, count: u32, into: usize): u32 {
  for (let home: u32 = 0; home < count; home++) {
    const row = homes == 0 ? home : load<u32>(homes + 4 * home);
    const value = load<f64>(low + 8 * row);
    let cell: i32 = axis.unknown;
    if (value == value) {
      const end = high == 0 ? value : load<f64>(high + 8 * row);
      cell = end == value ? cellOf(axis, value) : rowOfRange(axis, value, end);
      if (cell < 0) return home;
    }
    store<u32>(into + 4 * home, cell << 4);
  }
  return count;
}

/** The code of a word, or its fallback. */
function codeOf(input: u32, row: u32): u32 {
  const values = load<u32>(columns + 8 * input);
  const code = values == 0 ? 0 : load<u16>(values + 2 * row);
  if (code != 0) return code;
  const own = inputAt(input);
  return own.fallback != 0 && (own.onlyIf < 0 || codeOf(own.onlyIf, row) == <u32>own.hasCode) ? own.fallback : 0;
}

/** As `boundByRelations` of the engine: a number bounds an unknown one that may not be lower, or higher. False if memory is short. */
function boundByRelations(order: usize, rows: u32, interval: u32): bool {
  const year = record<Interval>(header.intervals, interval, 16).year;
  const bytes = 16 * <u64>rows * relatedCount;
  lows = bytes < 1 << 30 ? allocate(<u32>bytes) : 0;
  if (lows == 0) return false;
  highs = lows + 8 * rows * relatedCount;
  boundRows = rows;
  for (let input: u32 = 0; input < header.inputCount; input++) {
    const number = load<i32>(related + 4 * input);
    if (number < 0) continue;
    const values = load<u32>(columns + 8 * input);
    const upper = load<u32>(columns + 8 * input, 4);
    for (let index: u32 = 0; index < rows; index++) {
      const row = load<u32>(order + 4 * index);
      const low = values == 0 ? NaN : load<f64>(values + 8 * row);
      const at = 8 * (rows * number + index);
      store<f64>(lows + at, low);
      store<f64>(highs + at, upper == 0 ? low : load<f64>(upper + 8 * row));
    }
  }
  for (let index: u32 = 0; index < rows; index++)
    // The result of a relation can bound the next.
    for (let pass: u32 = 0; pass < header.relationCount; pass++) if (!boundHome(8 * index, year)) break;
  return true;
}

function boundHome(home: u32, year: i32): bool {
  let isChanged = false;
  for (let relation: u32 = 0; relation < header.relationCount; relation++) {
    const lower = word(header.relations, 2 * relation);
    const higher = word(header.relations, 2 * relation + 1);
    const a = home + 8 * boundRows * load<u32>(related + 4 * lower);
    const b = home + 8 * boundRows * load<u32>(related + 4 * higher);
    let lowMin = load<f64>(lows + a), lowMax = load<f64>(highs + a);
    let highMin = load<f64>(lows + b), highMax = load<f64>(highs + b);
    // Two exact numbers stay unchanged, also if they contradict the relation.
    if (lowMin == lowMax && highMin == highMax) continue;
    if (!(lowMin <= lowMax)) { lowMin = minOf(inputAt(lower)); lowMax = maxOf(inputAt(lower), year); }
    if (!(highMin <= highMax)) { highMin = minOf(inputAt(higher)); highMax = maxOf(inputAt(higher), year); }
    const highest = Math.min(lowMax, highMax);
    const lowest = Math.max(lowMin, highMin);
    if (lowMin > highest || lowest > highMax) continue;
    if (highest < lowMax) { store<f64>(lows + a, lowMin); store<f64>(highs + a, highest); isChanged = true; }
    if (lowest > highMin) { store<f64>(lows + b, lowest); store<f64>(highs + b, highMax); isChanged = true; }
  }
  return isChanged;
}

function minOf(input: Input): f64 {
  return input.form == 0 ? input.min : FIRST_YEAR;
}
function maxOf(input: Input, year: i32): f64 {
  return input.form == 0 ? input.max : year + 1;
}

/** Writes the lanes that have an outcome, for each home of the block. Returns the address of the next outcome's steps. */
function findOutcome(plan: Plan, steps: usize, count: u32, always: u64, into: usize): usize {
  const end: u32 = 16 * count;
  const first = i64x2.splat(always);
  for (let home: u32 = 0; home < end; home += 16) v128.store(into + home, first);
  let at = steps + 4;
  for (let singles = load<u32>(steps); singles > 0; singles--, at += 8) {
    for (let home: u32 = 0; home < end; home += 16)
      v128.store(into + home, v128.or(v128.load(into + home), lanesOf(at, home)));
  }
  const planes = load<u32>(at);
  at += 4;
  for (let plane: u32 = 0; plane < planes; plane++) {
    const axes = load<u32>(at);
    at += 4;
    const next = at + 8 * axes;
    if (axes == 2) {
      for (let home: u32 = 0; home < end; home += 16)
        v128.store(into + home, v128.or(v128.load(into + home), v128.and(lanesOf(at, home), lanesOf(at + 8, home))));
    } else if (axes == 3) {
      for (let home: u32 = 0; home < end; home += 16) {
        const lanes = v128.and(v128.and(lanesOf(at, home), lanesOf(at + 8, home)), lanesOf(at + 16, home));
        v128.store(into + home, v128.or(v128.load(into + home), lanes));
      }
    } else if (axes > 0) {
      for (let home: u32 = 0; home < end; home += 16) {
        let lanes = lanesOf(at, home);
        for (let step = at + 8; step < next; step += 8) lanes = v128.and(lanes, lanesOf(step, home));
        v128.store(into + home, v128.or(v128.load(into + home), lanes));
      }
    }
    at = next;
  }
  for (let fold: u32 = 0; fold < plan.group.foldCount; fold++) {
    const bit = i64x2.splat(<u64>1 << word(plan.group.folds, 4 * fold));
    const spare = v128.load64_splat(image + plan.group.folds + 16 * fold + 8);
    for (let home: u32 = 0; home < end; home += 16) {
      const lanes = v128.load(into + home);
      const isSet = i64x2.ne(v128.and(lanes, spare), i64x2.splat(0));
      v128.store(into + home, v128.or(lanes, v128.and(isSet, bit)));
    }
  }
  return at;
}

// @ts-ignore: decorator
@inline function lanesOf(step: usize, home: u32): v128 {
  return v128.load(load<u32>(step, 4) + load<u32>(offsets + load<u32>(step) + (home >> 2)));
}

/** Writes the answers of a home, a byte for each lane. */
function write(plan: Plan, row: u32, index: u32, isReasons: bool): void {
  // Few reasons hold or may hold.
  if (isReasons && load<u64>(declines + 16 * index) == 0) return;
  const state = record<State>(plan.group.states, load<u8>(batch.states + row), 32);
  const offered = load<i32>(batch.counties + 4 * row) == NOT_IN_STATE ? 0 : state.offered;
  const canDecline = load<u64>(declines + 16 * index) & offered;
  const declined = load<u64>(declines + 16 * index, 8) & offered;
  let ones = canDecline & ~declined, twos = declined, fours: u64 = 0;
  if (!isReasons) {
    const rest = offered & ~canDecline;
    const canRefer = load<u64>(refers + 16 * index) & rest;
    const referred = load<u64>(refers + 16 * index, 8) & rest;
    // 1 eligible, 2 referral, 3 needs information, 4 ineligible.
    ones = offered & ~(declined | referred);
    twos = offered & ~(declined | (rest & ~canRefer));
    fours = declined;
  }
  const out = batch.out + batch.stride * row;
  if (isReasons && batch.counts != 0) return countReasons(plan, row, twos);
  if (isReasons) {
    // `run` has cleared the others.
    for (let left = ones | twos; left != 0; left &= left - 1) {
      const lane = <u32>ctz(left);
      if (lane >= plan.group.lanes) break;
      store<u8>(out + half(plan.group.targets, lane), (twos >> lane) & 1 ? 2 : 1);
    }
    return;
  }
  const lanes = plan.group.lanes;
  const isInOrder = plan.target >= 0;
  let to = isInOrder ? out + plan.target : parts;
  for (let lane: u32 = 0; lane < lanes; lane += 16) {
    const bytes = v128.or(v128.or(spread(ones, lane, 1), spread(twos, lane, 2)), spread(fours, lane, 4));
    if (!isInOrder || lane + 16 <= lanes) v128.store(to + lane, bytes);
    else {
      v128.store(parts, bytes);
      let from = parts;
      to += lane;
      for (let left = lanes - lane; left > 0; ) {
        if (left >= 8) { store<u64>(to, load<u64>(from)); to += 8; from += 8; left -= 8; }
        else if (left >= 4) { store<u32>(to, load<u32>(from)); to += 4; from += 4; left -= 4; }
        else { store<u8>(to++, load<u8>(from++)); left--; }
      }
    }
  }
  if (isInOrder) return;
  for (let lane: u32 = 0; lane < lanes; lane++)
    store<u8>(out + half(plan.group.targets, lane), load<u8>(parts + lane));
}

/**
 * Counts the reasons that hold for a declined home: `numbers` has by reason a number (65535: none), `carriers` by number its carrier,
 * `codes` the statuses of all rows, `counts` the count of each number. Reasons with the same number count once a home.
 */
function countReasons(plan: Plan, row: u32, holding: u64): void {
  for (let left = holding; left != 0; left &= left - 1) {
    const lane = <u32>ctz(left);
    if (lane >= plan.group.lanes) return;
    const number = <u32>load<u16>(batch.numbers + 2 * half(plan.group.targets, lane));
    const counted = batch.out + batch.stride * row + number;
    if (number == 0xffff || load<u8>(counted) != 0) continue;
    store<u8>(counted, 1);
    if (load<u8>(batch.codes + header.carrierCount * row + load<u16>(batch.carriers + 2 * number)) != INELIGIBLE) continue;
    const count = batch.counts + 4 * number;
    store<u32>(count, load<u32>(count) + 1);
  }
}

/** A byte for each of 16 lanes: `value` if its bit is set. */
// @ts-ignore: decorator
@inline function spread(bits: u64, lane: u32, value: u8): v128 {
  const source = i8x16.add(i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1), i8x16.splat(<i8>(lane >> 3)));
  const places = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const own = v128.and(i8x16.swizzle(i64x2.splat(bits), source), places);
  return v128.and(i8x16.eq(own, places), i8x16.splat(<i8>value));
}
