import type { GeographicPoint } from '../earth/geographic-point.ts';
import type { ShoreSide } from '../search/shore-side.ts';
import type { CoastDefinition, CoastDefinitionInput } from '../shoreline/coast-definition.ts';
import type { ShorelineHeader } from '../shoreline/shoreline.ts';
import type { CoastBatch } from './coast-batch.ts';

/** The nearest point of the shore, and all that is to be known of it. */
export interface CoastAnswer {
  /** The point asked about. */
  readonly point: GeographicPoint;
  readonly coast: GeographicPoint;
  /** The length of the geodesic on WGS84. */
  readonly distanceMeters: number;
  /** The direction in which that geodesic sets out from the point, clockwise from north in [0, 360); 0 where the distance is 0. */
  readonly azimuthDegrees: number;
  /** What counted as coast. */
  readonly definition: CoastDefinition;
  /** All layers to which the shore found belongs. */
  readonly layers: readonly string[];
  /** The name of the shore found, such as `Gulf`. */
  readonly shore: string;
  /** Whether the point lies on the land or in the water of the definition. */
  readonly side: ShoreSide;
  readonly dataset: CoastDataset;
  /** The true distance to the water of `dataset` lies within so many metres of `distanceMeters`, in 95 % of cases. */
  readonly accuracyMeters: number;
  /**
   * Between what the true distance lies: `distanceMeters` ± `accuracyMeters`, but where tidal waters beyond the shores are known or
   * possible, which the interval then spans, and so is not symmetric.
   */
  readonly minMeters: number;
  readonly maxMeters: number;
  /** The names of the datasets that tell the distance, the least and the greatest. */
  readonly decidedBy: { readonly distance: string; readonly min: string; readonly max: string };
  /** Whether tidal waters beyond the shores decide any of these: a river, a gauge, the way between two gauges. */
  readonly isTidalRiverPossible: boolean;
  /** Of two datasets, what each of them says. */
  readonly sources: readonly CoastSource[];
}

/** The data that gave an answer. */
export interface CoastDataset {
  readonly name: string;
  readonly version: string;
  readonly attribution: string;
}

/** What one of two shorelines alone says. */
export interface CoastSource {
  readonly dataset: string;
  readonly distanceMeters: number;
}

/**
 * Answers where the shore is. All methods throw a `CoastError`: `invalid_point` for what is no place on the earth,
 * `outside_coverage` where the data does not reach, `unknown_layer` and `no_shore` for definitions the data cannot answer.
 */
export interface Coast {
  /** What the datasets say of themselves, the preferred one first. */
  readonly datasets: readonly ShorelineHeader[];
  /** What the files of tidal waters beyond the shores say of themselves; they answer for `tidal`. */
  readonly tidalWaters: readonly ShorelineHeader[];
  /** The nearest shore by one definition; by default `tidal`. */
  nearest(point: GeographicPoint, definition?: CoastDefinitionInput): CoastAnswer;
  /** The nearest shore by each of several definitions, in their order. */
  nearestByEach(point: GeographicPoint, definitions: readonly CoastDefinitionInput[]): CoastAnswer[];
  /** The nearest points of the `count` nearest segments, nearest first. */
  nearestSeveral(point: GeographicPoint, count: number, definition?: CoastDefinitionInput): CoastAnswer[];
  /**
   * Answers many points at once into `batch` (see `createCoastBatch`), nothing allocated a point. A point that is none, or lies
   * beyond the data, gets a status and NaN, not an exception.
   */
  nearestMany(
    latitudes: Float64Array,
    longitudes: Float64Array,
    batch: CoastBatch,
    definition?: CoastDefinitionInput,
  ): void;
}
