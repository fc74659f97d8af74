import { FRAME_LENGTH, writeFrame } from '../earth/ellipsoid.ts';

/** Number of points per chunk. Their numbers fit the first-level cache. */
export const CHUNK = 128;

/** Points of a search, in columns. Single numbers passed between functions would be boxed. */
export class PointChunk {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** `FRAME_LENGTH` numbers per point (see `writeFrame`). */
  readonly frames: Float64Array;

  constructor(capacity: number) {
    this.latitudes = new Float64Array(capacity);
    this.longitudes = new Float64Array(capacity);
    this.frames = new Float64Array(capacity * FRAME_LENGTH);
  }

  /** Writes the frames of the first `count` points. */
  frame(count: number): void {
    const { latitudes, longitudes, frames } = this;
    for (let at = 0; at < count; at++) writeFrame(frames, latitudes[at]!, longitudes[at]!, at * FRAME_LENGTH);
  }
}

/** Marks a point that is not searched. */
export const SKIPPED = -1;

/** Numbers of an answer: latitude, longitude (degrees), distance (meters), azimuth (degrees in [0, 360)). */
export const ANSWER_NUMBERS = 4;

/** Answers to the points of a chunk. */
export class AnswerChunk {
  /** First vertex of the nearest segment. Set it to `SKIPPED` before a search to skip a point. */
  readonly vertices: Int32Array;
  /** `ANSWER_NUMBERS` per point. */
  readonly answers: Float64Array;

  constructor(capacity: number) {
    this.vertices = new Int32Array(capacity);
    this.answers = new Float64Array(capacity * ANSWER_NUMBERS);
  }
}
