import { FRAME_LENGTH } from '../earth/ellipsoid.ts';
import { ANSWER_NUMBERS, AnswerChunk, PointChunk, SKIPPED } from '../search/point-chunk.ts';
import { type ShoreSide, shoreSide } from '../search/shore-side.ts';
import { layerNamesOf } from '../shoreline/coast-definition.ts';
import { isCovered } from '../shoreline/coverage.ts';
import type { AnswerPlan } from './answer-plan.ts';
import { ErrorDistribution } from './error-distribution.ts';
import type { Likelihood } from './likelihood.ts';
import { accuracyOf, distributionOf, type SourceSearch } from './source-search.ts';

/**
 * Searches the shores of a plan for the points of a chunk and combines them. With distances dᵢ to the nearest segments of both shorelines
 * and the radii rᵢ of these segments:
 *
 *     distance = min(d₁, d₂)    min = max(0, min(d₁ − r₁, d₂ − r₂))    max = min(d₁ + r₁, d₂ + r₂)
 *
 * With a table of classes, the check has only shores that the preferred shoreline lacks. Without one both draw most shores: both then have
 * the smaller radius, and the preferred one gives the distance unless the check is nearer by more than that.
 *
 * Two classifications of an ocean that differ by more than the radius of the lines widen the interval to both.
 */

/** No source covers the point. */
export const NO_SOURCE = 255;

export class ShoreChunk {
  readonly points: PointChunk;
  /** Set to 0 to skip a point. */
  readonly valid: Uint8Array;
  /** In the order of `AnswerPlan.sources`. */
  readonly results: readonly [AnswerChunk, AnswerChunk];
  /** By another classification. */
  readonly other: AnswerChunk;
  /** Number of the source that gives distance, minimum and maximum. */
  readonly choices: Uint8Array;
  readonly minChoices: Uint8Array;
  readonly maxChoices: Uint8Array;
  readonly radii: Float64Array;
  readonly minima: Float64Array;
  readonly maxima: Float64Array;
  readonly #bounds: Float64Array;

  constructor(capacity: number) {
    this.points = new PointChunk(capacity);
    this.valid = new Uint8Array(capacity).fill(1);
    this.results = [new AnswerChunk(capacity), new AnswerChunk(capacity)];
    this.other = new AnswerChunk(capacity);
    this.choices = new Uint8Array(capacity);
    this.minChoices = new Uint8Array(capacity);
    this.maxChoices = new Uint8Array(capacity);
    this.radii = new Float64Array(capacity);
    this.minima = new Float64Array(capacity);
    this.maxima = new Float64Array(capacity);
    this.#bounds = new Float64Array(capacity);
  }

  search({ sources, other }: AnswerPlan, count: number): void {
    this.points.frame(count);
    const [first, second] = sources;
    this.#searchSource(first!, count, this.results[0]);
    if (second !== undefined) {
      // Few segments of a check are left in a conflation: the nearest can be far, in a region that is not read yet.
      this.#searchSource(second, count, this.results[1], second.isByClass ? this.#boundsOf(second, count) : undefined);
      this.#combine(first!, second, count);
    } else this.#choose(first!, 0, count);
    if (other === undefined) return;
    this.#searchSource(other.source, count, this.other);
    this.#widen(other.radiusMeters, count);
  }

  sideOf({ sources }: AnswerPlan, at: number): ShoreSide {
    const choice = this.choices[at]!;
    const { frames } = this.points;
    const frame = at * FRAME_LENGTH;
    const resultOf = (number: number) => ({
      source: sources[number]!,
      vertex: this.results[number]!.vertices[at]!,
    });
    const hasOther = sources.length === 2 && this.results[1 - choice]!.vertices[at] !== SKIPPED;
    const answering = resultOf(choice);
    const second = hasOther ? resultOf(1 - choice) : undefined;
    return pointSide(answering, second, frames[frame]!, frames[frame + 1]!, frames[frame + 2]!);
  }

  addShores({ sources, other }: AnswerPlan, at: number, likelihood: Likelihood): void {
    for (let number = 0; number < sources.length; number++) {
      const vertex = this.results[number]!.vertices[at]!;
      if (vertex === SKIPPED) continue;
      likelihood.add(this.#metersOf(number, at), distributionOf(sources[number]!, vertex, this.radii[at]!));
    }
    if (other === undefined || this.other.vertices[at] === SKIPPED) return;
    const meters = this.other.answers[at * ANSWER_NUMBERS + 2]!;
    if (Math.abs(meters - this.#metersOf(this.choices[at]!, at)) <= other.radiusMeters) return;
    likelihood.setOther(meters, ErrorDistribution.ofRadius(other.radiusMeters));
  }

  #metersOf(number: number, at: number): number {
    return this.results[number]!.answers[at * ANSWER_NUMBERS + 2]!;
  }

  /** Farther segments of the second source change neither the interval nor, by more than a hundredth, a probability. */
  #boundsOf({ maxRadiusMeters }: SourceSearch, count: number): Float64Array {
    const { vertices } = this.results[0];
    for (let at = 0; at < count; at++) {
      this.#bounds[at] =
        vertices[at] === SKIPPED ? Number.POSITIVE_INFINITY : this.#metersOf(0, at) + 2 * maxRadiusMeters;
    }
    return this.#bounds;
  }

  #searchSource(source: SourceSearch, count: number, into: AnswerChunk, maxMeters?: Float64Array): void {
    const { coverage } = source.index.header;
    const { latitudes, longitudes } = this.points;
    for (let at = 0; at < count; at++) {
      const isSearched = this.valid[at] === 1 && isCovered(coverage, latitudes[at]!, longitudes[at]!);
      into.vertices[at] = isSearched ? 0 : SKIPPED;
    }
    source.search.nearestOfEach(this.points, count, into, maxMeters);
  }

  #choose(source: SourceSearch, number: number, count: number): void {
    for (let at = 0; at < count; at++) this.#chooseOne(source, number, at);
  }

  #chooseOne(source: SourceSearch, number: number, at: number): void {
    const { vertices, answers } = this.results[number]!;
    const vertex = vertices[at]!;
    this.choices[at] = this.minChoices[at] = this.maxChoices[at] = vertex === SKIPPED ? NO_SOURCE : number;
    if (vertex === SKIPPED) return;
    const meters = answers[at * ANSWER_NUMBERS + 2]!;
    const radius = accuracyOf(source, vertex);
    this.radii[at] = radius;
    this.minima[at] = Math.max(0, meters - radius);
    this.maxima[at] = meters + radius;
  }

  #combine(preferred: SourceSearch, check: SourceSearch, count: number): void {
    const [first, second] = this.results;
    for (let at = 0; at < count; at++) {
      const firstVertex = first.vertices[at]!;
      const secondVertex = second.vertices[at]!;
      if (firstVertex === SKIPPED || secondVertex === SKIPPED) {
        const number = firstVertex === SKIPPED ? 1 : 0;
        this.#chooseOne(number === 0 ? preferred : check, number, at);
        continue;
      }
      const firstMeters = first.answers[at * ANSWER_NUMBERS + 2]!;
      const secondMeters = second.answers[at * ANSWER_NUMBERS + 2]!;
      let firstRadius = accuracyOf(preferred, firstVertex);
      let secondRadius = accuracyOf(check, secondVertex);
      let slack = 0;
      if (!preferred.isByClass) slack = firstRadius = secondRadius = Math.min(firstRadius, secondRadius);
      const isFirst = firstMeters <= secondMeters + slack;
      this.choices[at] = isFirst ? 0 : 1;
      this.radii[at] = isFirst ? firstRadius : secondRadius;
      const isFirstMin = firstMeters - firstRadius <= secondMeters - secondRadius;
      this.minChoices[at] = isFirstMin ? 0 : 1;
      this.minima[at] = Math.max(0, isFirstMin ? firstMeters - firstRadius : secondMeters - secondRadius);
      const isFirstMax = firstMeters + firstRadius <= secondMeters + secondRadius;
      this.maxChoices[at] = isFirstMax ? 0 : 1;
      this.maxima[at] = isFirstMax ? firstMeters + firstRadius : secondMeters + secondRadius;
    }
  }

  #widen(radius: number, count: number): void {
    for (let at = 0; at < count; at++) {
      const choice = this.choices[at]!;
      if (choice === NO_SOURCE || this.other.vertices[at] === SKIPPED) continue;
      const meters = this.other.answers[at * ANSWER_NUMBERS + 2]!;
      if (Math.abs(meters - this.#metersOf(choice, at)) <= radius) continue;
      if (meters - radius < this.minima[at]!) {
        this.minima[at] = Math.max(0, meters - radius);
        this.minChoices[at] = 1;
      }
      if (meters + radius > this.maxima[at]!) {
        this.maxima[at] = meters + radius;
        this.maxChoices[at] = 1;
      }
    }
  }
}

interface SourceResult {
  readonly source: SourceSearch;
  readonly vertex: number;
}

/**
 * The side by the nearest shore. The preferred shoreline of a conflation has whole polygons: where it is the nearest, it decides. Its
 * land may be water that only the check has, so land and water by the two is unknown.
 *
 * Without a conflation two datasets must agree, because a line that ends or folds puts the wrong side behind it, tens of kilometers away.
 * If only one has a side, `water` becomes unknown. A dataset without this kind of shore (a lake, a neighbour's) is ignored. The point is
 * in units of a frame.
 */
function pointSide(
  answering: SourceResult,
  other: SourceResult | undefined,
  px: number,
  py: number,
  pz: number,
): ShoreSide {
  const side = sideBy(answering, px, py, pz);
  if (other === undefined || !hasShoreOf(other, answering)) return side;
  if (answering.source.isByClass && answering.source.number === 0) return side;
  const otherSide = sideBy(other, px, py, pz);
  if (side === otherSide) return side;
  if (side === 'unknown' || otherSide === 'unknown') {
    return side === 'land' || otherSide === 'land' ? 'land' : 'unknown';
  }
  return 'unknown';
}

function hasShoreOf(other: SourceResult, { source, vertex }: SourceResult): boolean {
  const { header, lines } = source.index;
  return layerNamesOf(header, lines.layers[vertex]!).every((name) => other.source.shoreLayers.has(name));
}

function sideBy({ source, vertex }: SourceResult, px: number, py: number, pz: number): ShoreSide {
  const { header, lines } = source.index;
  return shoreSide(lines, header.water, vertex, px, py, pz);
}
