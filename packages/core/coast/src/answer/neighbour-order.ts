/** 13 bits of longitude, 12 of latitude. */
const CELLS_PER_DEGREE = 16;
const DIGIT_BITS = 13;
const DIGIT = 1 << DIGIT_BITS;

/** Sorts points along Morton's curve by radix sort: neighbours read the same part of the shore, which is then in the cache. */
export class NeighbourOrder {
  readonly order: Uint32Array;
  readonly #keys: Uint32Array;
  readonly #halfway: Uint32Array;
  readonly #lowCounts = new Uint32Array(DIGIT);
  readonly #highCounts = new Uint32Array(DIGIT);

  constructor(capacity: number) {
    this.order = new Uint32Array(capacity);
    this.#keys = new Uint32Array(capacity);
    this.#halfway = new Uint32Array(capacity);
  }

  /** The position of an invalid point is undefined. */
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

function toStarts(counts: Uint32Array): void {
  let start = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const count = counts[digit]!;
    counts[digit] = start;
    start += count;
  }
}

/** Inserts a 0 before each of 16 bits. */
function spread(bits: number): number {
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

export function gather(column: Float64Array, order: Uint32Array, into: Float64Array): void {
  for (let at = 0; at < order.length; at++) into[at] = column[order[at]!]!;
}

export function scatter(numbers: Float64Array, order: Uint32Array, column: Float64Array): void {
  for (let at = 0; at < order.length; at++) column[order[at]!] = numbers[at]!;
}
