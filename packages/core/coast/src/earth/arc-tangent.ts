/** atan of -1, -31/32, … 1; not by the library, whose last digit differs between engines. */
const STEPS = 32;
const ARC_TANGENTS = Float64Array.from({ length: 2 * STEPS + 1 }, (_, step) =>
  arcTangentOfRatio((step - STEPS) / STEPS),
);

/** What is added to twice the half angle, and its sign: by whether x, then y, is negative. */
const TURNS = Float64Array.of(0, 0, Math.PI, -Math.PI);
const SENSES = Float64Array.of(2, 2, -2, -2);

/** Keeps a length of zero from dividing by it. */
const TINY = 1e-300;

/** The angle is halved three times, atan t = 2 atan(t / (1 + √(1 + t²))); what is left is below 0.1, and its series short. */
function arcTangentOfRatio(ratio: number): number {
  let t = ratio;
  for (let halving = 0; halving < 3; halving++) t /= 1 + Math.sqrt(1 + t * t);
  let sum = 0;
  for (let power = 21; power > 0; power -= 2) sum = 1 / power - t * t * sum;
  return 8 * t * sum;
}

/**
 * The angle of the vector (x, y) from the x axis in radians, in [-π, π], as `Math.atan2(y, x)` to within two units of the last
 * place of π; 0 for the zero vector and for one shorter than 1e-150. In less than half the time of the library, and without a
 * branch, which directions all around would make the processor guess wrong: tan(θ/2) = y / (|x| + √(x² + y²)) lies between -1
 * and 1.
 */
export function arcTangent(y: number, x: number): number {
  const quadrant = (Number(x < 0) << 1) | Number(y < 0);
  return TURNS[quadrant]! + SENSES[quadrant]! * arcTangentWithin(y, Math.abs(x) + Math.sqrt(x * x + y * y) + TINY);
}

/** The same for |y| ≤ x, x > 0: the ratio is brought within half a step of the table, and four terms of the series do the rest. */
export function arcTangentWithin(y: number, x: number): number {
  const step = ((y / x) * STEPS + (STEPS + 0.5)) | 0;
  const base = (step - STEPS) / STEPS;
  const t = (y - base * x) / (x + base * y);
  const t2 = t * t;
  return ARC_TANGENTS[step]! + t * (1 - t2 * (1 / 3 - t2 * (1 / 5 - t2 * (1 / 7 - t2 * (1 / 9)))));
}

/** As `arcTangent`, faster where the direction is within 45° of the x axis, as it mostly is. */
export function arcTangentAhead(y: number, x: number): number {
  return Math.abs(y) < x ? arcTangentWithin(y, x) : arcTangent(y, x);
}
