/** Layer of other countries' shores; they count only in definitions with `neighbours`. */
export const NEIGHBOUR_LAYER = 'neighbour';

/** Class of a segment that another dataset draws better: never searched, but its line keeps its sides. */
export const SUPERSEDED_CLASS = 255;

/** Degrees, borders included. Use two boxes across 180°. */
export interface CoverageBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Distance of the drawn shore from the true one, by the data's publisher. */
export interface ShorelineAccuracy {
  /** Meters (95 %), in the order of `layerNames`. A segment of several layers of the definition has the smallest. */
  readonly radiusMeters: readonly number[];
  /** Probability that segments of a layer are water of the definition, in the order of `layerNames`. @default all 1 */
  readonly probabilities?: readonly number[];
  /** One sentence on the measurement. */
  readonly method: string;
}

/**
 * A segment runs from a vertex to the next one of its line. A closed line repeats its first vertex. Layers and shore of a line's last
 * vertex are ignored.
 */
export interface Shoreline extends ShorelineHeader {
  /** Longitude, latitude pairs in degrees on WGS84, longitude in [-180, 180]. */
  readonly positions: Float64Array;
  /** First vertex of each line, then the number of vertices. */
  readonly lineStarts: Uint32Array;
  /** Bit mask of the segment that starts at a vertex. A neighbour's tidal shore is `tidal` and `neighbour`. */
  readonly layers: Uint16Array;
  /** Index in `shoreNames` of the segment that starts at a vertex. */
  readonly shores: Uint8Array;
  /** Accuracy class of the segment that starts at a vertex. Not written to files. @default all 0 */
  readonly classes?: Uint8Array;
}

/** Properties of a whole shoreline. */
export interface ShorelineHeader {
  readonly name: string;
  readonly version: string;
  /** Authors and licence. */
  readonly attribution: string;
  /** Up to 16, such as `tidal`, `ocean`, `great_lakes`, `neighbour`. Bit 0 is the first. */
  readonly layerNames: readonly string[];
  /** Such as `Atlantic`, `Gulf`, `Great Lakes`. */
  readonly shoreNames: readonly string[];
  /** Seen along the line. */
  readonly water: 'left' | 'right' | 'unknown';
  readonly accuracy: ShorelineAccuracy;
  /** Boxes with complete data. An empty list means the world. */
  readonly coverage: readonly CoverageBox[];
}
