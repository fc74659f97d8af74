/** The name of the layer that marks another country's shore: such segments answer only where a query asks for them. */
export const NEIGHBOUR_LAYER = 'neighbour';

/** A box of longitudes and latitudes in degrees, borders included. West is never greater than east: a region across 180° is two boxes. */
export interface CoverageBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** How far from the true shore the drawn one may lie. Calibrated by whoever publishes the data, against independent shores. */
export interface ShorelineAccuracy {
  /**
   * The radius in metres within which the true distance lies (95 % of cases) when this shoreline answers alone:
   * one number per layer, in the order of `layerNames`. A segment takes the smallest of its layers that were asked for.
   */
  readonly radiusMeters: readonly number[];
  /** One sentence: against what, and how, the radius was measured. */
  readonly method: string;
}

/**
 * Lines of shore as numbers: the builder's input.
 *
 * A segment runs from a vertex to the next one of the same line. A closed line repeats its first vertex at its end.
 * What stands at the last vertex of a line (layers, shore) belongs to no segment and is ignored.
 */
export interface Shoreline extends ShorelineHeader {
  /** Longitude, latitude pairs in degrees on WGS84, in the order of the lines. Longitude in [-180, 180]. */
  readonly positions: Float64Array;
  /** The first vertex of each line, and the number of vertices at the end: one entry more than there are lines. */
  readonly lineStarts: Uint32Array;
  /** One bit mask a vertex: the layers of the segment that starts at it. A neighbour's tidal shore is `tidal` and `neighbour`. */
  readonly layers: Uint16Array;
  /** One number a vertex: the index in `shoreNames` of the segment that starts at it. */
  readonly shores: Uint8Array;
}

/** What is known of a shoreline as a whole. */
export interface ShorelineHeader {
  /** A short name of the data, such as `gshhg-us`. */
  readonly name: string;
  readonly version: string;
  /** Who is to be named, and the licence of the data. */
  readonly attribution: string;
  /** Up to 16 names, such as `tidal`, `ocean`, `ocean_narrow`, `ocean_wide`, `great_lakes`, `neighbour`. Bit 0 is the first. */
  readonly layerNames: readonly string[];
  /** Names such as `Atlantic`, `Gulf`, `Pacific`, `Bering`, `Arctic`, `Caribbean`, `Great Lakes`. */
  readonly shoreNames: readonly string[];
  /** The side on which the water lies, to one who walks along the line: decides whether a point is on land. */
  readonly water: 'left' | 'right' | 'unknown';
  readonly accuracy: ShorelineAccuracy;
  /** Where a nearest shore found here is truly the nearest one. Empty: the whole world. */
  readonly coverage: readonly CoverageBox[];
}

/**
 * How two independent shorelines give one answer. `preferred` is taken unless its distance exceeds that of `check` by
 * more than `excessMeters` (it lacks that shore then). The radius of accuracy grows with their disagreement:
 * `baseMeters + disagreementFactor × |preferred − check|`, never beyond the ceiling of the shoreline that answers.
 */
export interface CombinationRule {
  readonly excessMeters: number;
  readonly baseMeters: number;
  readonly disagreementFactor: number;
  readonly preferredCeilingMeters: number;
  readonly checkCeilingMeters: number;
}
