import { CoastError } from '../coast-error.ts';
import { checkCertainty } from './likelihood.ts';

/** Status: answered. */
export const BATCH_ANSWERED = 0;
/** Status: latitude or longitude out of range. */
export const BATCH_INVALID_POINT = 1;
/** Status: outside the coverage. */
export const BATCH_OUTSIDE_COVERAGE = 2;

/** Answers to many points, one array per number; NaN unless the status is `BATCH_ANSWERED`. */
export interface CoastBatch {
  readonly statuses: Uint8Array;
  readonly coastLatitudes: Float64Array;
  readonly coastLongitudes: Float64Array;
  readonly distancesMeters: Float64Array;
  readonly azimuthsDegrees: Float64Array;
  readonly accuraciesMeters: Float64Array;
  /** As in `CoastAnswer`. */
  readonly minimaMeters: Float64Array;
  readonly maximaMeters: Float64Array;
  /** 1 if tidal waters beyond the shores changed the answer. */
  readonly tidalRivers: Uint8Array;
  /** Index in `Coast.datasets` followed by `Coast.tidalWaters`. */
  readonly sources: Uint8Array;
  /** First vertex of the nearest segment; −1 for tidal waters. */
  readonly segments: Int32Array;
  /** One for each certainty. */
  readonly intervals: readonly CertaintyColumns[];
}

/** Columns of `CoastAnswer.intervalAt`. */
export interface CertaintyColumns {
  readonly certainty: number;
  readonly minimaMeters: Float64Array;
  readonly maximaMeters: Float64Array;
}

/** Options of `createCoastBatch`. */
export interface CoastBatchOptions {
  /** Shared memory: threads can fill slices (see `sliceCoastBatch`). @default false */
  readonly shared?: boolean;
  /** Adds columns of `CoastAnswer.intervalAt` for each. @default [] */
  readonly certainties?: readonly number[];
}

/**
 * Allocates answers to `length` points.
 * @example
 * const batch = createCoastBatch(latitudes.length);
 * coast.nearestMany({ latitudes, longitudes }, { batch });
 */
export function createCoastBatch(length: number, options: CoastBatchOptions = {}): CoastBatch {
  if (!Number.isInteger(length) || length < 0) {
    throw new CoastError('invalid_option', `a batch of ${length} points: expected a whole number`);
  }
  const allocate = (bytes: number): ArrayBuffer =>
    // The types of typed arrays allow only one kind of memory.
    (options.shared === true ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)) as ArrayBuffer;
  return {
    statuses: new Uint8Array(allocate(length)),
    coastLatitudes: new Float64Array(allocate(length * 8)),
    coastLongitudes: new Float64Array(allocate(length * 8)),
    distancesMeters: new Float64Array(allocate(length * 8)),
    azimuthsDegrees: new Float64Array(allocate(length * 8)),
    accuraciesMeters: new Float64Array(allocate(length * 8)),
    minimaMeters: new Float64Array(allocate(length * 8)),
    maximaMeters: new Float64Array(allocate(length * 8)),
    tidalRivers: new Uint8Array(allocate(length)),
    sources: new Uint8Array(allocate(length)),
    segments: new Int32Array(allocate(length * 4)),
    intervals: (options.certainties ?? []).map((certainty) => {
      checkCertainty(certainty);
      return {
        certainty,
        minimaMeters: new Float64Array(allocate(length * 8)),
        maximaMeters: new Float64Array(allocate(length * 8)),
      };
    }),
  };
}

/**
 * Returns a slice over the same memory.
 * @example
 * const half = sliceCoastBatch(batch, 0, batch.statuses.length / 2);
 */
export function sliceCoastBatch(batch: CoastBatch, from: number, to: number): CoastBatch {
  return {
    statuses: batch.statuses.subarray(from, to),
    coastLatitudes: batch.coastLatitudes.subarray(from, to),
    coastLongitudes: batch.coastLongitudes.subarray(from, to),
    distancesMeters: batch.distancesMeters.subarray(from, to),
    azimuthsDegrees: batch.azimuthsDegrees.subarray(from, to),
    accuraciesMeters: batch.accuraciesMeters.subarray(from, to),
    minimaMeters: batch.minimaMeters.subarray(from, to),
    maximaMeters: batch.maximaMeters.subarray(from, to),
    tidalRivers: batch.tidalRivers.subarray(from, to),
    sources: batch.sources.subarray(from, to),
    segments: batch.segments.subarray(from, to),
    intervals: batch.intervals.map(({ certainty, minimaMeters, maximaMeters }) => ({
      certainty,
      minimaMeters: minimaMeters.subarray(from, to),
      maximaMeters: maximaMeters.subarray(from, to),
    })),
  };
}
