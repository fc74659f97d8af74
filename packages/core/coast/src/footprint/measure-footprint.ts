import type { CoastAnswer, CoastAnswerFields } from '../answer/coast-answer.ts';
import type { GeographicPoint } from '../earth/geographic-point.ts';
import { type Footprint, onPlane } from './footprint.ts';
import { type GeoJsonArea, readFootprint } from './read-footprint.ts';

/** The shore nearest to a building. */
export interface FootprintAnswer<Answer extends CoastAnswerFields = CoastAnswer> {
  /** For the nearest point of the footprint. */
  readonly nearest: Answer;
  /** For the point whose nearest shore is farthest. */
  readonly farthest: Answer;
  /** Each point's true distance is between `minMeters` and `maxMeters` (95 %). */
  readonly minMeters: number;
  readonly maxMeters: number;
  /** Maximum error caused by the search. */
  readonly toleranceMeters: number;
}

const MIN_TOLERANCE_METERS = 0.1;
/** Relative to the side of a large footprint. */
const TOLERANCE_SHARE = 1 / 2_000;
/** Squares that remain open then widen the interval. */
const MAX_QUERIES = 3_000;

interface Cell<Answer> {
  readonly x: number;
  readonly y: number;
  readonly half: number;
  readonly answer: Answer;
}

/**
 * Finds the nearest and farthest distance to the shore over a footprint. Branch and bound: moving a point by d changes its distance by
 * up to d, so the middle of a square bounds all of it. Squares are divided until the bounds are within the tolerance. @throws CoastError
 * `invalid_footprint`, or the errors of `nearest`.
 * @example
 * const { minMeters, maxMeters } = measureFootprint((point) => coast.nearest(point), polygon);
 */
export function measureFootprint<Answer extends CoastAnswerFields>(
  nearest: (point: GeographicPoint) => Answer,
  footprint: Footprint | GeoJsonArea,
): FootprintAnswer<Answer> {
  const plane = onPlane(readFootprint(footprint));
  const tolerance = Math.max(MIN_TOLERANCE_METERS, plane.side * TOLERANCE_SHARE);
  const inside: Answer[] = plane.points.map(nearest);
  let best = { nearest: inside[0]!, farthest: inside[0]!, min: inside[0]!, max: inside[0]! };
  const take = (answer: Answer) => {
    best = {
      nearest: answer.distanceMeters < best.nearest.distanceMeters ? answer : best.nearest,
      farthest: answer.distanceMeters > best.farthest.distanceMeters ? answer : best.farthest,
      min: answer.minMeters < best.min.minMeters ? answer : best.min,
      max: answer.maxMeters > best.max.maxMeters ? answer : best.max,
    };
  };
  inside.forEach(take);
  let queries = inside.length;
  const query = (x: number, y: number, half: number): Cell<Answer>[] => {
    if (!plane.touches(x, y, half)) return [];
    queries += 1;
    const answer = nearest(plane.pointAt(x, y));
    if (plane.contains(x, y)) take(answer);
    return [{ x, y, half, answer }];
  };
  const isOpen = ({ answer, half }: Cell<Answer>) => {
    const reach = half * Math.SQRT2;
    return (
      answer.distanceMeters - reach < best.nearest.distanceMeters - tolerance ||
      answer.distanceMeters + reach > best.farthest.distanceMeters + tolerance ||
      answer.minMeters - reach < best.min.minMeters - tolerance ||
      answer.maxMeters + reach > best.max.maxMeters + tolerance
    );
  };
  const half = plane.side / 2;
  let cells = query(plane.west + half, plane.south + half, half);
  for (cells = cells.filter(isOpen); cells.length > 0; cells = cells.filter(isOpen)) {
    if (queries + 4 * cells.length > MAX_QUERIES) break;
    cells = cells.flatMap(({ x, y, half: side }) => {
      const quarter = side / 2;
      return [-quarter, quarter].flatMap((dx) => [-quarter, quarter].flatMap((dy) => query(x + dx, y + dy, quarter)));
    });
  }
  const error = Math.max(tolerance, ...cells.map((cell) => excessOf(cell, best)));
  return {
    nearest: best.nearest,
    farthest: best.farthest,
    minMeters: Math.max(0, best.min.minMeters - error),
    maxMeters: best.max.maxMeters + error,
    toleranceMeters: error,
  };
}

function excessOf(
  { answer, half }: Cell<CoastAnswerFields>,
  best: {
    readonly nearest: CoastAnswerFields;
    readonly farthest: CoastAnswerFields;
    readonly min: CoastAnswerFields;
    readonly max: CoastAnswerFields;
  },
): number {
  const reach = half * Math.SQRT2;
  return Math.max(
    best.nearest.distanceMeters - answer.distanceMeters + reach,
    answer.distanceMeters + reach - best.farthest.distanceMeters,
    best.min.minMeters - answer.minMeters + reach,
    answer.maxMeters + reach - best.max.maxMeters,
  );
}
