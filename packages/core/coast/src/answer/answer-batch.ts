import { CoastError } from '../coast-error.ts';
import { FRAME_LENGTH } from '../earth/ellipsoid.ts';
import { isPoint } from '../earth/geographic-point.ts';
import { ANSWER_NUMBERS, AnswerChunk, CHUNK, PointChunk, SKIPPED } from '../search/point-chunk.ts';
import type { ShoreSide } from '../search/shore-side.ts';
import { isCovered } from '../shoreline/coverage.ts';
import type { CombinationRule } from '../shoreline/shoreline.ts';
import type { AnswerPlan } from './answer-plan.ts';
import {
  BATCH_ANSWERED,
  BATCH_INVALID_POINT,
  BATCH_OUTSIDE_COVERAGE,
  type CoastBatch,
  createCoastBatch,
} from './coast-batch.ts';
import { combinedAccuracyMeters, isPreferred } from './combine-sources.ts';
import { gather, NeighbourOrder, scatter } from './neighbour-order.ts';
import { pointSide, type SourceResult } from './point-side.ts';
import { accuracyOf, type SourceSearch } from './source-search.ts';
import { BY_KNOWN_WATER, type TidalSearch } from './tidal-waters.ts';

/** Sorting fewer points costs more than it saves. */
const MIN_SORTED = 512;
const MAX_SORTED = 1 << 18;

class SortedPoints {
  readonly order: NeighbourOrder;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  readonly answers: CoastBatch;

  constructor(capacity: number) {
    this.order = new NeighbourOrder(capacity);
    this.latitudes = new Float64Array(capacity);
    this.longitudes = new Float64Array(capacity);
    this.answers = createCoastBatch(capacity);
  }
}

let buffer: SortedPoints | undefined;

const points = new PointChunk(CHUNK);
const results: readonly [AnswerChunk, AnswerChunk] = [new AnswerChunk(CHUNK), new AnswerChunk(CHUNK)];

const choices = new Uint8Array(CHUNK);
const NO_SOURCE = 2;
const accuraciesMeters = new Float64Array(CHUNK);
/** The radius of the segment applies. */
const BY_SEGMENT = -1;

/** Sorts points, so that neighbours share what they read of the shore. */
export function answerBatch(
  plan: AnswerPlan,
  latitudes: Float64Array,
  longitudes: Float64Array,
  batch: CoastBatch,
): void {
  const length = latitudes.length;
  if (longitudes.length !== length || batch.statuses.length < length) {
    throw new CoastError(
      'invalid_option',
      `${length} latitudes, ${longitudes.length} longitudes and a batch of ${batch.statuses.length} answers: give as many of each`,
    );
  }
  if (length < MIN_SORTED) {
    answerChunks(plan, latitudes, longitudes, length, batch);
    return;
  }
  const step = Math.min(length, MAX_SORTED);
  if (buffer === undefined || buffer.latitudes.length < step) buffer = new SortedPoints(step);
  for (let from = 0; from < length; from += step) {
    answerSorted(plan, latitudes, longitudes, from, Math.min(step, length - from), batch, buffer);
  }
}

/** Copies column by column: one column fits the cache. */
function answerSorted(
  plan: AnswerPlan,
  latitudes: Float64Array,
  longitudes: Float64Array,
  from: number,
  count: number,
  batch: CoastBatch,
  { order, latitudes: sortedLatitudes, longitudes: sortedLongitudes, answers }: SortedPoints,
): void {
  order.sort(latitudes, longitudes, from, count);
  const numbers = order.order.subarray(0, count);
  gather(latitudes, numbers, sortedLatitudes);
  gather(longitudes, numbers, sortedLongitudes);
  answerChunks(plan, sortedLatitudes, sortedLongitudes, count, answers);
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
    points.frame(length);
    results[1].vertices.fill(SKIPPED);
    for (let source = 0; source < sources.length; source++) {
      searchSource(sources[source]!, from, length, batch.statuses, results[source]!);
    }
    choose(plan.rule, from, length, batch);
    for (let source = 0; source < sources.length; source++) writeAnswers(plan, source, from, length, batch);
    if (plan.tidal !== undefined) writeTidalWaters(plan, plan.tidal, from, length, batch);
  }
}

function takePoints(
  latitudes: Float64Array,
  longitudes: Float64Array,
  from: number,
  length: number,
  statuses: Uint8Array,
): void {
  for (let at = 0; at < length; at++) {
    const latitude = latitudes[from + at]!;
    const longitude = longitudes[from + at]!;
    const valid = isPoint(latitude, longitude);
    points.latitudes[at] = valid ? latitude : 0;
    points.longitudes[at] = valid ? longitude : 0;
    statuses[from + at] = valid ? BATCH_ANSWERED : BATCH_INVALID_POINT;
  }
}

function searchSource(
  source: SourceSearch,
  from: number,
  length: number,
  statuses: Uint8Array,
  into: AnswerChunk,
): void {
  const { coverage } = source.index.header;
  const { latitudes, longitudes } = points;
  for (let at = 0; at < length; at++) {
    const isSearched = statuses[from + at] === BATCH_ANSWERED && isCovered(coverage, latitudes[at]!, longitudes[at]!);
    into.vertices[at] = isSearched ? 0 : SKIPPED;
  }
  source.search.nearestOfEach(points, length, into);
}

function choose(rule: CombinationRule | undefined, from: number, length: number, batch: CoastBatch): void {
  const [first, second] = results;
  for (let at = 0; at < length; at++) {
    const isFirst = first.vertices[at] !== SKIPPED;
    const isSecond = second.vertices[at] !== SKIPPED;
    choices[at] = isFirst ? 0 : 1;
    accuraciesMeters[at] = BY_SEGMENT;
    if (isFirst && isSecond && rule !== undefined) {
      const preferredMeters = first.answers[at * ANSWER_NUMBERS + 2]!;
      const checkMeters = second.answers[at * ANSWER_NUMBERS + 2]!;
      accuraciesMeters[at] = combinedAccuracyMeters(rule, preferredMeters, checkMeters);
      choices[at] = isPreferred(rule, preferredMeters, checkMeters) ? 0 : 1;
    } else if (!isFirst && !isSecond) {
      choices[at] = NO_SOURCE;
      writeNone(batch, from + at);
    }
  }
}

function writeAnswers({ sources }: AnswerPlan, choice: number, from: number, length: number, batch: CoastBatch): void {
  const source = sources[choice]!;
  const { vertices, answers } = results[choice]!;
  for (let at = 0; at < length; at++) {
    if (choices[at] !== choice) continue;
    const vertex = vertices[at]!;
    const answer = at * ANSWER_NUMBERS;
    const to = from + at;
    const combined = accuraciesMeters[at]!;
    const distanceMeters = answers[answer + 2]!;
    batch.coastLatitudes[to] = answers[answer]!;
    batch.coastLongitudes[to] = answers[answer + 1]!;
    batch.distancesMeters[to] = distanceMeters;
    batch.azimuthsDegrees[to] = answers[answer + 3]!;
    const accuracyMeters = combined === BY_SEGMENT ? accuracyOf(source, vertex) : combined;
    batch.accuraciesMeters[to] = accuracyMeters;
    batch.minimaMeters[to] = Math.max(0, distanceMeters - accuracyMeters);
    batch.maximaMeters[to] = distanceMeters + accuracyMeters;
    batch.tidalRivers[to] = 0;
    batch.sources[to] = source.number;
    batch.segments[to] = vertex;
  }
}

/** Like `nearest`. */
function writeTidalWaters(plan: AnswerPlan, tidal: TidalSearch, from: number, length: number, batch: CoastBatch): void {
  for (let at = 0; at < length; at++) {
    const choice = choices[at]!;
    const to = from + at;
    if (choice === NO_SOURCE) continue;
    tidal.search(points, at, batch.distancesMeters[to]!, batch.accuraciesMeters[to]!);
    if (tidal.parts === 0 || sideOf(plan, at, choice) === 'water') continue;
    batch.tidalRivers[to] = 1;
    batch.minimaMeters[to] = tidal.minMeters;
    batch.maximaMeters[to] = tidal.maxMeters;
    if ((tidal.parts & BY_KNOWN_WATER) === 0) continue;
    const { answers } = tidal.answer;
    batch.coastLatitudes[to] = answers[0]!;
    batch.coastLongitudes[to] = answers[1]!;
    batch.distancesMeters[to] = answers[2]!;
    batch.azimuthsDegrees[to] = answers[3]!;
    batch.accuraciesMeters[to] = tidal.accuracyMeters;
    batch.sources[to] = plan.datasets + tidal.distanceSource;
    batch.segments[to] = -1;
  }
}

function sideOf({ sources }: AnswerPlan, at: number, choice: number): ShoreSide {
  const resultOf = (number: number): SourceResult => ({
    source: sources[number]!,
    vertex: results[number]!.vertices[at]!,
  });
  const hasOther = sources.length > 1 && results[1 - choice]!.vertices[at] !== SKIPPED;
  const { frames } = points;
  const frame = at * FRAME_LENGTH;
  const other = hasOther ? resultOf(1 - choice) : undefined;
  return pointSide(resultOf(choice), other, frames[frame]!, frames[frame + 1]!, frames[frame + 2]!);
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
}
