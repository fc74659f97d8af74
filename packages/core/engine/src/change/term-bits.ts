/** Terms of a problem as bits, in the words of the table's rows. */
export type TermBits = Int32Array;

export function allBits(words: number): TermBits {
  return new Int32Array(words).fill(-1);
}

export function take(into: TermBits, rows: Int32Array, from: number): void {
  for (let word = 0; word < into.length; word++) into[word]! &= rows[from + word]!;
}

export function intersect(bits: TermBits, mask: TermBits): TermBits {
  const result = new Int32Array(bits.length);
  for (let word = 0; word < bits.length; word++) result[word] = bits[word]! & mask[word]!;
  return result;
}

export function meets(bits: TermBits, mask: TermBits): boolean {
  for (let word = 0; word < bits.length; word++) if ((bits[word]! & mask[word]!) !== 0) return true;
  return false;
}

export function exceeds(bits: TermBits, mask: TermBits): boolean {
  for (let word = 0; word < bits.length; word++) if ((bits[word]! & ~mask[word]!) !== 0) return true;
  return false;
}

export function isNone(bits: TermBits): boolean {
  for (let word = 0; word < bits.length; word++) if (bits[word] !== 0) return false;
  return true;
}

/** -1 if none. */
export function firstOf(bits: TermBits, mask: TermBits): number {
  for (let word = 0; word < bits.length; word++) {
    const both = bits[word]! & mask[word]!;
    if (both !== 0) return 32 * word + 31 - Math.clz32(both & -both);
  }
  return -1;
}

export function* bitsOf(bits: TermBits): Generator<number> {
  for (let word = 0; word < bits.length; word++)
    for (let left = bits[word]!; left !== 0; left &= left - 1) yield 32 * word + 31 - Math.clz32(left & -left);
}
