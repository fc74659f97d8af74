/** Layer of shores of other countries. They count only in definitions with `neighbours`. */
export const NEIGHBOUR_LAYER = 'neighbour';

/** A box in degrees, including its borders. West is not greater than east: use two boxes across 180°. */
export interface CoverageBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Distance of the drawn shore from the true one, measured by the publisher of the data. */
export interface ShorelineAccuracy {
  /**
   * Radius of accuracy (95 %) in meters of each layer, in the order of `layerNames`. A segment of several layers of the definition has
   * the smallest radius of them.
   */
  readonly radiusMeters: readonly number[];
  /** One sentence on how the radius was measured. */
  readonly method: string;
}

/**
 * Lines of shore as numbers.
 *
 * A segment runs from a vertex to the next one of the same line. A closed line repeats its first vertex at its end. Layers and shore of
 * the last vertex of a line are ignored.
 */
export interface Shoreline extends ShorelineHeader {
  /** Longitude, latitude pairs in degrees on WGS84, longitude in [-180, 180]. */
  readonly positions: Float64Array;
  /** First vertex of each line, then the number of vertices. */
  readonly lineStarts: Uint32Array;
  /** Bit mask per vertex: the layers of the segment that starts there. A neighbour's tidal shore is in `tidal` and `neighbour`. */
  readonly layers: Uint16Array;
  /** Number per vertex: the index in `shoreNames` of the segment that starts there. */
  readonly shores: Uint8Array;
}

/** Properties of a whole shoreline. */
export interface ShorelineHeader {
  /** Short name of the data, such as `gshhg-us`. */
  readonly name: string;
  readonly version: string;
  /** Authors and licence of the data. */
  readonly attribution: string;
  /** Up to 16 names, such as `tidal`, `ocean`, `ocean_narrow`, `ocean_wide`, `great_lakes`, `neighbour`. Bit 0 is the first. */
  readonly layerNames: readonly string[];
  /** Names such as `Atlantic`, `Gulf`, `Pacific`, `Bering`, `Arctic`, `Caribbean`, `Great Lakes`. */
  readonly shoreNames: readonly string[];
  /** Side of the water, seen along the line. */
  readonly water: 'left' | 'right' | 'unknown';
  readonly accuracy: ShorelineAccuracy;
  /** Boxes in which the data is complete. An empty list means the whole world. */
  readonly coverage: readonly CoverageBox[];
}

/**
 * Combines two independent shorelines into one answer. The preferred one answers unless its distance exceeds that of the check by
 * more than `excessMeters`, which means that it lacks that shore. The radius of accuracy is
 * `baseMeters + disagreementFactor × |preferred − check|`, up to the ceiling of the shoreline that answers.
 */
export interface CombinationRule {
  readonly excessMeters: number;
  readonly baseMeters: number;
  readonly disagreementFactor: number;
  readonly preferredCeilingMeters: number;
  readonly checkCeilingMeters: number;
}
