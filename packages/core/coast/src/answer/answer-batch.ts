import { CoastError } from '../coast-error.ts';
import { checkPoint, isPoint } from '../earth/geographic-point.ts';
import { ANSWER_NUMBERS, CHUNK } from '../search/point-chunk.ts';
import { checkCovered } from '../shoreline/coverage.ts';
import type { AnswerPlan } from './answer-plan.ts';
import {
  BATCH_ANSWERED,
  BATCH_INVALID_POINT,
  BATCH_OUTSIDE_COVERAGE,
  type CoastBatch,
  createCoastBatch,
} from './coast-batch.ts';
import type { PointColumns } from './coast-points.ts';
import type { CompactCoastBatch } from './compact-batch.ts';
import { Likelihood } from './likelihood.ts';
import { gather, NeighbourOrder, scatter } from './neighbour-order.ts';
import { NO_SOURCE, ShoreChunk } from './shore-chunk.ts';
import { BY_KNOWN_WATER, type TidalSearch } from './tidal-waters.ts';

/** Sorting fewer points costs more than it saves. */
const MIN_SORTED = 512;
const MAX_SORTED = 1 << 18;

class SortedPoints {
  readonly order: NeighbourOrder;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  readonly answers: CoastBatch;

  constructor(capacity: number, certainties: readonly number[]) {
    this.order = new NeighbourOrder(capacity);
    this.latitudes = new Float64Array(capacity);
    this.longitudes = new Float64Array(capacity);
    this.answers = createCoastBatch(capacity, { certainties });
  }
}

let buffer: SortedPoints | undefined;

const chunk = new ShoreChunk(CHUNK);
const likelihood = new Likelihood();

/** Sorts points, so that neighbours share what they read of the shore. */
export function answerBatch(
  plan: AnswerPlan,
  { latitudes, longitudes }: PointColumns,
  batch: CoastBatch | CompactCoastBatch,
): void {
  const length = latitudes.length;
  const isCompact = 'sourceNames' in batch;
  if (length < MIN_SORTED && !isCompact) {
    answerChunks(plan, latitudes, longitudes, length, batch);
    return;
  }
  const certainties = batch.intervals.map(({ certainty }) => certainty);
  const step = Math.min(length, MAX_SORTED);
  if (buffer === undefined || buffer.latitudes.length < step || !hasCertainties(buffer.answers, certainties)) {
    buffer = new SortedPoints(step, certainties);
  }
  for (let from = 0; from < length; from += step) {
    const count = Math.min(step, length - from);
    answerSorted(plan, latitudes, longitudes, from, count, buffer);
    const order = buffer.order.order.subarray(0, count);
    if (isCompact) writeCompact(buffer.answers, order, batch);
    else writeSorted(buffer.answers, order, batch);
  }
}

function hasCertainties({ intervals }: CoastBatch, certainties: readonly number[]): boolean {
  return (
    intervals.length === certainties.length && intervals.every(({ certainty }, at) => certainty === certainties[at])
  );
}

/** Throws for the first point without an answer, and counts them. */
export function refuseUnanswered(
  plan: AnswerPlan,
  { latitudes, longitudes, faults }: PointColumns,
  statuses: Uint8Array,
): void {
  const count = latitudes.length;
  let first = -1;
  let unanswered = 0;
  for (let at = 0; at < count; at++) {
    if (statuses[at] === BATCH_ANSWERED) continue;
    if (first < 0) first = at;
    unanswered++;
  }
  if (first < 0) return;
  const { code, message } = faults.get(first) ?? reasonOf(plan, latitudes[first]!, longitudes[first]!);
  throw new CoastError(
    code,
    `${unanswered} of ${count} points have no answer, the first is number ${first}: ${message}. Pass unanswered: 'mark' to give such points a status instead`,
  );
}

function reasonOf({ sources }: AnswerPlan, latitude: number, longitude: number): CoastError {
  const point = { latitude, longitude };
  try {
    checkPoint(point);
    checkCovered(sources[0]!.index.header, point);
  } catch (error) {
    if (error instanceof CoastError) return error;
    throw error;
  }
  return new CoastError('outside_coverage', `latitude ${latitude}, longitude ${longitude} is beyond the coverage`);
}

/** Copies column by column: one column fits the cache. */
function answerSorted(
  plan: AnswerPlan,
  latitudes: Float64Array,
  longitudes: Float64Array,
  from: number,
  count: number,
  { order, latitudes: sortedLatitudes, longitudes: sortedLongitudes, answers }: SortedPoints,
): void {
  order.sort(latitudes, longitudes, from, count);
  const numbers = order.order.subarray(0, count);
  gather(latitudes, numbers, sortedLatitudes);
  gather(longitudes, numbers, sortedLongitudes);
  answerChunks(plan, sortedLatitudes, sortedLongitudes, count, answers);
}

function writeSorted(answers: CoastBatch, numbers: Uint32Array, batch: CoastBatch): void {
  const count = numbers.length;
  scatter(answers.coastLatitudes, numbers, batch.coastLatitudes);
  scatter(answers.coastLongitudes, numbers, batch.coastLongitudes);
  scatter(answers.distancesMeters, numbers, batch.distancesMeters);
  scatter(answers.azimuthsDegrees, numbers, batch.azimuthsDegrees);
  scatter(answers.accuraciesMeters, numbers, batch.accuraciesMeters);
  scatter(answers.minimaMeters, numbers, batch.minimaMeters);
  scatter(answers.maximaMeters, numbers, batch.maximaMeters);
  for (let at = 0; at < count; at++) batch.tidalRivers[numbers[at]!] = answers.tidalRivers[at]!;
  for (let at = 0; at < count; at++) batch.segments[numbers[at]!] = answers.segments[at]!;
  for (let at = 0; at < count; at++) batch.statuses[numbers[at]!] = answers.statuses[at]!;
  for (let at = 0; at < count; at++) batch.sources[numbers[at]!] = answers.sources[at]!;
  batch.intervals.forEach(({ minimaMeters, maximaMeters }, number) => {
    scatter(answers.intervals[number]!.minimaMeters, numbers, minimaMeters);
    scatter(answers.intervals[number]!.maximaMeters, numbers, maximaMeters);
  });
}

function writeCompact(answers: CoastBatch, numbers: Uint32Array, batch: CompactCoastBatch): void {
  for (let at = 0; at < numbers.length; at++) {
    const to = numbers[at]!;
    batch.statuses[to] = answers.statuses[at]!;
    batch.sources[to] = answers.sources[at]!;
    batch.tidalRivers[to] = answers.tidalRivers[at]!;
    batch.distancesMeters[to] = answers.distancesMeters[at]!;
    batch.minimaMeters[to] = answers.minimaMeters[at]!;
    batch.maximaMeters[to] = answers.maximaMeters[at]!;
  }
  batch.intervals.forEach(({ minimaMeters, maximaMeters }, number) => {
    const from = answers.intervals[number]!;
    for (let at = 0; at < numbers.length; at++) {
      minimaMeters[numbers[at]!] = from.minimaMeters[at]!;
      maximaMeters[numbers[at]!] = from.maximaMeters[at]!;
    }
  });
}

/** Each step runs for all points of a chunk. */
function answerChunks(
  plan: AnswerPlan,
  latitudes: Float64Array,
  longitudes: Float64Array,
  count: number,
  batch: CoastBatch,
): void {
  const { sources } = plan;
  for (let from = 0; from < count; from += CHUNK) {
    const length = Math.min(CHUNK, count - from);
    takePoints(latitudes, longitudes, from, length, batch.statuses);
    chunk.search(plan, length);
    writeMissing(from, length, batch);
    for (let source = 0; source < sources.length; source++) writeAnswers(plan, source, from, length, batch);
    if (plan.tidal === undefined && batch.intervals.length === 0) continue;
    for (let at = 0; at < length; at++) {
      if (chunk.choices[at] === NO_SOURCE) continue;
      const isInWater = plan.tidal !== undefined && writeTidalWaters(plan, plan.tidal, at, from + at, batch);
      if (batch.intervals.length > 0) writeIntervals(plan, at, from + at, batch, isInWater);
    }
  }
}

function takePoints(
  latitudes: Float64Array,
  longitudes: Float64Array,
  from: number,
  length: number,
  statuses: Uint8Array,
): void {
  const { points, valid } = chunk;
  for (let at = 0; at < length; at++) {
    const latitude = latitudes[from + at]!;
    const longitude = longitudes[from + at]!;
    const isValid = isPoint(latitude, longitude);
    points.latitudes[at] = isValid ? latitude : 0;
    points.longitudes[at] = isValid ? longitude : 0;
    valid[at] = isValid ? 1 : 0;
    statuses[from + at] = isValid ? BATCH_ANSWERED : BATCH_INVALID_POINT;
  }
}

function writeMissing(from: number, length: number, batch: CoastBatch): void {
  for (let at = 0; at < length; at++) if (chunk.choices[at] === NO_SOURCE) writeNone(batch, from + at);
}

function writeAnswers({ sources }: AnswerPlan, choice: number, from: number, length: number, batch: CoastBatch): void {
  const source = sources[choice]!;
  const { vertices, answers } = chunk.results[choice]!;
  const { choices, radii, minima, maxima } = chunk;
  for (let at = 0; at < length; at++) {
    if (choices[at] !== choice) continue;
    const answer = at * ANSWER_NUMBERS;
    const to = from + at;
    batch.coastLatitudes[to] = answers[answer]!;
    batch.coastLongitudes[to] = answers[answer + 1]!;
    batch.distancesMeters[to] = answers[answer + 2]!;
    batch.azimuthsDegrees[to] = answers[answer + 3]!;
    batch.accuraciesMeters[to] = radii[at]!;
    batch.minimaMeters[to] = minima[at]!;
    batch.maximaMeters[to] = maxima[at]!;
    batch.tidalRivers[to] = 0;
    batch.sources[to] = source.number;
    batch.segments[to] = vertices[at]!;
  }
}

/** Like `nearest`. @returns true for a point in the water, where tidal waters do not count. */
function writeTidalWaters(plan: AnswerPlan, tidal: TidalSearch, at: number, to: number, batch: CoastBatch): boolean {
  tidal.search(chunk.points, at, batch.distancesMeters[to]!, batch.minimaMeters[to]!, batch.maximaMeters[to]!);
  const isSideNeeded = tidal.parts !== 0 || batch.intervals.length > 0;
  if (isSideNeeded && chunk.sideOf(plan, at) === 'water') return true;
  if (tidal.parts === 0) return false;
  batch.tidalRivers[to] = 1;
  batch.minimaMeters[to] = tidal.minMeters;
  batch.maximaMeters[to] = tidal.maxMeters;
  if ((tidal.parts & BY_KNOWN_WATER) === 0) return false;
  const { answers } = tidal.answer;
  batch.coastLatitudes[to] = answers[0]!;
  batch.coastLongitudes[to] = answers[1]!;
  batch.distancesMeters[to] = answers[2]!;
  batch.azimuthsDegrees[to] = answers[3]!;
  batch.accuraciesMeters[to] = tidal.accuracyMeters;
  batch.sources[to] = plan.datasets + tidal.distanceSource;
  batch.segments[to] = -1;
  return false;
}

function writeIntervals(plan: AnswerPlan, at: number, to: number, batch: CoastBatch, isInWater: boolean): void {
  chunk.addShores(plan, at, likelihood.clear());
  if (!isInWater) plan.tidal?.addWaters(chunk.points, at, chunk.maxima[at]!, likelihood);
  const interval = { minMeters: batch.minimaMeters[to]!, maxMeters: batch.maximaMeters[to]! };
  for (const { certainty, minimaMeters, maximaMeters } of batch.intervals) {
    const { minMeters, maxMeters } = likelihood.intervalAt(certainty, interval);
    minimaMeters[to] = minMeters;
    maximaMeters[to] = maxMeters;
  }
}

function writeNone(batch: CoastBatch, to: number): void {
  if (batch.statuses[to] === BATCH_ANSWERED) batch.statuses[to] = BATCH_OUTSIDE_COVERAGE;
  batch.coastLatitudes[to] = Number.NaN;
  batch.coastLongitudes[to] = Number.NaN;
  batch.distancesMeters[to] = Number.NaN;
  batch.azimuthsDegrees[to] = Number.NaN;
  batch.accuraciesMeters[to] = Number.NaN;
  batch.minimaMeters[to] = Number.NaN;
  batch.maximaMeters[to] = Number.NaN;
  batch.tidalRivers[to] = 0;
  batch.sources[to] = 0;
  batch.segments[to] = -1;
  for (const { minimaMeters, maximaMeters } of batch.intervals) minimaMeters[to] = maximaMeters[to] = Number.NaN;
}
