import type { LineSet } from './line-set.ts';
import { CELLS_PER_DEGREE, latitudeOfRow, rowOf, type Window } from './raster-grid.ts';

/**
 * Land and water at the centers of cells, from lines with the land on their left. The direction of a crossing gives the land east of it,
 * so a shore cut at the border of the data keeps its two sides.
 */
export class LandMask {
  /** Crossings of each row of centers, west to east; the halves of the world separately, because the data ends between them. */
  readonly #offsets: Uint32Array;
  readonly #longitudes: Float64Array;
  /** 1: land begins east of the crossing; 0: water does. */
  readonly #landEast: Uint8Array;

  constructor(lines: LineSet, keepLine: (line: number) => boolean = () => true) {
    const rows = 180 * CELLS_PER_DEGREE;
    const counts = new Uint32Array(2 * rows + 1);
    const visit = (each: (slot: number, longitude: number, landEast: number) => void): void => {
      const p = lines.positions;
      for (let line = 0; line + 1 < lines.lineStarts.length; line++) {
        if (!keepLine(line)) continue;
        const last = lines.lineStarts[line + 1]! - 1;
        for (let v = lines.lineStarts[line]!; v < last; v++) {
          const y0 = p[2 * v + 1]!;
          const y1 = p[2 * v + 3]!;
          if (y0 === y1) continue;
          const low = Math.min(y0, y1);
          const high = Math.max(y0, y1);
          for (let row = rowOf(low); row <= rowOf(high); row++) {
            const latitude = latitudeOfRow(row);
            if (latitude < low || latitude >= high) continue;
            const longitude = p[2 * v]! + ((latitude - y0) / (y1 - y0)) * (p[2 * v + 2]! - p[2 * v]!);
            each(2 * row + (longitude < 0 ? 0 : 1), longitude, y1 < y0 ? 1 : 0);
          }
        }
      }
    };
    visit((slot) => {
      counts[slot + 1]!++;
    });
    for (let slot = 0; slot < 2 * rows; slot++) counts[slot + 1]! += counts[slot]!;
    this.#offsets = counts.slice();
    this.#longitudes = new Float64Array(counts[2 * rows]!);
    this.#landEast = new Uint8Array(counts[2 * rows]!);
    visit((slot, longitude, landEast) => {
      let at = counts[slot]!++;
      for (; at > this.#offsets[slot]! && this.#longitudes[at - 1]! > longitude; at--) {
        this.#longitudes[at] = this.#longitudes[at - 1]!;
        this.#landEast[at] = this.#landEast[at - 1]!;
      }
      this.#longitudes[at] = longitude;
      this.#landEast[at] = landEast;
    });
  }

  contains(longitude: number, latitude: number): boolean {
    const slot = 2 * rowOf(latitude) + (longitude < 0 ? 0 : 1);
    const first = this.#offsets[slot]!;
    const end = this.#offsets[slot + 1]!;
    if (first === end) return false;
    let next = first;
    while (next < end && this.#longitudes[next]! <= longitude) next++;
    return next === first ? this.#landEast[first] === 0 : this.#landEast[next - 1] === 1;
  }

  covers(latitude: number): boolean {
    const slot = 2 * rowOf(latitude);
    return this.#offsets[slot + 1]! > this.#offsets[slot]!;
  }

  /** 1 land, 0 water; true if any cell is land. */
  fill(window: Window, land: Uint8Array): boolean {
    let any = false;
    for (let y = 0; y < window.height; y++) {
      for (let x = 0; x < window.width; ) {
        const column = window.column + x;
        const half = 180 * CELLS_PER_DEGREE;
        const wrapped = ((column % (2 * half)) + 2 * half) % (2 * half);
        const length = Math.min(window.width - x, (wrapped < half ? half : 2 * half) - wrapped);
        const start = y * window.width + x;
        if (this.#fillRow(window.row + y, wrapped, land.subarray(start, start + length))) any = true;
        x += length;
      }
    }
    return any;
  }

  #fillRow(row: number, column: number, land: Uint8Array): boolean {
    const slot = 2 * row + (column < 180 * CELLS_PER_DEGREE ? 0 : 1);
    const end = this.#offsets[slot + 1]!;
    let next = this.#offsets[slot]!;
    if (next === end) {
      land.fill(0);
      return false;
    }
    let state = 1 - this.#landEast[next]!;
    let any = false;
    let x = 0;
    while (x < land.length) {
      const limit =
        next < end ? Math.ceil((this.#longitudes[next]! + 180) * CELLS_PER_DEGREE - 0.5) - column : land.length;
      const until = Math.min(land.length, Math.max(x, limit));
      if (until > x) {
        land.fill(state, x, until);
        if (state === 1) any = true;
        x = until;
      }
      if (next < end) state = this.#landEast[next++]!;
    }
    return any;
  }
}
