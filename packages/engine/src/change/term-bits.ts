/** Terms of a problem as bits, words of the table's rows. */
export type TermBits = Int32Array;

export function take(into: TermBits, rows: Int32Array, from: number): void {
  for (let word = 0; word < into.length; word++) into[word]! &= rows[from + word]!;
}

/** The first bit that is set here and in `mask`; -1: none. */
export function firstOf(bits: TermBits, mask: TermBits): number {
  for (let word = 0; word < bits.length; word++) {
    const both = bits[word]! & mask[word]!;
    if (both !== 0) return 32 * word + 31 - Math.clz32(both & -both);
  }
  return -1;
}

/** Every bit that is set, ascending. */
export function* bitsOf(bits: TermBits): Generator<number> {
  for (let word = 0; word < bits.length; word++)
    for (let left = bits[word]!; left !== 0; left &= left - 1) yield 32 * word + 31 - Math.clz32(left & -left);
}
