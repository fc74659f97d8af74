import type { AnswerPlan } from './answer-plan.ts';
import { BATCH_ANSWERED, BATCH_INVALID_POINT, BATCH_OUTSIDE_COVERAGE, type CoastBatch } from './coast-batch.ts';
import { CoastError } from './coast-error.ts';
import { combinedAccuracyMeters, preferredAnswers } from './combine-sources.ts';
import { isCovered, isPoint } from './geographic-point.ts';
import { ANSWER_NUMBERS } from './shore-answer.ts';
import { CHUNK } from './shore-search.ts';
import type { SourceSearch } from './source-search.ts';

/** Answers many points, a chunk at a time. */
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
  const { sources } = plan;
  for (let from = 0; from < length; from += CHUNK) {
    const count = Math.min(CHUNK, length - from);
    checkChunk(sources, latitudes, longitudes, batch.statuses, from, count);
    for (const { search, chunk } of sources) {
      search.nearestChunk(latitudes, longitudes, from, count, batch.statuses, chunk.answers, chunk.vertices);
    }
    for (let index = 0; index < count; index++) {
      if (batch.statuses[from + index] === BATCH_ANSWERED) writeChosen(plan, index, batch, from + index);
      else writeNone(batch, from + index);
    }
  }
}

/** Gives each point of a chunk its status, as far as the point itself decides it. */
function checkChunk(
  sources: readonly SourceSearch[],
  latitudes: Float64Array,
  longitudes: Float64Array,
  statuses: Uint8Array,
  from: number,
  count: number,
): void {
  for (let at = from; at < from + count; at++) {
    const latitude = latitudes[at]!;
    const longitude = longitudes[at]!;
    if (!isPoint(latitude, longitude)) {
      statuses[at] = BATCH_INVALID_POINT;
      continue;
    }
    let covered = 0;
    for (let source = 0; source < sources.length; source++) {
      const { index, chunk } = sources[source]!;
      const reaches = isCovered(index.header.coverage, latitude, longitude) ? 1 : 0;
      chunk.covered[at - from] = reaches;
      covered += reaches;
    }
    statuses[at] = covered > 0 ? BATCH_ANSWERED : BATCH_OUTSIDE_COVERAGE;
  }
}

/** Chooses among the sources' answers to a point of a chunk and copies the numbers to the batch. */
function writeChosen({ sources, rule }: AnswerPlan, index: number, batch: CoastBatch, at: number): void {
  const number = index * ANSWER_NUMBERS;
  let source = sources[0]!;
  let accuracy = -1;
  if (sources.length === 2 && rule !== undefined) {
    const check = sources[1]!;
    if (source.chunk.covered[index] === 0) source = check;
    else if (check.chunk.covered[index] === 1) {
      const preferredMeters = source.chunk.answers[number + 2]!;
      const checkMeters = check.chunk.answers[number + 2]!;
      accuracy = combinedAccuracyMeters(rule, preferredMeters, checkMeters);
      if (!preferredAnswers(rule, preferredMeters, checkMeters)) source = check;
    }
  }
  const { answers, vertices } = source.chunk;
  const vertex = vertices[index]!;
  batch.coastLatitudes[at] = answers[number]!;
  batch.coastLongitudes[at] = answers[number + 1]!;
  batch.distancesMeters[at] = answers[number + 2]!;
  batch.azimuthsDegrees[at] = answers[number + 3]!;
  batch.accuraciesMeters[at] = accuracy >= 0 ? accuracy : source.accuracies[source.search.lines.layers[vertex]!]!;
  batch.sources[at] = source.number;
  batch.segments[at] = vertex;
}

function writeNone(batch: CoastBatch, at: number): void {
  batch.coastLatitudes[at] = Number.NaN;
  batch.coastLongitudes[at] = Number.NaN;
  batch.distancesMeters[at] = Number.NaN;
  batch.azimuthsDegrees[at] = Number.NaN;
  batch.accuraciesMeters[at] = Number.NaN;
  batch.sources[at] = 0;
  batch.segments[at] = -1;
}
