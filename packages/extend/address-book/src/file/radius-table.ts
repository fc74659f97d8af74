/** Methods of estimating a place: on a range of numbers, between two houses, or along a street. */
export type EstimateMethod = 'range' | 'between' | 'street';
/** `urban` if ZIP points are close together, where streets and lots are short. */
export type Setting = 'urban' | 'rural';
/** Class of the span of an estimate. */
export type Size = 'short' | 'middle' | 'long';

/** An estimate. Its radius is a multiple of its span. */
export interface Estimate {
  readonly method: EstimateMethod;
  readonly setting: Setting;
  /** Distance to the farthest record that the estimate uses, plus the allowance from the road to the house. */
  readonly spanMeters: number;
}

/** In 97 % of the samples, the error was at most `factor` times the span. */
export interface MeasuredRadius {
  readonly method: EstimateMethod;
  readonly setting: Setting;
  readonly size: Size;
  readonly factor: number;
  readonly samples: number;
}

/** Minimum for estimating a quantile. */
export const MIN_SAMPLES = 60;

/**
 * Factors for books with too few samples: the radius contains all records that the estimate uses. Houses are farther from country roads.
 */
const unmeasured: Readonly<Record<Setting, number>> = { urban: 1, rural: 1.5 };

const sizes: readonly (readonly [size: Size, belowMeters: number])[] = [
  ['short', 100],
  ['middle', 300],
  ['long', Number.POSITIVE_INFINITY],
];

export function sizeOf(spanMeters: number): Size {
  return sizes.find(([, below]) => spanMeters < below)![0];
}

/** Maximum radius of an urban ZIP code. */
const URBAN_ZIP_METERS = 6_000;

export function settingOf(zipRadiusMeters: number | undefined): Setting {
  return zipRadiusMeters !== undefined && zipRadiusMeters <= URBAN_ZIP_METERS ? 'urban' : 'rural';
}

/** Radius that contains about 95 % of the homes, in meters: measured on the book, or a default multiple of the span. */
export function radiusMeters({ method, setting, spanMeters }: Estimate, measured: readonly MeasuredRadius[]): number {
  const size = sizeOf(spanMeters);
  const measurement = measured.find((one) => one.method === method && one.setting === setting && one.size === size);
  const factor =
    measurement !== undefined && measurement.samples >= MIN_SAMPLES ? measurement.factor : unmeasured[setting];
  return Math.ceil(factor * spanMeters);
}
