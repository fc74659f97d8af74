/** A grid of samples by row. */
interface Samples {
  readonly columns: number;
  readonly rows: number;
}

type Place = readonly [column: number, row: number];

/** Sides of a cell. */
const [TOP, RIGHT, BOTTOM, LEFT] = [0, 1, 2, 3];
/**
 * From one side to the next, with the higher samples on the right, by the corners that are higher: 1 top left, 2 top right, 4 bottom
 * right, 8 bottom left.
 */
const steps: readonly (readonly (readonly [from: number, to: number])[])[] = [
  [],
  [[TOP, LEFT]],
  [[RIGHT, TOP]],
  [[RIGHT, LEFT]],
  [[BOTTOM, RIGHT]],
  [
    [TOP, LEFT],
    [BOTTOM, RIGHT],
  ],
  [[BOTTOM, TOP]],
  [[BOTTOM, LEFT]],
  [[LEFT, BOTTOM]],
  [[TOP, BOTTOM]],
  [
    [RIGHT, TOP],
    [LEFT, BOTTOM],
  ],
  [[RIGHT, BOTTOM]],
  [[LEFT, RIGHT]],
  [[TOP, RIGHT]],
  [[LEFT, TOP]],
  [],
];

/**
 * Closed rings around the samples of at least `level`, by marching squares. Places are interpolated between samples; beyond the grid all is
 * lower.
 */
export function contourRings(values: Float64Array, { columns, rows }: Samples, level: number): Place[][] {
  const valueAt = (column: number, row: number) =>
    column < 0 || column >= columns || row < 0 || row >= rows ? level - 1 : values[row * columns + column]!;
  // A side is the sample at its left or top end, doubled, and 1 if it is vertical.
  const wide = columns + 1;
  const sideOf = (column: number, row: number, isVertical: number) => 2 * ((row + 1) * wide + column + 1) + isVertical;
  const next = new Int32Array(2 * wide * (rows + 2)).fill(-1);
  for (let row = -1; row < rows; row++)
    for (let column = -1; column < columns; column++) {
      const corners =
        (valueAt(column, row) >= level ? 1 : 0) |
        (valueAt(column + 1, row) >= level ? 2 : 0) |
        (valueAt(column + 1, row + 1) >= level ? 4 : 0) |
        (valueAt(column, row + 1) >= level ? 8 : 0);
      if (corners === 0 || corners === 15) continue;
      const sides = [
        sideOf(column, row, 0),
        sideOf(column + 1, row, 1),
        sideOf(column, row + 1, 0),
        sideOf(column, row, 1),
      ];
      for (const [from, to] of steps[corners]!) next[sides[from]!] = sides[to]!;
    }
  const placeOn = (side: number): Place => {
    const at = side >> 1;
    const [column, row] = [(at % wide) - 1, Math.floor(at / wide) - 1];
    const isVertical = side & 1;
    const [from, to] = [valueAt(column, row), valueAt(column + 1 - isVertical, row + isVertical)];
    const part = (level - from) / (to - from);
    return isVertical === 1 ? [column, row + part] : [column + part, row];
  };
  const rings: Place[][] = [];
  for (let start = 0; start < next.length; start++) {
    const ring: Place[] = [];
    for (let side = start; next[side] !== -1; ) {
      ring.push(placeOn(side));
      const to = next[side]!;
      next[side] = -1;
      side = to;
    }
    if (ring.length > 0) rings.push([...ring, ring[0]!]);
  }
  return rings;
}
