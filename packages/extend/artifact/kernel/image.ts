// The table image, as docs/artifact-format.md describes it. All offsets are checked once, before anything else reads them.

@unmanaged export class Header {
  magic: u32; version: u32; length: u32; inputCount: u32; inputs: u32; relationCount: u32; relations: u32;
  stateCount: u32; intervalCount: u32; intervals: u32; typeCount: u32; carrierCount: u32; listCount: u32; lists: u32;
  ambiguousCount: u32; ambiguous: u32; countyList: i32;
}
@unmanaged export class Input {
  kind: u32; form: u32; integer: u32; wordCount: u32; min: f64; max: f64;
  spellings: i32; fallback: i32; onlyIf: i32; hasCode: i32; base: i32;
}
@unmanaged export class Interval { from: i32; until: i32; year: i32; types: u32; }
@unmanaged export class Type { groupCount: u32; groups: u32; reasonGroupCount: u32; reasonGroups: u32; reasonCount: u32; }
@unmanaged export class Group {
  lanes: u32; targets: u32; axisCount: u32; axes: u32; planeCount: u32; decliningPlanes: u32; planeStarts: u32;
  planeAxes: u32; foldCount: u32; folds: u32; placeCells: u32; states: u32; rows: u32; rowCount: u32; pad0: u64;
  alwaysDecline: u64; alwaysRefer: u64; used: u64;
}
@unmanaged export class State { offered: u64; otherCell: i32; byCounty: u32; cells: u32; count: u32; }
@unmanaged export class ImageAxis { input: i32; kind: u32; cells: u32; firstRow: u32; bounds: u32; }
@unmanaged export class List { count: u32; offsets: u32; text: u32; codes: u32; }

/** Maximum length of a chain of fallbacks that depend on each other. */
const MAX_CONDITIONS: u32 = 64;

export let image: usize = 0;
let size: u64 = 0;
export let header: Header = changetype<Header>(0);

/** @returns 0 valid, 1 not a table image, 2 made for a newer kernel, 3 damaged. */
export function checkImage(at: usize, length: u32): i32 {
  image = at;
  size = length;
  header = changetype<Header>(at);
  if (length < 128 || header.magic != 0x3154574c) return 1;
  if (header.version > 1) return 2;
  if (header.version != 1 || header.length != length) return 3;
  return checkInputs() && checkLists() && checkIntervals() ? 0 : 3;
}

/** True if `count` items of some bytes lie within the image. */
function fits(offset: u32, count: u32, bytes: u32): bool {
  return <u64>offset + <u64>count * bytes <= size;
}

// @ts-ignore: decorator
@inline export function word(offset: u32, index: u32 = 0): u32 {
  return load<u32>(image + offset + 4 * index);
}
// @ts-ignore: decorator
@inline export function half(offset: u32, index: u32): u32 {
  return load<u16>(image + offset + 2 * index);
}
// @ts-ignore: decorator
@inline export function record<T>(offset: u32, index: u32, bytes: u32): T {
  return changetype<T>(image + offset + index * bytes);
}
// @ts-ignore: decorator
@inline export function inputAt(index: u32): Input {
  return record<Input>(header.inputs, index, 64);
}

function isKind(input: u32, kind: u32): bool {
  return input < header.inputCount && inputAt(input).kind == kind;
}

function checkInputs(): bool {
  const count = header.inputCount;
  if (!fits(header.inputs, count, 64) || !fits(header.relations, header.relationCount, 8)) return false;
  for (let index: u32 = 0; index < count; index++) {
    const input = inputAt(index);
    if (input.kind > 1 || input.form > 2 || input.spellings >= <i32>header.listCount) return false;
    if (input.base >= 0 && (!isKind(input.base, input.kind) || inputAt(input.base).base >= 0)) return false;
    // A chain of conditions must end.
    let steps: u32 = 0;
    for (let at = <i32>index; inputAt(at).onlyIf >= 0; at = inputAt(at).onlyIf)
      if (!isKind(inputAt(at).onlyIf, 1) || ++steps > MAX_CONDITIONS) return false;
  }
  for (let index: u32 = 0; index < 2 * header.relationCount; index++)
    if (!isKind(word(header.relations, index), 0)) return false;
  return true;
}

function checkLists(): bool {
  const count = header.listCount;
  if (!fits(header.lists, count, 16) || header.countyList >= <i32>count) return false;
  for (let index: u32 = 0; index < count; index++) {
    const list = record<List>(header.lists, index, 16);
    if (list.count == 0xffffffff || !fits(list.offsets, list.count + 1, 4) || !fits(list.codes, list.count, 4)) return false;
    if (!areStarts(list.offsets, list.count) || !fits(list.text, word(list.offsets, list.count), 1)) return false;
  }
  if (!fits(header.ambiguous, header.ambiguousCount, 4)) return false;
  for (let index: u32 = 0; index < header.ambiguousCount; index++) {
    const entry = word(header.ambiguous, index);
    if (!fits(entry, 1, 4) || !fits(entry, word(entry), 4) || !fits(entry + 4, word(entry), 4)) return false;
  }
  return true;
}

function areStarts(offset: u32, count: u32): bool {
  for (let index: u32 = 0; index < count; index++) if (word(offset, index) > word(offset, index + 1)) return false;
  return true;
}

function checkIntervals(): bool {
  const types = header.typeCount;
  if (types > 254 || header.stateCount > 254 || header.intervalCount > 65_534) return false;
  if (!fits(header.intervals, header.intervalCount, 16)) return false;
  for (let index: u32 = 0; index < header.intervalCount; index++) {
    const interval = record<Interval>(header.intervals, index, 16);
    if (!fits(interval.types, types, 32)) return false;
    for (let each: u32 = 0; each < types; each++) {
      const type = record<Type>(interval.types, each, 32);
      if (!checkGroups(type.groups, type.groupCount, header.carrierCount)) return false;
      if (!checkGroups(type.reasonGroups, type.reasonGroupCount, type.reasonCount)) return false;
    }
  }
  return true;
}

function checkGroups(groups: u32, count: u32, targets: u32): bool {
  if (!fits(groups, count, 4)) return false;
  for (let index: u32 = 0; index < count; index++) {
    if (!fits(word(groups, index), 1, 96)) return false;
    const group = record<Group>(word(groups, index), 0, 96);
    if (group.lanes > 64 || !fits(group.targets, group.lanes, 2)) return false;
    for (let lane: u32 = 0; lane < group.lanes; lane++) if (half(group.targets, lane) >= targets) return false;
    if (!checkGroup(group) || !checkPlaces(group)) return false;
  }
  return true;
}

function checkGroup(group: Group): bool {
  const planes = group.planeCount;
  // The limits keep all products below 32 bits.
  if (planes > 0xffff || group.axisCount > 0xfffe || group.decliningPlanes > planes) return false;
  if (<u64>group.rowCount * (2 + planes) > 0x0fffffff || !fits(group.rows, group.rowCount * (2 + planes), 8)) return false;
  if (!fits(group.planeStarts, planes + 1, 4) || !areStarts(group.planeStarts, planes)) return false;
  const count = word(group.planeStarts, planes);
  if (!fits(group.planeAxes, count, 2)) return false;
  for (let index: u32 = 0; index < count; index++) if (half(group.planeAxes, index) > group.axisCount) return false;
  if (!fits(group.folds, group.foldCount, 16) || !fits(group.axes, group.axisCount, 32)) return false;
  for (let index: u32 = 0; index < group.foldCount; index++) if (word(group.folds, 4 * index) > 63) return false;
  for (let index: u32 = 0; index < group.axisCount; index++) {
    const axis = record<ImageAxis>(group.axes, index, 32);
    if (!isKind(axis.input, axis.kind) || axis.cells == 0 || axis.cells > 0xffff) return false;
    if (<u64>axis.firstRow + axis.cells > group.rowCount) return false;
    if (axis.kind == 0 && !fits(axis.bounds, axis.cells, 8)) return false;
  }
  return true;
}

function checkPlaces(group: Group): bool {
  const cells = group.placeCells;
  if (cells > 0xffff || cells > group.rowCount || !fits(group.states, header.stateCount, 32)) return false;
  for (let index: u32 = 0; index < header.stateCount; index++) {
    const state = record<State>(group.states, index, 32);
    if (state.otherCell >= <i32>cells || !fits(state.cells, state.count, 2)) return false;
    for (let each: u32 = 0; each < state.count; each++) if (half(state.cells, each) >= cells) return false;
    if (state.byCounty == 0) continue;
    if (!fits(state.byCounty, 1000, 2)) return false;
    for (let each: u32 = 0; each < 1000; each++) if (half(state.byCounty, each) > cells) return false;
  }
  return true;
}
