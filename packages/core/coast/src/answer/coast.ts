import type { GeographicPoint } from '../earth/geographic-point.ts';
import type { ShoreSide } from '../search/shore-side.ts';
import type { CoastDefinition, CoastDefinitionInput } from '../shoreline/coast-definition.ts';
import type { ShorelineHeader } from '../shoreline/shoreline.ts';
import type { CoastBatch } from './coast-batch.ts';

/** The nearest point of the shore. */
export interface CoastAnswer {
  /** The point of the query. */
  readonly point: GeographicPoint;
  readonly coast: GeographicPoint;
  /** Length of the geodesic on WGS84. */
  readonly distanceMeters: number;
  /** Azimuth of the geodesic at the point, clockwise from north in [0, 360); 0 if the distance is 0. */
  readonly azimuthDegrees: number;
  readonly definition: CoastDefinition;
  /** All layers of the nearest segment. */
  readonly layers: readonly string[];
  /** Name of the shore, such as `Gulf`. */
  readonly shore: string;
  /** Side of the shore, for the water of the definition: a bay is not in the water of the ocean. */
  readonly side: ShoreSide;
  readonly dataset: CoastDataset;
  /** Radius in meters: the true distance is within `distanceMeters` ± `accuracyMeters` in 95 % of cases. */
  readonly accuracyMeters: number;
  /**
   * Interval of the true distance: `distanceMeters` ± `accuracyMeters`, at least 0. Near tidal waters beyond the shores it includes them and
   * is not symmetric.
   */
  readonly minMeters: number;
  readonly maxMeters: number;
  /** Names of the datasets that determine the distance, the minimum and the maximum. */
  readonly decidedBy: { readonly distance: string; readonly min: string; readonly max: string };
  /** True if tidal waters beyond the shores changed the answer: a river, a gauge, or a link between gauges. */
  readonly isTidalRiverPossible: boolean;
  /** The distance by each dataset. */
  readonly sources: readonly CoastSource[];
}

/** The dataset of an answer. */
export interface CoastDataset {
  readonly name: string;
  readonly version: string;
  readonly attribution: string;
}

/** The distance by one dataset alone. */
export interface CoastSource {
  readonly dataset: string;
  readonly distanceMeters: number;
}

/**
 * Finds the nearest shore. All methods throw a `CoastError`: `invalid_point`, `outside_coverage`, or `unknown_layer` and `no_shore` for
 * definitions that the data cannot answer.
 */
export interface Coast {
  /** Headers of the datasets, the preferred one first. */
  readonly datasets: readonly ShorelineHeader[];
  /** Headers of the tidal waters beyond the shores, which belong to `tidal`. */
  readonly tidalWaters: readonly ShorelineHeader[];
  /** Finds the nearest shore of one definition, by default `tidal`. */
  nearest(point: GeographicPoint, definition?: CoastDefinitionInput): CoastAnswer;
  /** Finds the nearest shore of each definition. */
  nearestByEach(point: GeographicPoint, definitions: readonly CoastDefinitionInput[]): CoastAnswer[];
  /** Finds the `count` nearest points of different segments, nearest first. */
  nearestSeveral(point: GeographicPoint, count: number, definition?: CoastDefinitionInput): CoastAnswer[];
  /**
   * Answers many points into `batch` (see `createCoastBatch`) without an allocation per point. An invalid point, or one outside the data,
   * gets a status and NaN instead of an exception.
   */
  nearestMany(
    latitudes: Float64Array,
    longitudes: Float64Array,
    batch: CoastBatch,
    definition?: CoastDefinitionInput,
  ): void;
}
