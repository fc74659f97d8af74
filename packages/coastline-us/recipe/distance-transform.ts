import { cellWidthMeters, METERS_PER_CELL, type Window } from './raster-grid.ts';

/**
 * The square of the distance in metres from every cell to the nearest target cell (Felzenszwalb and Huttenlocher's two
 * passes: along the rows by counting, along the columns by the lower envelope of parabolas). Cells narrow towards the
 * poles: a row's own width is used, exact to the change of the cosine over the distance itself.
 */
export function squaredDistances(window: Window, targets: Uint8Array, target: number, out: Float32Array): void {
  const { width, height } = window;
  const far = 1e12;
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
      out[start + x] = least === Number.POSITIVE_INFINITY ? far : (least * cell) ** 2;
    }
  }
  const column = new Float64Array(height);
  const apex = new Int32Array(height);
  const border = new Float64Array(height + 1);
  const unit = METERS_PER_CELL * METERS_PER_CELL;
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) column[y] = out[y * width + x]! / unit;
    let k = 0;
    apex[0] = 0;
    border[0] = Number.NEGATIVE_INFINITY;
    border[1] = Number.POSITIVE_INFINITY;
    for (let q = 1; q < height; q++) {
      let s: number;
      for (;;) {
        const p = apex[k]!;
        s = (column[q]! + q * q - column[p]! - p * p) / (2 * (q - p));
        if (s > border[k]!) break;
        k--;
      }
      k++;
      apex[k] = q;
      border[k] = s;
      border[k + 1] = Number.POSITIVE_INFINITY;
    }
    k = 0;
    for (let y = 0; y < height; y++) {
      while (border[k + 1]! < y) k++;
      const p = apex[k]!;
      out[y * width + x] = ((y - p) * (y - p) + column[p]!) * unit;
    }
  }
}
