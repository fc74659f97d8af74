import type { PointInput } from '../earth/point-input.ts';
import type { CoastDefinitionInput } from '../shoreline/coast-definition.ts';
import type { ShorelineHeader } from '../shoreline/shoreline.ts';
import type { CoastAnswer } from './coast-answer.ts';
import type { CoastBatch } from './coast-batch.ts';
import type { CoastPoints } from './coast-points.ts';
import type { CompactCoastBatch } from './compact-batch.ts';

/** True if the shore is certainly within a distance, false if it certainly is not. */
export type WithinAnswer = 'yes' | 'no' | 'undecided';

/** Options of `nearestMany`. */
export interface NearestManyOptions {
  /** @default `tidal` */
  readonly definition?: CoastDefinitionInput;
  /**
   * Points that are invalid or outside the data: `throw` names the first one and their number, `mark` gives them a status and NaN.
   * @default 'throw'
   */
  readonly unanswered?: 'throw' | 'mark';
  /** Adds columns of `CoastAnswer.intervalAt` for each certainty. @default [] */
  readonly certainties?: readonly number[];
  /** Filled and returned. Pass certainties to `createCoastBatch` then. @default new arrays */
  readonly batch?: CoastBatch;
}

/**
 * Finds the nearest shore. A point is `{ latitude, longitude }` or GeoJSON: `[longitude, latitude]`, a Point, or a Feature of a Point.
 * Methods throw a `CoastError`: `invalid_point`, `outside_coverage`, or `unknown_layer` and `no_shore` for definitions that the data cannot
 * answer.
 */
export interface Coast {
  /** The preferred one first. */
  readonly datasets: readonly ShorelineHeader[];
  readonly tidalWaters: readonly ShorelineHeader[];
  /** By default of `tidal`. */
  nearest(point: PointInput, definition?: CoastDefinitionInput): CoastAnswer;
  nearestByEach(point: PointInput, definitions: readonly CoastDefinitionInput[]): CoastAnswer[];
  nearestSeveral(point: PointInput, count: number, definition?: CoastDefinitionInput): CoastAnswer[];
  /** `yes` or `no` if the whole interval (95 %) is within `meters` or beyond, else `undecided`. */
  within(point: PointInput, meters: number, definition?: CoastDefinitionInput): WithinAnswer;
  /** Like `nearest`, without an allocation per point. */
  nearestMany(points: CoastPoints, options?: NearestManyOptions): CoastBatch;
  /** Like `nearestMany`, with 15 bytes per point. */
  nearestMany(points: CoastPoints, options: CompactOptions): CompactCoastBatch;
}

/** Options of `nearestMany` for a compact result. */
export interface CompactOptions extends Omit<NearestManyOptions, 'batch'> {
  readonly compact: true;
}
