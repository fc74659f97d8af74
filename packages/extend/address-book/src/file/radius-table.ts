/** Ways to reckon a place that is not in the book. */
export type ReckoningMethod = 'range' | 'between' | 'street';
/** Where ZIP codes lie near to each other, streets and lots are short. */
export type Setting = 'urban' | 'rural';
/** How long a street is, where radii hang on it. */
export type Size = 'short' | 'middle' | 'long';

/** What a reckoned place rests on: it spans so many meters around the place, and its radius is a share of them. */
export interface Reckoning {
  readonly method: ReckoningMethod;
  readonly setting: Setting;
  /** To the farthest of what the place was reckoned from, with an allowance for the way from the road to the house. */
  readonly spanMeters: number;
}

/** As a book keeps it: in 97 % of the samples the place was off by no more than `factor` times the span. */
export interface MeasuredRadius {
  readonly method: ReckoningMethod;
  readonly setting: Setting;
  readonly size: Size;
  readonly factor: number;
  readonly samples: number;
}

/** Fewer samples tell nothing of the twentieth that a radius leaves out. */
export const MIN_SAMPLES = 60;

/**
 * What counts where a book cannot tell: the radius holds all that the place was reckoned from, and on country roads, where
 * houses stand back from the road, half as much again.
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

/** ZIP codes whose neighbours lie nearer than this are towns. */
const URBAN_ZIP_METERS = 6_000;

export function settingOf(zipRadiusMeters: number | undefined): Setting {
  return zipRadiusMeters !== undefined && zipRadiusMeters <= URBAN_ZIP_METERS ? 'urban' : 'rural';
}

/** How far off a reckoned place may be, in 95 % of cases: as measured on the book, else by what it rests on. */
export function radiusMeters({ method, setting, spanMeters }: Reckoning, measured: readonly MeasuredRadius[]): number {
  const size = sizeOf(spanMeters);
  const found = measured.find((one) => one.method === method && one.setting === setting && one.size === size);
  const factor = found !== undefined && found.samples >= MIN_SAMPLES ? found.factor : unmeasured[setting];
  return Math.ceil(factor * spanMeters);
}
