/** Longitude, latitude pairs in degrees, and the first vertex of each line, plus the end. */
export interface LineSet {
  readonly positions: Float64Array;
  readonly lineStarts: Uint32Array;
}

export class LineSetBuilder {
  #positions = new Float64Array(1 << 16);
  #count = 0;
  readonly #starts: number[] = [0];

  addVertex(longitude: number, latitude: number): void {
    if (2 * this.#count + 2 > this.#positions.length) {
      const grown = new Float64Array(this.#positions.length * 2);
      grown.set(this.#positions);
      this.#positions = grown;
    }
    this.#positions[2 * this.#count] = longitude;
    this.#positions[2 * this.#count + 1] = latitude;
    this.#count++;
  }

  /** Drops a line of fewer than two vertices. */
  endLine(): void {
    const first = this.#starts[this.#starts.length - 1]!;
    if (this.#count - first < 2) this.#count = first;
    else this.#starts.push(this.#count);
  }

  finish(): LineSet {
    this.endLine();
    return { positions: this.#positions.slice(0, 2 * this.#count), lineStarts: Uint32Array.from(this.#starts) };
  }
}

export function lineCount(lines: LineSet): number {
  return lines.lineStarts.length - 1;
}

export function segmentCount(lines: LineSet): number {
  return lines.positions.length / 2 - lineCount(lines);
}

export function isClosed(lines: LineSet, line: number): boolean {
  const first = lines.lineStarts[line]!;
  const last = lines.lineStarts[line + 1]! - 1;
  return (
    last - first > 2 &&
    lines.positions[2 * first] === lines.positions[2 * last] &&
    lines.positions[2 * first + 1] === lines.positions[2 * last + 1]
  );
}

const METERS_PER_DEGREE = 111_195;

/** Counterclockwise is positive; exact to a few parts in a thousand. */
export function signedAreaSquareMeters(lines: LineSet, line: number): number {
  const { positions, lineStarts } = lines;
  const first = lineStarts[line]!;
  const last = lineStarts[line + 1]! - 1;
  const originLongitude = positions[2 * first]!;
  const originLatitude = positions[2 * first + 1]!;
  let sum = 0;
  for (let v = first; v < last; v++) {
    const x0 = wrapDegrees(positions[2 * v]! - originLongitude);
    const x1 = wrapDegrees(positions[2 * v + 2]! - originLongitude);
    const y0 = positions[2 * v + 1]!;
    const y1 = positions[2 * v + 3]!;
    // The cosine at the segment's latitude keeps a continent's area accurate.
    sum += (x0 * (y1 - originLatitude) - x1 * (y0 - originLatitude)) * Math.cos(((y0 + y1) / 2) * (Math.PI / 180));
  }
  return (sum / 2) * METERS_PER_DEGREE * METERS_PER_DEGREE;
}

export function wrapDegrees(degrees: number): number {
  if (degrees >= 180) return degrees - 360;
  if (degrees < -180) return degrees + 360;
  return degrees;
}
