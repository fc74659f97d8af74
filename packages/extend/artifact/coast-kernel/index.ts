// The distances of homes: to tidal water, to the open ocean, and to mean high water, as `measurePoints` of @leeward/http. docs/artifact-format.md
// describes the exports; the data is that of `compileCoast`.

import { mark, release } from '../kernel/memory';
import { ex, ey, ez, prepareEarth, toEarth, UNITS_PER_METER } from './earth';
import { addLikelihood, boundAt, clearLikelihood, lowerMeters, setOther, upperMeters } from './likelihood';
import { orderOf } from './order';
import {
  arcTo,
  groupDistances,
  groupVertices,
  kindOf,
  nearestOfGroups,
  nearestSegment,
  setPoint,
  sideOf,
} from './search';
import { data, groupAt, header, openShores, Source, sourceAt, Vertex } from './shores';

export { allocate, mark, release } from '../kernel/memory';

export function abi_version(): i32 {
  return 1;
}

/** Layers of segments, each within the one before. The second shore also has those of the oceans by another classification. */
const TIDAL: u32 = 1;
const OPEN_WATER: u32 = 2;
const OCEAN: u32 = 4;
const OWN: u32 = 2;

const REACH_METERS: f64 = 50000;
/** A chord can be longer than its arc. */
const CHORD_EXCESS_UNITS: f64 = 4;
/** Less probable water does not widen an interval. */
const MIN_PROBABILITY: f64 = 0.05;

const MEASURED = 0;
const NO_POINT = 1;
const OFF_THE_GLOBE = 2;
const OUTSIDE_COVERAGE = 3;

let maxRadius: f64 = 0;
/** By layer and source. */
const hints = memory.data(64 * 4, 4);

/** @returns 0 valid, 1 not coast data, 2 made for a newer kernel, 3 damaged. */
export function open(at: usize, length: u32): i32 {
  prepareEarth();
  memory.fill(hints, 0, 64 * 4);
  const fault = openShores(at, length);
  maxRadius = 0;
  if (fault == 0) for (let number: u32 = 0; number < header.classCount; number++) maxRadius = max(maxRadius, load<f64>(classOf(number)));
  return fault;
}

function classOf(number: u32): usize {
  return data + header.classes + number * (24 + 8 * header.quantileCount);
}

/** The last answer. */
let meters: f64 = 0;
let minMeters: f64 = 0;
let maxMeters: f64 = 0;
let source: u32 = 0;
let first: Vertex = changetype<Vertex>(0);
let second: Vertex = changetype<Vertex>(0);
let other: Vertex = changetype<Vertex>(0);
const none: Vertex = changetype<Vertex>(0);

/**
 * Measures points in degrees. Columns of `out`, each of `rows` numbers: meters, minimum and maximum of tidal water, of the ocean, and of
 * mean high water; then, for each certainty, minimum and maximum of tidal water and of the ocean. `sources` has a column for each of the
 * three: the number of the dataset. @returns the number of rows that are not measured, or −1 without memory to sort them
 */
export function measure(
  latitudes: usize,
  longitudes: usize,
  rows: u32,
  certainties: usize,
  certaintyCount: u32,
  out: usize,
  statuses: usize,
  sources: usize,
): i32 {
  const before = mark();
  const order = orderOf(latitudes, longitudes, rows);
  let missing = order == 0 ? -1 : 0;
  for (let at: u32 = 0; order != 0 && at < rows; at++) {
    const row = load<u32>(order + at * 4);
    const status = statusOf(load<f64>(latitudes + row * 8), load<f64>(longitudes + row * 8));
    store<u8>(statuses + row, <u8>status);
    if (status == MEASURED) {
      measureRow(row, rows, certainties, certaintyCount, out, sources);
      continue;
    }
    missing++;
    for (let column: u32 = 0; column < 9 + 4 * certaintyCount; column++) store<f64>(out + (column * rows + row) * 8, NaN);
    for (let column: u32 = 0; column < 3; column++) store<u8>(sources + column * rows + row, 255);
  }
  release(before);
  return missing;
}

function statusOf(latitude: f64, longitude: f64): i32 {
  if (latitude != latitude || longitude != longitude) return NO_POINT;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return OFF_THE_GLOBE;
  for (let box: u32 = 0; box < header.coverageCount; box++) {
    const at = data + header.coverage + box * 32;
    if (latitude < load<f64>(at) || latitude > load<f64>(at, 8) || longitude < load<f64>(at, 16) || longitude > load<f64>(at, 24)) continue;
    toEarth(latitude, longitude);
    setPoint(ex, ey, ez);
    return MEASURED;
  }
  return OUTSIDE_COVERAGE;
}

function measureRow(row: u32, rows: u32, certainties: usize, certaintyCount: u32, out: usize, sources: usize): void {
  const numbers = out + row * 8;
  const stride = rows * 8;
  measureTidal(certaintyCount > 0);
  const tidalMin = minMeters;
  writeAnswer(numbers, stride, sources + row);
  writeBounds(numbers + 9 * stride, stride, certainties, certaintyCount);
  // Mean high water is between tidal and open water.
  measureOcean(OPEN_WATER);
  minMeters = min(minMeters, tidalMin);
  writeAnswer(numbers + 6 * stride, stride, sources + 2 * rows + row);
  measureOcean(OCEAN);
  writeAnswer(numbers + 3 * stride, stride, sources + rows + row);
  writeBounds(numbers + 11 * stride, stride, certainties, certaintyCount);
}

function writeAnswer(at: usize, stride: usize, sourceAt: usize): void {
  store<f64>(at, meters);
  store<f64>(at + stride, minMeters);
  store<f64>(at + 2 * stride, maxMeters);
  store<u8>(sourceAt, <u8>source);
}

function writeBounds(at: usize, stride: usize, certainties: usize, count: u32): void {
  for (let number: u32 = 0; number < count; number++) {
    boundAt(load<f64>(certainties + number * 8), minMeters, maxMeters);
    store<f64>(at + 4 * number * stride, lowerMeters);
    store<f64>(at + (4 * number + 1) * stride, upperMeters);
  }
}

/** @param wider is the nearest segment of a layer that contains this one, or 0. */
function nearestOf(number: u32, layer: u32, bound2: f64, wider: Vertex): Vertex {
  if (wider && (kindOf(sourceAt(number), wider).mask & layer) != 0) return wider;
  const hint = hints + (number * 16 + ctz(layer)) * 4;
  const vertex = nearestSegment(sourceAt(number), layer, bound2, changetype<Vertex>(<usize>load<u32>(hint)));
  if (vertex) store<u32>(hint, <u32>changetype<usize>(vertex));
  return vertex;
}

/** Both shores: sets the answer, and adds them to the likelihood. */
function measureShores(layer: u32): void {
  first = nearestOf(0, layer, Infinity, layer == TIDAL ? none : first);
  const firstClass = classOf(kindOf(sourceAt(0), first).number);
  const firstMeters = arcTo(first);
  const firstRadius = load<f64>(firstClass);
  meters = firstMeters;
  minMeters = firstMeters - firstRadius;
  maxMeters = firstMeters + firstRadius;
  source = 0;
  clearLikelihood();
  addLikelihood(firstMeters, 1, <u32>(firstClass - data), 0);
  // Farther segments of the second shore change nothing.
  const farthest = firstMeters + 2.0 * maxRadius;
  const bound = farthest * UNITS_PER_METER + CHORD_EXCESS_UNITS;
  second = nearestOf(1, layer, bound * bound, layer == TIDAL ? none : second);
  const secondMeters = second ? arcTo(second) : Infinity;
  if (secondMeters > farthest) second = none;
  else {
    const secondClass = classOf(kindOf(sourceAt(1), second).number);
    const secondRadius = load<f64>(secondClass);
    if (secondMeters < meters) {
      meters = secondMeters;
      source = 1;
    }
    minMeters = min(minMeters, secondMeters - secondRadius);
    maxMeters = min(maxMeters, secondMeters + secondRadius);
    addLikelihood(secondMeters, 1, <u32>(secondClass - data), 0);
  }
  minMeters = max(0.0, minMeters);
}

/** If the second shore classifies the ocean differently, the interval includes both. */
function measureOcean(layer: u32): void {
  measureShores(layer);
  other = nearestOf(1, layer << OWN, Infinity, layer == OPEN_WATER ? none : other);
  if (!other) return;
  const radius = header.wholeRadius;
  const otherMeters = arcTo(other);
  if (Math.abs(otherMeters - meters) <= radius) return;
  minMeters = min(minMeters, max(0.0, otherMeters - radius));
  maxMeters = max(maxMeters, otherMeters + radius);
  setOther(otherMeters, radius);
}

/** If the second shore answers, both must agree. */
function isInWater(): bool {
  const side = sideOf(source == 0 ? first : second);
  return side < 0 && (source == 0 || sideOf(first) < 0);
}

/** With gauges, rivers and links, except for a point in the water. */
function measureTidal(needsWaters: bool): void {
  measureShores(TIDAL);
  const waters = sourceAt(2);
  const shoreMax = min(maxMeters, REACH_METERS) * UNITS_PER_METER;
  let lowest = min(minMeters, REACH_METERS) * UNITS_PER_METER;
  let closest = min(meters, REACH_METERS) * UNITS_PER_METER;
  let highest = shoreMax;
  for (let group: u32 = 0; group < header.groupCount; group++) {
    const reach = groupAt(group).reach;
    let bound = needsWaters ? shoreMax : 0.0;
    if (lowest > 0 && groupAt(group).probability > MIN_PROBABILITY) bound = max(bound, lowest + reach * UNITS_PER_METER);
    if (groupAt(group).isKnown != 0) bound = max(bound, max(closest, highest - reach * UNITS_PER_METER));
    store<f64>(groupDistances + group * 8, bound);
  }
  nearestOfGroups(waters);
  let lowestBy = -1;
  let closestBy = -1;
  let highestBy = -1;
  for (let group: u32 = 0; group < header.groupCount; group++) {
    if (load<u32>(groupVertices + group * 4) == 0) continue;
    const reachUnits = groupAt(group).reach * UNITS_PER_METER;
    const distance = load<f64>(groupDistances + group * 8);
    if (lowest > 0 && groupAt(group).probability > MIN_PROBABILITY && distance - reachUnits < lowest) {
      lowest = distance - reachUnits;
      lowestBy = group;
    }
    if (groupAt(group).isKnown == 0) continue;
    if (distance < closest) {
      closest = distance;
      closestBy = group;
    }
    if (distance + reachUnits < highest) {
      highest = distance + reachUnits;
      highestBy = group;
    }
  }
  const isChanged = lowestBy >= 0 || closestBy >= 0 || highestBy >= 0;
  if (!(isChanged || needsWaters) || isInWater()) return;
  if (needsWaters) {
    for (let group: u32 = 0; group < header.groupCount; group++) {
      const distance = load<f64>(groupDistances + group * 8);
      if (load<u32>(groupVertices + group * 4) == 0 || distance >= shoreMax) continue;
      addLikelihood(distance / UNITS_PER_METER, groupAt(group).probability, 0, groupAt(group).reach);
    }
  }
  if (lowestBy >= 0) minMeters = max(0.0, lowest / UNITS_PER_METER);
  if (highestBy >= 0) maxMeters = highest / UNITS_PER_METER;
  if (closestBy < 0) return;
  meters = arcTo(changetype<Vertex>(<usize>load<u32>(groupVertices + closestBy * 4)));
  source = <u32>groupAt(closestBy).source;
  minMeters = min(minMeters, meters);
  maxMeters = max(maxMeters, meters);
}
