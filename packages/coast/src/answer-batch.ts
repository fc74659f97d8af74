import type { AnswerPlan } from './answer-plan.ts';
import {
  BATCH_ANSWERED,
  BATCH_INVALID_POINT,
  BATCH_OUTSIDE_COVERAGE,
  type CoastBatch,
  createCoastBatch,
} from './coast-batch.ts';
import { CoastError } from './coast-error.ts';
import { combinedAccuracyMeters, preferredAnswers } from './combine-sources.ts';
import { isCovered, isPoint } from './geographic-point.ts';
import { NeighbourOrder } from './neighbour-order.ts';
import { ANSWER_NUMBERS } from './shore-answer.ts';

/** Fewer points than this are answered as they come: to put them in order would cost more than it saves. */
const FEWEST_ORDERED = 512;

/** How many are gathered at once: their numbers fit the nearest cache. */
const CHUNK = 256;

/** As many are put in order at once: 3 MB do. */
const MOST_ORDERED = 1 << 18;

let neighbours: NeighbourOrder | undefined;
const chunkLatitudes = new Float64Array(CHUNK);
const chunkLongitudes = new Float64Array(CHUNK);
const chunk = createCoastBatch(CHUNK);
/** The numbers of two sources' answers to a point, and the segments they found. */
const answers = new Float64Array(2 * ANSWER_NUMBERS);
const vertices = new Int32Array(2);

/** Answers many points, neighbours one after the other. */
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
      `${length} latitudes, ${longitudes.length} longitudes and room for ${batch.statuses.length} answers: give as many of each`,
    );
  }
  if (length < FEWEST_ORDERED) {
    for (let at = 0; at < length; at++) answerPoint(plan, latitudes[at]!, longitudes[at]!, batch, at);
    return;
  }
  const most = Math.min(length, MOST_ORDERED);
  if (neighbours === undefined || neighbours.order.length < most) neighbours = new NeighbourOrder(most);
  const { order } = neighbours;
  for (let from = 0; from < length; from += most) {
    const count = Math.min(most, length - from);
    neighbours.sort(latitudes, longitudes, from, count);
    for (let done = 0; done < count; done += CHUNK) {
      const numbers = order.subarray(done, Math.min(done + CHUNK, count));
      answerChunk(plan, latitudes, longitudes, numbers, batch);
    }
  }
}

/**
 * Answers the points of the given numbers. They are gathered before and scattered after: loads and stores all over the batch
 * then wait for memory side by side, not each for itself.
 */
function answerChunk(
  plan: AnswerPlan,
  latitudes: Float64Array,
  longitudes: Float64Array,
  numbers: Uint32Array,
  batch: CoastBatch,
): void {
  gather(latitudes, numbers, chunkLatitudes);
  gather(longitudes, numbers, chunkLongitudes);
  for (let index = 0; index < numbers.length; index++) {
    answerPoint(plan, chunkLatitudes[index]!, chunkLongitudes[index]!, chunk, index);
  }
  scatterBytes(chunk.statuses, numbers, batch.statuses);
  scatter(chunk.coastLatitudes, numbers, batch.coastLatitudes);
  scatter(chunk.coastLongitudes, numbers, batch.coastLongitudes);
  scatter(chunk.distancesMeters, numbers, batch.distancesMeters);
  scatter(chunk.azimuthsDegrees, numbers, batch.azimuthsDegrees);
  scatter(chunk.accuraciesMeters, numbers, batch.accuraciesMeters);
  scatterBytes(chunk.sources, numbers, batch.sources);
  for (let index = 0; index < numbers.length; index++) batch.segments[numbers[index]!] = chunk.segments[index]!;
}

function gather(all: Float64Array, numbers: Uint32Array, into: Float64Array): void {
  for (let index = 0; index < numbers.length; index++) into[index] = all[numbers[index]!]!;
}

function scatter(some: Float64Array, numbers: Uint32Array, into: Float64Array): void {
  for (let index = 0; index < numbers.length; index++) into[numbers[index]!] = some[index]!;
}

function scatterBytes(some: Uint8Array, numbers: Uint32Array, into: Uint8Array): void {
  for (let index = 0; index < numbers.length; index++) into[numbers[index]!] = some[index]!;
}

function answerPoint(plan: AnswerPlan, latitude: number, longitude: number, batch: CoastBatch, at: number): void {
  const { sources, rule } = plan;
  if (!isPoint(latitude, longitude)) {
    writeNone(batch, at, BATCH_INVALID_POINT);
    return;
  }
  let chosen = -1;
  let accuracy = -1;
  for (let source = 0; source < sources.length; source++) {
    const { index, search } = sources[source]!;
    if (!isCovered(index.header.coverage, latitude, longitude)) continue;
    vertices[source] = search.nearest(latitude, longitude, answers, source * ANSWER_NUMBERS);
    if (chosen < 0) {
      chosen = source;
    } else if (rule !== undefined) {
      const preferredMeters = answers[2]!;
      const checkMeters = answers[ANSWER_NUMBERS + 2]!;
      accuracy = combinedAccuracyMeters(rule, preferredMeters, checkMeters);
      if (!preferredAnswers(rule, preferredMeters, checkMeters)) chosen = source;
    }
  }
  if (chosen < 0) {
    writeNone(batch, at, BATCH_OUTSIDE_COVERAGE);
    return;
  }
  const { accuracies, number, search } = sources[chosen]!;
  const offset = chosen * ANSWER_NUMBERS;
  const vertex = vertices[chosen]!;
  batch.statuses[at] = BATCH_ANSWERED;
  batch.coastLatitudes[at] = answers[offset]!;
  batch.coastLongitudes[at] = answers[offset + 1]!;
  batch.distancesMeters[at] = answers[offset + 2]!;
  batch.azimuthsDegrees[at] = answers[offset + 3]!;
  batch.accuraciesMeters[at] = accuracy >= 0 ? accuracy : accuracies[search.lines.layers[vertex]!]!;
  batch.sources[at] = number;
  batch.segments[at] = vertex;
}

function writeNone(batch: CoastBatch, at: number, status: number): void {
  batch.statuses[at] = status;
  batch.coastLatitudes[at] = Number.NaN;
  batch.coastLongitudes[at] = Number.NaN;
  batch.distancesMeters[at] = Number.NaN;
  batch.azimuthsDegrees[at] = Number.NaN;
  batch.accuraciesMeters[at] = Number.NaN;
  batch.sources[at] = 0;
  batch.segments[at] = -1;
}
