/** Rows that are counted before the counts are taken: what 13 bits hold. */
export const MOST_COUNTED = 8191;
const SLICES = 13;

/**
 * Counts carriers by code, 32 at a time: slice s holds bit s of every carrier's count, so that adding a set
 * of carriers costs two operations, not one a carrier.
 */
export interface ReasonCounter {
  /** Counts the carriers of a set, low and high, for a code. At most `MOST_COUNTED` times before `take`. */
  add(code: number, low: number, high: number): void;
  /** Gives every count that is not zero, and begins again. */
  take(visit: (code: number, carrier: number, count: number) => void): void;
}

export function createReasonCounter(codeCount: number, carrierCount: number): ReasonCounter {
  const slices = new Int32Array(2 * SLICES * codeCount);
  const addTo = (from: number, bits: number): void => {
    let carry = bits;
    for (let slice = from; carry !== 0; slice++) {
      const before = slices[slice]!;
      slices[slice] = before ^ carry;
      carry &= before;
    }
  };
  return {
    add(code, low, high) {
      const from = 2 * SLICES * code;
      addTo(from, low);
      addTo(from + SLICES, high);
    },
    take(visit) {
      for (let code = 0; code < codeCount; code++) {
        for (let carrier = 0; carrier < carrierCount; carrier++) {
          const from = SLICES * (2 * code + (carrier >> 5));
          let count = 0;
          for (let slice = 0; slice < SLICES; slice++) {
            count |= ((slices[from + slice]! >>> (carrier & 31)) & 1) << slice;
          }
          if (count > 0) visit(code, carrier, count);
        }
      }
      slices.fill(0);
    },
  };
}
