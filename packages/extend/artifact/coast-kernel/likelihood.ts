// P(D ≤ L) = 1 − Π (1 − pᵢ Fᵢ(L − dᵢ)) over shores and waters at distances dᵢ with probabilities pᵢ, as in @leeward/coast (likelihood.ts).

import { data, header } from './shores';

const MAX_ENTRIES = 40;
const distances = memory.data(MAX_ENTRIES * 8, 8);
const weights = memory.data(MAX_ENTRIES * 8, 8);
/** A class (its offset), or 0 and a radius: Laplace's distribution. */
const classes = memory.data(MAX_ENTRIES * 4, 4);
const radii = memory.data(MAX_ENTRIES * 8, 8);
let count: u32 = 0;
let otherMeters: f64 = NaN;
let otherRadius: f64 = 0;

const OUTSIDE: f64 = 0.05;
const TOLERANCE_METERS: f64 = 0.01;
const MAX_DISTANCE_METERS: f64 = 1e8;
const MIN_SCALE_METERS: f64 = 1e-6;
/** ln 20: a radius of 95 % in scales of an exponential tail. */
const SCALES_PER_RADIUS: f64 = 2.995732273553991;

export function clearLikelihood(): void {
  count = 0;
  otherMeters = NaN;
}

export function addLikelihood(meters: f64, weight: f64, ofClass: u32, radius: f64): void {
  store<f64>(distances + count * 8, meters);
  store<f64>(weights + count * 8, weight);
  store<u32>(classes + count * 4, ofClass);
  store<f64>(radii + count * 8, radius);
  count++;
}

/** The distance by another classification of the ocean. */
export function setOther(meters: f64, radius: f64): void {
  otherMeters = meters;
  otherRadius = radius;
}

function laplace(meters: f64, radius: f64): f64 {
  const scale = max(radius / SCALES_PER_RADIUS, MIN_SCALE_METERS);
  return meters < 0 ? 0.5 * Math.exp(meters / scale) : 1.0 - 0.5 * Math.exp(-meters / scale);
}

function probabilityOfClass(meters: f64, ofClass: u32): f64 {
  const probabilities = data + header.probabilities;
  const at = data + ofClass;
  const quantiles = at + 24;
  const last = header.quantileCount - 1;
  const below = load<f64>(quantiles) - meters;
  if (below > 0) return load<f64>(probabilities) * Math.exp(-below / load<f64>(at, 8));
  const above = meters - load<f64>(quantiles + last * 8);
  if (above >= 0) return 1.0 - (1.0 - load<f64>(probabilities + last * 8)) * Math.exp(-above / load<f64>(at, 16));
  let number: u32 = 0;
  while (load<f64>(quantiles + number * 8, 8) <= meters) number++;
  const quantile = load<f64>(quantiles + number * 8);
  const share = (meters - quantile) / (load<f64>(quantiles + number * 8, 8) - quantile);
  const probability = load<f64>(probabilities + number * 8);
  return probability + (load<f64>(probabilities + number * 8, 8) - probability) * share;
}

function probabilityWithin(meters: f64, minMeters: f64, maxMeters: f64): f64 {
  let miss: f64 = 1;
  for (let number: u32 = 0; number < count; number++) {
    const ofClass = load<u32>(classes + number * 4);
    const beyond = meters - load<f64>(distances + number * 8);
    const probability = ofClass ? probabilityOfClass(beyond, ofClass) : laplace(beyond, load<f64>(radii + number * 8));
    miss *= 1.0 - load<f64>(weights + number * 8) * probability;
  }
  let probability = 1.0 - miss;
  if (otherMeters == otherMeters) probability = 1.0 - (miss + 1.0 - laplace(meters - otherMeters, otherRadius)) / 2.0;
  if (meters >= maxMeters) return max(probability, 1.0 - OUTSIDE);
  return meters < minMeters ? min(probability, OUTSIDE) : probability;
}

/** One-sided bounds at a certainty, each to the centimeter. */
export let lowerMeters: f64 = 0;
export let upperMeters: f64 = 0;

export function boundAt(certainty: f64, minMeters: f64, maxMeters: f64): void {
  const rest = 1.0 - certainty;
  let end = max(maxMeters, 1.0);
  while (probabilityWithin(end, minMeters, maxMeters) < certainty && end < MAX_DISTANCE_METERS) end *= 2.0;
  const atZero = probabilityWithin(0, minMeters, maxMeters);
  lowerMeters = upperMeters = 0;
  let high = end;
  if (atZero <= rest) {
    while (high - lowerMeters > TOLERANCE_METERS) {
      const middle = (lowerMeters + high) / 2.0;
      if (probabilityWithin(middle, minMeters, maxMeters) <= rest) lowerMeters = middle;
      else high = middle;
    }
  }
  if (atZero >= certainty) return;
  let low: f64 = 0;
  upperMeters = end;
  while (upperMeters - low > TOLERANCE_METERS) {
    const middle = (low + upperMeters) / 2.0;
    if (probabilityWithin(middle, minMeters, maxMeters) < certainty) low = middle;
    else upperMeters = middle;
  }
}
