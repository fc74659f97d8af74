// Lines of shores and waters: decodes the data once, and builds a tree of boxes over runs of at most eight vertices. The order of the lines
// is that of the shipped files, in which neighbours follow each other, so the tree needs no sorting.

import { allocate } from '../kernel/memory';
import { ex, ey, ez, toEarth, toSurface, UNITS_PER_METER } from './earth';

@unmanaged export class Header {
  magic: u32; version: u32; length: u32; classes: u32; classCount: u32; probabilities: u32; quantileCount: u32;
  groups: u32; groupCount: u32; coverage: u32; coverageCount: u32; pad: u32; wholeRadius: f64;
}
/** One shoreline, or all waters. The kernel writes the last line. */
@unmanaged export class Source {
  runs: u32; runCount: u32; low: u32; high: u32; numberCount: u32; wide: u32; wideCount: u32;
  kinds: u32; kindCount: u32; stepsPerDegree: u32; isShore: u32;
  vertices: u32; vertexCount: u32; nodes: u32; levels: u32; pad: u32;
}
/** The segment from a vertex to the next one has a kind. Position in units. */
@unmanaged export class Vertex { x: i32; y: i32; z: i32; word: u32; }
@unmanaged export class Kind { mask: u32; number: u32; }
@unmanaged export class Node { lowX: f32; lowY: f32; lowZ: f32; highX: f32; highY: f32; highZ: f32; mask: u32; pad: u32; }
@unmanaged export class Group { reach: f64; probability: f64; isKnown: f64; source: f64; }

export const LINE_END: u32 = 0xff;
const MAX_SEGMENT_METERS: f64 = 500;
/** Vertices of longer chords, on the geodesic, are in the data. */
const MAX_PLANE_METERS: f64 = 20000;
/** More than any radius or error in meters. */
const MAX_NUMBER: f64 = 1e7;
const RUN: u32 = 8;
/** The last digit of a float32 at the radius of the earth; boxes are larger by it. */
const ROUNDING: f64 = 128;

export let data: usize = 0;
export let header: Header = changetype<Header>(0);

/** @returns 0 valid, 1 not coast data, 2 made for a newer kernel, 3 damaged. */
export function openShores(at: usize, length: u32): i32 {
  data = at;
  header = changetype<Header>(at);
  if (length < 256 || header.magic != 0x5453434c) return 1;
  if (header.version > 1) return 2;
  if (header.version != 1 || header.length != length) return 3;
  const quantileCount = header.quantileCount;
  const classCount = header.classCount;
  if (quantileCount < 2 || quantileCount > 64 || classCount == 0 || header.groupCount > 32) return 3;
  if (!areNumbers(header.probabilities, quantileCount, 1) || !areNumbers(header.classes, classCount, 3 + quantileCount)) return 3;
  if (!areNumbers(header.groups, header.groupCount, 4) || !areNumbers(header.coverage, header.coverageCount, 4)) return 3;
  if (!(header.wholeRadius >= 0 && header.wholeRadius < MAX_NUMBER)) return 3;
  for (let number: u32 = 0; number < 3; number++) if (!openSource(sourceAt(number))) return 3;
  // The first shore has all layers, so that each point has an answer.
  return (changetype<Node>(<usize>sourceAt(0).nodes).mask & 7) == 7 ? 0 : 3;
}

function areNumbers(offset: u32, count: u32, numbers: u32): bool {
  if (!fits(offset, count, numbers * 8)) return false;
  for (let at: u32 = 0; at < count * numbers; at++) if (!(Math.abs(load<f64>(data + offset + at * 8)) < MAX_NUMBER)) return false;
  return true;
}

function fits(offset: u32, count: u32, bytes: u32): bool {
  return (offset & 7) == 0 && <u64>offset + <u64>count * bytes <= header.length;
}

export function sourceAt(number: u32): Source {
  return changetype<Source>(data + 64 + number * 64);
}

function openSource(source: Source): bool {
  const kindCount = source.kindCount;
  const stepsPerDegree = source.stepsPerDegree;
  if (!fits(source.kinds, kindCount, 8) || kindCount > 64 || stepsPerDegree < 1000 || stepsPerDegree > 10000000) return false;
  if (!fits(source.runs, source.runCount, 2) || !fits(source.low, source.numberCount, 1)) return false;
  if (!fits(source.high, source.numberCount, 1) || !fits(source.wide, source.wideCount, 4)) return false;
  const numbers = source.isShore ? header.classCount : header.groupCount;
  for (let kind: u32 = 0; kind < kindCount; kind++) if (kindAt(source, kind).number >= numbers) return false;
  source.vertices = <u32>allocate(0);
  source.vertexCount = source.levels = 0;
  return readLines(source) && buildNodes(source);
}

export function groupAt(group: u32): Group {
  return changetype<Group>(data + header.groups + group * 32);
}

export function kindAt(source: Source, kind: u32): Kind {
  return changetype<Kind>(data + source.kinds + kind * 8);
}

let low: usize = 0;
let high: usize = 0;
let lowEnd: usize = 0;
let wide: usize = 0;
let wideEnd: usize = 0;
let longitude: i32 = 0;
let latitude: i32 = 0;
let lineStart: usize = 0;
let last: usize = 0;

/** A step in a zigzag of 16 bits, or, behind 0xffff, a number of 32 bits. */
function readStep(): i32 {
  const word = <u32>load<u8>(low++) | (<u32>load<u8>(high++) << 8);
  if (word < 0xffff) return <i32>(word >> 1) ^ -<i32>(word & 1);
  return readWide();
}

function readWide(): i32 {
  const at = wide;
  wide += 4;
  return at < wideEnd ? load<i32>(at) : 0;
}

function readVertex(source: Source): bool {
  if (low + 2 > lowEnd) return false;
  longitude += readStep();
  latitude += readStep();
  const steps = <i64>source.stepsPerDegree;
  if (abs(<i64>longitude) > 180 * steps || abs(<i64>latitude) > 90 * steps) return false;
  toEarth(<f64>latitude / <f64>steps, <f64>longitude / <f64>steps);
  return true;
}

/** A run is a kind, with bit 7 for the last one of a line and bit 6 for one that ends where the line began, and its number of segments. */
function readLines(source: Source): bool {
  low = data + source.low;
  high = data + source.high;
  lowEnd = low + source.numberCount;
  wide = data + source.wide;
  wideEnd = wide + source.wideCount * 4;
  longitude = latitude = 0;
  let isStart = true;
  let firstLongitude = 0;
  let firstLatitude = 0;
  for (let run: u32 = 0; run < source.runCount; run++) {
    const word = <u32>load<u8>(data + source.runs + run * 2);
    const kind = word & 63;
    const count = <u32>load<u8>(data + source.runs + run * 2, 1);
    if (kind >= source.kindCount || count == 0) return false;
    if (isStart) {
      if (!readVertex(source)) return false;
      firstLongitude = longitude;
      firstLatitude = latitude;
      lineStart = last = 0;
    }
    for (let segment: u32 = 0; segment < count; segment++) {
      const x = ex;
      const y = ey;
      const z = ez;
      if (!append(source, kind)) return false;
      if ((word & 64) != 0 && segment + 1 == count) {
        longitude = firstLongitude;
        latitude = firstLatitude;
        toEarth(<f64>latitude / <f64>source.stepsPerDegree, <f64>longitude / <f64>source.stepsPerDegree);
      } else if (!readVertex(source)) return false;
      if (source.isShore != 0 && !divide(source, kind, x, y, z)) return false;
    }
    isStart = (word & 128) != 0;
    if (isStart && !append(source, LINE_END)) return false;
  }
  return isStart && low == lowEnd && wide == wideEnd;
}

/** Appends vertices between (x, y, z) and the present position, which stays. */
function divide(source: Source, kind: u32, x: f64, y: f64, z: f64): bool {
  const nextX = ex;
  const nextY = ey;
  const nextZ = ez;
  const ax = x / UNITS_PER_METER;
  const ay = y / UNITS_PER_METER;
  const az = z / UNITS_PER_METER;
  const dx = nextX / UNITS_PER_METER - ax;
  const dy = nextY / UNITS_PER_METER - ay;
  const dz = nextZ / UNITS_PER_METER - az;
  const chord2 = dx * dx + dy * dy + dz * dz;
  if (chord2 <= MAX_SEGMENT_METERS * MAX_SEGMENT_METERS) return true;
  const chord = Math.sqrt(chord2);
  const isWritten = chord > MAX_PLANE_METERS;
  const pieces = isWritten ? readWide() : <i32>Math.ceil(chord / MAX_SEGMENT_METERS);
  for (let step = 1; step < pieces; step++) {
    if (isWritten) {
      ex = <f64>readWide();
      ey = <f64>readWide();
      ez = <f64>readWide();
      if (wide > wideEnd) return false;
    } else {
      toSurface(ax + (dx * <f64>step) / <f64>pieces, ay + (dy * <f64>step) / <f64>pieces, az + (dz * <f64>step) / <f64>pieces);
      ex *= UNITS_PER_METER;
      ey *= UNITS_PER_METER;
      ez *= UNITS_PER_METER;
    }
    if (!append(source, kind)) return false;
  }
  ex = nextX;
  ey = nextY;
  ez = nextZ;
  return true;
}

/** Appends the present position. A shore has no segments of length zero. */
function append(source: Source, kind: u32): bool {
  const x = <i32>Math.floor(ex + 0.5);
  const y = <i32>Math.floor(ey + 0.5);
  const z = <i32>Math.floor(ez + 0.5);
  let vertex = changetype<Vertex>(last);
  if (source.isShore == 0 || last == 0 || vertex.x != x || vertex.y != y || vertex.z != z) {
    const at = allocate(offsetof<Vertex>());
    if (at == 0) return false;
    if (last == 0) lineStart = at;
    last = at;
    vertex = changetype<Vertex>(at);
    vertex.x = x;
    vertex.y = y;
    vertex.z = z;
    source.vertexCount += 1;
  }
  vertex.word = (<u32>(last - lineStart) << 4) | kind;
  return true;
}

export function firstOf(source: Source, leaf: u32): u32 {
  return <u32>((<u64>leaf * source.vertexCount) >> source.levels);
}

function buildNodes(source: Source): bool {
  while (<u64>RUN << source.levels < source.vertexCount) source.levels++;
  const leaves: u32 = 1 << source.levels;
  const at = allocate((2 * leaves - 1) * offsetof<Node>());
  if (at == 0) return false;
  source.nodes = <u32>at;
  for (let number: u32 = 2 * leaves - 1; number-- > 0; ) {
    const node = changetype<Node>(at + number * offsetof<Node>());
    if (number >= leaves - 1) boxLeaf(source, node, number + 1 - leaves);
    else {
      const left = changetype<Node>(at + (2 * number + 1) * offsetof<Node>());
      const right = changetype<Node>(at + (2 * number + 2) * offsetof<Node>());
      node.lowX = min(left.lowX, right.lowX);
      node.lowY = min(left.lowY, right.lowY);
      node.lowZ = min(left.lowZ, right.lowZ);
      node.highX = max(left.highX, right.highX);
      node.highY = max(left.highY, right.highY);
      node.highZ = max(left.highZ, right.highZ);
      node.mask = left.mask | right.mask;
    }
  }
  return true;
}

function boxLeaf(source: Source, node: Node, leaf: u32): void {
  node.lowX = node.lowY = node.lowZ = Infinity;
  node.highX = node.highY = node.highZ = -Infinity;
  node.mask = 0;
  const end = firstOf(source, leaf + 1);
  for (let number = firstOf(source, leaf); number < end; number++) {
    const a = changetype<Vertex>(source.vertices + number * offsetof<Vertex>());
    const kind = a.word & 0xff;
    if (kind == LINE_END || kindAt(source, kind).mask == 0) continue;
    const b = changetype<Vertex>(changetype<usize>(a) + offsetof<Vertex>());
    node.lowX = min(node.lowX, <f32>(<f64>min(a.x, b.x) - ROUNDING));
    node.lowY = min(node.lowY, <f32>(<f64>min(a.y, b.y) - ROUNDING));
    node.lowZ = min(node.lowZ, <f32>(<f64>min(a.z, b.z) - ROUNDING));
    node.highX = max(node.highX, <f32>(<f64>max(a.x, b.x) + ROUNDING));
    node.highY = max(node.highY, <f32>(<f64>max(a.y, b.y) + ROUNDING));
    node.highZ = max(node.highZ, <f32>(<f64>max(a.z, b.z) + ROUNDING));
    node.mask |= kindAt(source, kind).mask;
  }
}
