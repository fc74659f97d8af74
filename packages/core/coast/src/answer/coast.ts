import type { GeographicPoint } from '../earth/geographic-point.ts';
import type { ShoreSide } from '../search/shore-side.ts';
import type { CoastDefinition, CoastDefinitionInput } from '../shoreline/coast-definition.ts';
import type { ShorelineHeader } from '../shoreline/shoreline.ts';
import type { CoastBatch } from './coast-batch.ts';

/** The nearest point of the shore. */
export interface CoastAnswer {
  readonly point: GeographicPoint;
  readonly coast: GeographicPoint;
  /** On WGS84. */
  readonly distanceMeters: number;
  /** At the point, clockwise from north in [0, 360); 0 if the distance is 0. */
  readonly azimuthDegrees: number;
  readonly definition: CoastDefinition;
  readonly layers: readonly string[];
  /** For example `Gulf`. */
  readonly shore: string;
  /** For the water of the definition: a bay is not in the water of the ocean. */
  readonly side: ShoreSide;
  readonly dataset: CoastDataset;
  /** The true distance is within `distanceMeters` ± `accuracyMeters` in 95 % of cases. */
  readonly accuracyMeters: number;
  /** `distanceMeters` ± `accuracyMeters`, at least 0. Includes tidal waters beyond the shores and is then not symmetric. */
  readonly minMeters: number;
  readonly maxMeters: number;
  /** Names of datasets. */
  readonly decidedBy: { readonly distance: string; readonly min: string; readonly max: string };
  /** Tidal waters beyond the shores changed the answer: a river, a gauge, or a link between gauges. */
  readonly isTidalRiverPossible: boolean;
  /** By each dataset. */
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
 * Finds the nearest shore. Methods throw a `CoastError`: `invalid_point`, `outside_coverage`, or `unknown_layer` and `no_shore` for
 * definitions that the data cannot answer.
 */
export interface Coast {
  /** The preferred one first. */
  readonly datasets: readonly ShorelineHeader[];
  readonly tidalWaters: readonly ShorelineHeader[];
  /** By default of `tidal`. */
  nearest(point: GeographicPoint, definition?: CoastDefinitionInput): CoastAnswer;
  nearestByEach(point: GeographicPoint, definitions: readonly CoastDefinitionInput[]): CoastAnswer[];
  nearestSeveral(point: GeographicPoint, count: number, definition?: CoastDefinitionInput): CoastAnswer[];
  /** Fills `batch` without an allocation per point. An invalid point, or one outside the data, gets a status and NaN. */
  nearestMany(
    latitudes: Float64Array,
    longitudes: Float64Array,
    batch: CoastBatch,
    definition?: CoastDefinitionInput,
  ): void;
}
