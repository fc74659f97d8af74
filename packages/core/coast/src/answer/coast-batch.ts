import { CoastError } from '../coast-error.ts';

/** What became of a point of a batch. */
export const BATCH_ANSWERED = 0;
/** Status of a row whose latitude or longitude is no place on Earth. */
export const BATCH_INVALID_POINT = 1;
/** Status of a row beyond what the shoreline covers. */
export const BATCH_OUTSIDE_COVERAGE = 2;

/** The answers of many points, one array for each number. Where the status is not 0 the numbers are NaN. */
export interface CoastBatch {
  readonly statuses: Uint8Array;
  readonly coastLatitudes: Float64Array;
  readonly coastLongitudes: Float64Array;
  readonly distancesMeters: Float64Array;
  readonly azimuthsDegrees: Float64Array;
  readonly accuraciesMeters: Float64Array;
  /** Between what the true distances lie, as `CoastAnswer.minMeters` and `maxMeters`. */
  readonly minimaMeters: Float64Array;
  readonly maximaMeters: Float64Array;
  /** 1 where tidal waters beyond the shores decide the distance, its least or its greatest. */
  readonly tidalRivers: Uint8Array;
  /** Which dataset answered: an index in `Coast.datasets`, and behind those in `Coast.tidalWaters`. */
  readonly sources: Uint8Array;
  /** The first vertex of the segment found, in that dataset; −1 of tidal waters. */
  readonly segments: Int32Array;
}

/** Whether the answer's columns lie in shared memory. Default false. */
export interface CoastBatchOptions {
  /** In shared memory, to be filled by several threads (each with a part of it, see `sliceCoastBatch`). */
  readonly shared?: boolean;
}

/** Makes room for the answers of `length` points. */
export function createCoastBatch(length: number, options: CoastBatchOptions = {}): CoastBatch {
  if (!Number.isInteger(length) || length < 0) {
    throw new CoastError('invalid_option', `a batch of ${length} points: expected a whole number`);
  }
  const room = (bytes: number): ArrayBuffer =>
    // Typed arrays take either kind of memory; their types name only one.
    (options.shared === true ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes)) as ArrayBuffer;
  return {
    statuses: new Uint8Array(room(length)),
    coastLatitudes: new Float64Array(room(length * 8)),
    coastLongitudes: new Float64Array(room(length * 8)),
    distancesMeters: new Float64Array(room(length * 8)),
    azimuthsDegrees: new Float64Array(room(length * 8)),
    accuraciesMeters: new Float64Array(room(length * 8)),
    minimaMeters: new Float64Array(room(length * 8)),
    maximaMeters: new Float64Array(room(length * 8)),
    tidalRivers: new Uint8Array(room(length)),
    sources: new Uint8Array(room(length)),
    segments: new Int32Array(room(length * 4)),
  };
}

/** A part of a batch, over the same memory. */
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
  };
}
