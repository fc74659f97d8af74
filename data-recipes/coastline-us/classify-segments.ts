import type { LandMask } from './land-mask.ts';
import type { OpenWater } from './open-water.ts';

const METERS_PER_DEGREE = 111_195;

/** Samples of the water: at the shore, and beyond a strip due to the cells. */
const OFFSHORE_METERS = [70, 140, 210];

/**
 * Samples the water to the right, at most 250 m apart; a bit is set if most samples have it. Beyond the first land another water begins,
 * which does not count.
 */
export function oceanBits(
  a: readonly [number, number],
  b: readonly [number, number],
  mask: LandMask,
  water: OpenWater,
  bitCount: number,
): number {
  const cosine = Math.cos(a[1] * (Math.PI / 180));
  const dx = (b[0] - a[0]) * cosine;
  const dy = b[1] - a[1];
  const length = Math.hypot(dx, dy);
  if (length === 0) return 0;
  const samples = Math.max(1, Math.ceil((length * METERS_PER_DEGREE) / 250));
  const votes = new Array<number>(bitCount).fill(0);
  for (let i = 0; i < samples; i++) {
    const t = (i + 0.5) / samples;
    let bits = 0;
    let inWater = false;
    for (const meters of OFFSHORE_METERS) {
      const step = meters / METERS_PER_DEGREE / length;
      const longitude = a[0] + t * (b[0] - a[0]) + (dy * step) / cosine;
      const latitude = a[1] + t * dy - dx * step;
      const onLand = mask.contains(longitude, latitude);
      if (onLand && inWater) break;
      if (onLand) continue;
      inWater = true;
      bits |= water.at(longitude, latitude);
    }
    for (let bit = 0; bit < bitCount; bit++) if ((bits & (1 << bit)) !== 0) votes[bit]!++;
  }
  return votes.reduce((all, count, bit) => (2 * count > samples ? all | (1 << bit) : all), 0);
}

/** Flips runs of a bit shorter than `minMeters` between two others on one line. */
export function settleShortRuns(bits: Uint8Array, lengths: Float64Array, bit: number, leastMeters: number): void {
  const flag = 1 << bit;
  let start = 0;
  while (start < bits.length) {
    let stop = start;
    let meters = 0;
    while (stop < bits.length && (bits[stop]! & flag) === (bits[start]! & flag)) meters += lengths[stop++]!;
    if (start > 0 && stop < bits.length && meters < leastMeters) for (let i = start; i < stop; i++) bits[i]! ^= flag;
    start = stop;
  }
}
