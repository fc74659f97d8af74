import { cellWidthMeters, METERS_PER_CELL, type Window } from './raster-grid.ts';

/** Without a target: a thousand kilometers, wider than any window. */
const FAR = Math.fround(1e12);

/**
 * Squared distance in meters from each cell to the nearest target (Felzenszwalb and Huttenlocher: along rows by counting, along columns
 * by the lower envelope of parabolas). Uses the cell width of each row, exact to the change of the cosine over the distance.
 */
export function squaredDistances(window: Window, targets: Uint8Array, target: number, out: Float32Array): void {
  const { width, height } = window;
  for (let y = 0; y < height; y++) {
    const cell = cellWidthMeters(window.row + y);
    const start = y * width;
    let steps = Number.POSITIVE_INFINITY;
    for (let x = 0; x < width; x++) {
      steps = targets[start + x] === target ? 0 : steps + 1;
      out[start + x] = steps;
    }
    steps = Number.POSITIVE_INFINITY;
    for (let x = width - 1; x >= 0; x--) {
      const before = out[start + x]!;
      steps = before === 0 ? 0 : steps + 1;
      const least = Math.min(before, steps);
      out[start + x] = least === Number.POSITIVE_INFINITY ? FAR : (least * cell) ** 2;
    }
  }
  const column = new Float64Array(height);
  const apex = new Int32Array(height);
  const border = new Float64Array(height + 1);
  const unit = METERS_PER_CELL * METERS_PER_CELL;
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      const along = out[y * width + x]!;
      column[y] = along === FAR ? Number.POSITIVE_INFINITY : along / unit;
    }
    let k = -1;
    for (let q = 0; q < height; q++) {
      // Rows without a target, and targets between targets, are nearest to no other cell.
      if (column[q] === Number.POSITIVE_INFINITY) continue;
      if (column[q] === 0 && column[q - 1] === 0 && column[q + 1] === 0) continue;
      let s = Number.NEGATIVE_INFINITY;
      for (; k >= 0; k--) {
        const p = apex[k]!;
        s = (column[q]! + q * q - column[p]! - p * p) / (2 * (q - p));
        if (s > border[k]!) break;
      }
      k++;
      apex[k] = q;
      border[k] = s;
      border[k + 1] = Number.POSITIVE_INFINITY;
    }
    if (k < 0) continue;
    k = 0;
    for (let y = 0; y < height; y++) {
      while (border[k + 1]! < y) k++;
      if (column[y] === 0) continue;
      const p = apex[k]!;
      out[y * width + x] = ((y - p) * (y - p) + column[p]!) * unit;
    }
  }
}
