import { FRAME_LENGTH, writeFrame } from '../earth/ellipsoid.ts';

/** Fits the first-level cache. */
export const CHUNK = 128;

/** In columns: single numbers passed between functions would be boxed. */
export class PointChunk {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  readonly frames: Float64Array;

  constructor(capacity: number) {
    this.latitudes = new Float64Array(capacity);
    this.longitudes = new Float64Array(capacity);
    this.frames = new Float64Array(capacity * FRAME_LENGTH);
  }

  frame(count: number): void {
    const { latitudes, longitudes, frames } = this;
    for (let at = 0; at < count; at++) writeFrame(frames, latitudes[at]!, longitudes[at]!, at * FRAME_LENGTH);
  }
}

/** A point that is not searched. */
export const SKIPPED = -1;

/** Latitude, longitude (degrees), distance (meters), azimuth (degrees in [0, 360)). */
export const ANSWER_NUMBERS = 4;

export class AnswerChunk {
  /** First vertex of the nearest segment; set `SKIPPED` to skip a point. */
  readonly vertices: Int32Array;
  readonly answers: Float64Array;

  constructor(capacity: number) {
    this.vertices = new Int32Array(capacity);
    this.answers = new Float64Array(capacity * ANSWER_NUMBERS);
  }
}
