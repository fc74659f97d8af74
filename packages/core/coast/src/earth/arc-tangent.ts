/** atan of -1, -31/32, … 1. Computed here because the last digit of `Math.atan` differs between engines. */
const STEPS = 32;
const ARC_TANGENTS = Float64Array.from({ length: 2 * STEPS + 1 }, (_, step) =>
  arcTangentOfRatio((step - STEPS) / STEPS),
);

/** Added to twice the half angle, and its sign, by the signs of x and y. */
const TURNS = Float64Array.of(0, 0, Math.PI, -Math.PI);
const SENSES = Float64Array.of(2, 2, -2, -2);

const TINY = 1e-300;

/** Halves the angle three times by atan t = 2 atan(t / (1 + √(1 + t²))), then sums the series of a ratio below 0.1. */
function arcTangentOfRatio(ratio: number): number {
  let t = ratio;
  for (let halving = 0; halving < 3; halving++) t /= 1 + Math.sqrt(1 + t * t);
  let sum = 0;
  for (let power = 21; power > 0; power -= 2) sum = 1 / power - t * t * sum;
  return 8 * t * sum;
}

/**
 * Like `Math.atan2(y, x)`, to two units of the last place of π; 0 for a vector shorter than 1e-150. Half the time of the library,
 * without branches that random directions would mispredict. Idea: tan(θ/2) = y / (|x| + √(x² + y²)) is between -1 and 1.
 */
export function arcTangent(y: number, x: number): number {
  const quadrant = (Number(x < 0) << 1) | Number(y < 0);
  return TURNS[quadrant]! + SENSES[quadrant]! * arcTangentWithin(y, Math.abs(x) + Math.sqrt(x * x + y * y) + TINY);
}

/** For |y| ≤ x, x > 0: the nearest ratio of the table plus five terms of the series. */
export function arcTangentWithin(y: number, x: number): number {
  const step = ((y / x) * STEPS + (STEPS + 0.5)) | 0;
  const base = (step - STEPS) / STEPS;
  const t = (y - base * x) / (x + base * y);
  const t2 = t * t;
  return ARC_TANGENTS[step]! + t * (1 - t2 * (1 / 3 - t2 * (1 / 5 - t2 * (1 / 7 - t2 * (1 / 9)))));
}

/** Like `arcTangent`, but faster within 45° of the x axis. */
export function arcTangentAhead(y: number, x: number): number {
  return Math.abs(y) < x ? arcTangentWithin(y, x) : arcTangent(y, x);
}
