import type { CoastAnswer } from '../answer/coast.ts';
import type { GeographicPoint } from '../earth/geographic-point.ts';
import { type Footprint, onPlane } from './footprint.ts';
import { type GeoJsonArea, readFootprint } from './read-footprint.ts';

/** How far the shore is from the ground that a building covers. */
export interface FootprintAnswer {
  /** Of the point of the footprint that is nearest to the shore. */
  readonly nearest: CoastAnswer;
  /** Of the point whose nearest shore is the farthest. */
  readonly farthest: CoastAnswer;
  /** Between what the true distance of every point of it lies: the errors of the shore included. */
  readonly minMeters: number;
  readonly maxMeters: number;
  /** By no more than so much the nearest and the farthest point can be nearer, or farther, than found. */
  readonly toleranceMeters: number;
}

/** A tenth of a metre, or for what is large a two-thousandth of it. */
const MIN_TOLERANCE = 0.1;
const TOLERANCE_SHARE = 1 / 2_000;
/** No more points are asked for; what is left open then widens the interval. */
const MAX_QUESTIONS = 3_000;

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly half: number;
  readonly answer: CoastAnswer;
}

/**
 * The nearest and the farthest shore over a footprint: the least and the greatest, over all of its points and not only its corners,
 * of the distance to the nearest shore. That distance changes by no more than one goes, so squares of the footprint are divided until
 * their middles tell all of their points to within the tolerance (branch and bound by the Lipschitz constant 1). Throws what
 * `nearest` throws, and `invalid_footprint` for what is none.
 */
export function measureFootprint(
  nearest: (point: GeographicPoint) => CoastAnswer,
  footprint: Footprint | GeoJsonArea,
): FootprintAnswer {
  const plane = onPlane(readFootprint(footprint));
  const tolerance = Math.max(MIN_TOLERANCE, plane.side * TOLERANCE_SHARE);
  const inside: CoastAnswer[] = plane.points.map(nearest);
  let best = { nearest: inside[0]!, farthest: inside[0]!, min: inside[0]!, max: inside[0]! };
  const take = (answer: CoastAnswer) => {
    best = {
      nearest: answer.distanceMeters < best.nearest.distanceMeters ? answer : best.nearest,
      farthest: answer.distanceMeters > best.farthest.distanceMeters ? answer : best.farthest,
      min: answer.minMeters < best.min.minMeters ? answer : best.min,
      max: answer.maxMeters > best.max.maxMeters ? answer : best.max,
    };
  };
  inside.forEach(take);
  let questions = inside.length;
  const ask = (x: number, y: number, half: number): Cell[] => {
    if (!plane.touches(x, y, half)) return [];
    questions += 1;
    const answer = nearest(plane.pointAt(x, y));
    if (plane.holds(x, y)) take(answer);
    return [{ x, y, half, answer }];
  };
  const isOpen = ({ answer, half }: Cell) => {
    const reach = half * Math.SQRT2;
    return (
      answer.distanceMeters - reach < best.nearest.distanceMeters - tolerance ||
      answer.distanceMeters + reach > best.farthest.distanceMeters + tolerance ||
      answer.minMeters - reach < best.min.minMeters - tolerance ||
      answer.maxMeters + reach > best.max.maxMeters + tolerance
    );
  };
  const half = plane.side / 2;
  let cells = ask(plane.west + half, plane.south + half, half);
  for (cells = cells.filter(isOpen); cells.length > 0; cells = cells.filter(isOpen)) {
    if (questions + 4 * cells.length > MAX_QUESTIONS) break;
    cells = cells.flatMap(({ x, y, half: whole }) => {
      const quarter = whole / 2;
      return [-quarter, quarter].flatMap((dx) => [-quarter, quarter].flatMap((dy) => ask(x + dx, y + dy, quarter)));
    });
  }
  const left = Math.max(tolerance, ...cells.map((cell) => excessOf(cell, best)));
  return {
    nearest: best.nearest,
    farthest: best.farthest,
    minMeters: Math.max(0, best.min.minMeters - left),
    maxMeters: best.max.maxMeters + left,
    toleranceMeters: left,
  };
}

/** By how much a square that was not divided further can hold what is nearer or farther than found. */
function excessOf(
  { answer, half }: Cell,
  best: {
    readonly nearest: CoastAnswer;
    readonly farthest: CoastAnswer;
    readonly min: CoastAnswer;
    readonly max: CoastAnswer;
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
