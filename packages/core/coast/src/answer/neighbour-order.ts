/** Cells of the order are 1/16° wide: 13 bits of longitude, 12 of latitude. */
const CELLS_PER_DEGREE = 16;
const DIGIT_BITS = 13;
const DIGIT = 1 << DIGIT_BITS;

/**
 * Puts points in an order in which neighbours follow each other: by Morton's curve, sorted digit by digit. Neighbours
 * share the shore they look at; in any other order each point waits for memory.
 */
export class NeighbourOrder {
  /** After `sort`: numbers of points. */
  readonly order: Uint32Array;
  readonly #keys: Uint32Array;
  readonly #halfway: Uint32Array;
  readonly #lowCounts = new Uint32Array(DIGIT);
  readonly #highCounts = new Uint32Array(DIGIT);

  /** For `most` points at once. */
  constructor(most: number) {
    this.order = new Uint32Array(most);
    this.#keys = new Uint32Array(most);
    this.#halfway = new Uint32Array(most);
  }

  /** Writes from … from + count - 1 to `order`. What is no point on the globe stands anywhere. */
  sort(latitudes: Float64Array, longitudes: Float64Array, from: number, count: number): void {
    const { order } = this;
    const keys = this.#keys;
    const halfway = this.#halfway;
    const lowCounts = this.#lowCounts.fill(0);
    const highCounts = this.#highCounts.fill(0);
    for (let index = 0; index < count; index++) {
      const row = ((latitudes[from + index]! + 90) * CELLS_PER_DEGREE) | 0;
      const column = ((longitudes[from + index]! + 180) * CELLS_PER_DEGREE) | 0;
      const key = spread(column & (DIGIT - 1)) | (spread(row & (DIGIT / 2 - 1)) << 1);
      keys[index] = key;
      lowCounts[key & (DIGIT - 1)]!++;
      highCounts[key >>> DIGIT_BITS]!++;
    }
    toStarts(lowCounts);
    toStarts(highCounts);
    for (let index = 0; index < count; index++) halfway[lowCounts[keys[index]! & (DIGIT - 1)]!++] = index;
    for (let index = 0; index < count; index++) {
      const point = halfway[index]!;
      order[highCounts[keys[point]! >>> DIGIT_BITS]!++] = from + point;
    }
  }
}

/** Replaces counts by where each begins. */
function toStarts(counts: Uint32Array): void {
  let start = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const count = counts[digit]!;
    counts[digit] = start;
    start += count;
  }
}

/** Puts a 0 before each bit of 16 bits. */
function spread(bits: number): number {
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

/** Writes the numbers of a column that stand at `order` one after the other. */
export function gather(column: Float64Array, order: Uint32Array, into: Float64Array): void {
  for (let at = 0; at < order.length; at++) into[at] = column[order[at]!]!;
}

/** Writes numbers that stand one after the other to where `order` says. */
export function scatter(numbers: Float64Array, order: Uint32Array, column: Float64Array): void {
  for (let at = 0; at < order.length; at++) column[order[at]!] = numbers[at]!;
}
