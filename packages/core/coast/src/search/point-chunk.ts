import { FRAME_LENGTH, writeFrame } from '../earth/ellipsoid.ts';

/** How many points are searched for side by side: their numbers fit the nearest cache. */
export const CHUNK = 128;

/** A few points on their way through a search, in columns: passed between functions, single numbers would each be boxed. */
export class PointChunk {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** `FRAME_LENGTH` numbers a point: see `writeFrame`. */
  readonly frames: Float64Array;

  constructor(most: number) {
    this.latitudes = new Float64Array(most);
    this.longitudes = new Float64Array(most);
    this.frames = new Float64Array(most * FRAME_LENGTH);
  }

  /** Writes the frames of the first `count` points. */
  frame(count: number): void {
    const { latitudes, longitudes, frames } = this;
    for (let at = 0; at < count; at++) writeFrame(frames, latitudes[at]!, longitudes[at]!, at * FRAME_LENGTH);
  }
}

/** Instead of a vertex: this point is not to be searched for. */
export const NOT_ASKED = -1;

/** An answer's numbers: latitude, longitude (degrees), distance (metres), azimuth (degrees in [0, 360)). */
export const ANSWER_NUMBERS = 4;

/** What a search finds for the points of a chunk. */
export class FoundChunk {
  /** The first vertex of the segment found, or `NOT_ASKED`, which stands there before the search. */
  readonly vertices: Int32Array;
  /** `ANSWER_NUMBERS` a point. */
  readonly answers: Float64Array;

  constructor(most: number) {
    this.vertices = new Int32Array(most);
    this.answers = new Float64Array(most * ANSWER_NUMBERS);
  }
}
