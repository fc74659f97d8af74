import { CoastError } from '../coast-error.ts';
import { FRAME_LENGTH } from '../earth/ellipsoid.ts';
import { isPoint } from '../earth/geographic-point.ts';
import { ANSWER_NUMBERS, CHUNK, FoundChunk, NOT_ASKED, PointChunk } from '../search/point-chunk.ts';
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
import { combinedAccuracyMeters, preferredAnswers } from './combine-sources.ts';
import { gather, NeighbourOrder, scatter } from './neighbour-order.ts';
import { type Asked, pointSide } from './point-side.ts';
import { accuracyOf, type SourceSearch } from './source-search.ts';
import { BY_KNOWN_WATER, type TidalSearch } from './tidal-waters.ts';

/** Fewer points than this are answered as they come: to put them in order would cost more than it saves. */
const MIN_ORDERED = 512;
/** As many are put in order at once: more would share more, but 17 MB do. */
const MAX_ORDERED = 1 << 18;

/** Points in the order of neighbours, and room for their answers. */
class OrderedPoints {
  readonly order: NeighbourOrder;
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  readonly answers: CoastBatch;

  constructor(most: number) {
    this.order = new NeighbourOrder(most);
    this.latitudes = new Float64Array(most);
    this.longitudes = new Float64Array(most);
    this.answers = createCoastBatch(most);
  }
}

let ordered: OrderedPoints | undefined;

/** The chunk on its way, and what each of two sources finds for its points. */
const points = new PointChunk(CHUNK);
const found: readonly [FoundChunk, FoundChunk] = [new FoundChunk(CHUNK), new FoundChunk(CHUNK)];

/** Whose answer is taken for each of them, and how accurate the two make it. */
const choices = new Uint8Array(CHUNK);
const NO_SOURCE = 2;
const accuraciesMeters = new Float64Array(CHUNK);
const BY_SEGMENT = -1;

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
  if (length < MIN_ORDERED) {
    answerInTurn(plan, latitudes, longitudes, length, batch);
    return;
  }
  const most = Math.min(length, MAX_ORDERED);
  if (ordered === undefined || ordered.latitudes.length < most) ordered = new OrderedPoints(most);
  for (let from = 0; from < length; from += most) {
    answerInOrder(plan, latitudes, longitudes, from, Math.min(most, length - from), batch, ordered);
  }
}

/**
 * Answers the points from … from + count − 1 in the order of neighbours. They are put in that order before and taken out of it
 * after, column by column: a column at a time stays in the cache, whatever the order.
 */
function answerInOrder(
  plan: AnswerPlan,
  latitudes: Float64Array,
  longitudes: Float64Array,
  from: number,
  count: number,
  batch: CoastBatch,
  { order, latitudes: orderedLatitudes, longitudes: orderedLongitudes, answers }: OrderedPoints,
): void {
  order.sort(latitudes, longitudes, from, count);
  const numbers = order.order.subarray(0, count);
  gather(latitudes, numbers, orderedLatitudes);
  gather(longitudes, numbers, orderedLongitudes);
  answerInTurn(plan, orderedLatitudes, orderedLongitudes, count, answers);
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

/** Answers the first `count` points, a chunk at a time, each step for all points of a chunk before the next. */
function answerInTurn(
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
    found[1].vertices.fill(NOT_ASKED);
    for (let source = 0; source < sources.length; source++) {
      ask(sources[source]!, from, length, batch.statuses, found[source]!);
    }
    choose(plan.rule, from, length, batch);
    for (let source = 0; source < sources.length; source++) writeAnswers(plan, source, from, length, batch);
    if (plan.tidal !== undefined) writeTidalWaters(plan, plan.tidal, from, length, batch);
  }
}

/** Takes the next points; what is no point stands as 0, 0 and is not asked for. */
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

/** Asks a source for those of the points that it covers. */
function ask(source: SourceSearch, from: number, length: number, statuses: Uint8Array, into: FoundChunk): void {
  const { coverage } = source.index.header;
  const { latitudes, longitudes } = points;
  for (let at = 0; at < length; at++) {
    const asked = statuses[from + at] === BATCH_ANSWERED && isCovered(coverage, latitudes[at]!, longitudes[at]!);
    into.vertices[at] = asked ? 0 : NOT_ASKED;
  }
  source.search.nearestOfEach(points, length, into);
}

/**
 * Chooses for each point the source that answers: the one that covers it or, where both do, by the rule, which also tells the
 * accuracy then. Writes what there is to say where none does.
 */
function choose(rule: CombinationRule | undefined, from: number, length: number, batch: CoastBatch): void {
  const [first, second] = found;
  for (let at = 0; at < length; at++) {
    const isFirst = first.vertices[at] !== NOT_ASKED;
    const isSecond = second.vertices[at] !== NOT_ASKED;
    choices[at] = isFirst ? 0 : 1;
    accuraciesMeters[at] = BY_SEGMENT;
    if (isFirst && isSecond && rule !== undefined) {
      const preferredMeters = first.answers[at * ANSWER_NUMBERS + 2]!;
      const checkMeters = second.answers[at * ANSWER_NUMBERS + 2]!;
      accuraciesMeters[at] = combinedAccuracyMeters(rule, preferredMeters, checkMeters);
      choices[at] = preferredAnswers(rule, preferredMeters, checkMeters) ? 0 : 1;
    } else if (!isFirst && !isSecond) {
      choices[at] = NO_SOURCE;
      writeNone(batch, from + at);
    }
  }
}

/** Writes the answers for which a source was chosen. */
function writeAnswers({ sources }: AnswerPlan, choice: number, from: number, length: number, batch: CoastBatch): void {
  const source = sources[choice]!;
  const { vertices, answers } = found[choice]!;
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

/** Changes answers by the shores where tidal waters beyond them lie nearer, as `nearest` does. */
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
  const asked = (number: number): Asked => ({ source: sources[number]!, vertex: found[number]!.vertices[at]! });
  const isOtherAsked = sources.length > 1 && found[1 - choice]!.vertices[at] !== NOT_ASKED;
  const { frames } = points;
  const frame = at * FRAME_LENGTH;
  const other = isOtherAsked ? asked(1 - choice) : undefined;
  return pointSide(asked(choice), other, frames[frame]!, frames[frame + 1]!, frames[frame + 2]!);
}

/** The status tells already whether this is no point. */
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
