import type { FeatureMap } from './feature-role.ts';

/** Options for files without codes. */
export interface PlainMapOptions {
  /** @default ['tidal'] */
  readonly layers?: readonly string[];
  /** @default 'coast' */
  readonly shore?: string;
  /** Area that polygons enclose. @default 'land' */
  readonly polygons?: 'land' | 'water';
}

/**
 * Makes every feature a shore.
 * @example
 * const map = everyFeature({ shore: 'Pacific', polygons: 'water' });
 */
export function everyFeature({
  layers = ['tidal'],
  shore = 'coast',
  polygons = 'land',
}: PlainMapOptions = {}): FeatureMap {
  return () => ({ role: 'shore', layers, shore, polygons });
}
