const MIN_SCALE_METERS = 1e-6;
/** A radius of 95 % in scales of an exponential tail. */
const SCALES_PER_RADIUS = Math.log(20);

/**
 * The distribution of an error, true minus measured distance: linear between quantiles, with exponential tails that continue the slope of
 * the outermost two. A radius alone gives Laplace's distribution: errors of drawn shores have longer tails than normal ones.
 */
export class ErrorDistribution {
  readonly #probabilities: readonly number[];
  readonly #quantiles: readonly number[];
  readonly #lowScale: number;
  readonly #highScale: number;

  constructor(probabilities: readonly number[], quantiles: readonly number[], radiusMeters: number) {
    this.#probabilities = probabilities;
    this.#quantiles = quantiles;
    const scale = radiusMeters / SCALES_PER_RADIUS;
    const last = quantiles.length - 1;
    const [low, high] =
      last === 0
        ? [scale, scale]
        : [
            (quantiles[1]! - quantiles[0]!) / Math.log(probabilities[1]! / probabilities[0]!),
            (quantiles[last]! - quantiles[last - 1]!) /
              Math.log((1 - probabilities[last - 1]!) / (1 - probabilities[last]!)),
          ];
    this.#lowScale = Math.max(low, MIN_SCALE_METERS);
    this.#highScale = Math.max(high, MIN_SCALE_METERS);
  }

  static ofRadius(radiusMeters: number): ErrorDistribution {
    return new ErrorDistribution([0.5], [0], radiusMeters);
  }

  /** The probability of an error of at most `meters`. */
  probabilityOf(meters: number): number {
    const quantiles = this.#quantiles;
    const probabilities = this.#probabilities;
    const last = quantiles.length - 1;
    const below = quantiles[0]! - meters;
    if (below > 0) return probabilities[0]! * Math.exp(-below / this.#lowScale);
    const above = meters - quantiles[last]!;
    if (above >= 0) return 1 - (1 - probabilities[last]!) * Math.exp(-above / this.#highScale);
    let at = 0;
    while (quantiles[at + 1]! <= meters) at++;
    const share = (meters - quantiles[at]!) / (quantiles[at + 1]! - quantiles[at]!);
    return probabilities[at]! + (probabilities[at + 1]! - probabilities[at]!) * share;
  }
}
