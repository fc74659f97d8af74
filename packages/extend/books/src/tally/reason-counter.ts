/** Maximum number of rows between two calls of `take`: a count has 13 bits. */
export const MAX_COUNTED = 8191;
const SLICES = 13;
/** Sets of a code that are added together: eight cost little more than one. */
const TOGETHER = 8;
const EIGHTS = 3;

/**
 * Counts carriers by code, 32 at a time. Slice s holds bit s of every carrier's count, so adding a set of carriers takes a few
 * operations. Sets are collected by eights and added by carry-save adders (Harley and Seal's population count, over slices instead of
 * words).
 */
export interface ReasonCounter {
  /** Counts the carriers of a set, low and high, for a code. Maximum `MAX_COUNTED` calls before `take`. */
  add(code: number, low: number, high: number): void;
  /** Calls `visit` with every count above zero, then resets the counts. */
  take(visit: (code: number, carrier: number, count: number) => void): void;
}

export function createReasonCounter(codeCount: number, carrierCount: number): ReasonCounter {
  const slices = new Int32Array(2 * SLICES * codeCount);
  const gathered = new Int32Array(2 * TOGETHER * codeCount);
  const counts = new Uint8Array(codeCount);

  const carryInto = (from: number, bits: number): void => {
    let carry = bits;
    for (let slice = from; carry !== 0; slice++) {
      const before = slices[slice]!;
      slices[slice] = before ^ carry;
      carry &= before;
    }
  };
  const addEight = (at: number, to: number): void => {
    const a = gathered[at]!;
    const b = gathered[at + 1]!;
    const c = gathered[at + 2]!;
    const d = gathered[at + 3]!;
    const e = gathered[at + 4]!;
    const f = gathered[at + 5]!;
    const g = gathered[at + 6]!;
    const h = gathered[at + 7]!;
    const ones = slices[to]!;
    const twos = slices[to + 1]!;
    const fours = slices[to + 2]!;
    const oab = ones ^ a;
    const one1 = oab ^ b;
    const two1 = (ones & a) | (oab & b);
    const ocd = one1 ^ c;
    const one2 = ocd ^ d;
    const two2 = (one1 & c) | (ocd & d);
    const oef = one2 ^ e;
    const one3 = oef ^ f;
    const two3 = (one2 & e) | (oef & f);
    const ogh = one3 ^ g;
    slices[to] = ogh ^ h;
    const two4 = (one3 & g) | (ogh & h);
    const t12 = twos ^ two1;
    const twoA = t12 ^ two2;
    const four1 = (twos & two1) | (t12 & two2);
    const t34 = twoA ^ two3;
    slices[to + 1] = t34 ^ two4;
    const four2 = (twoA & two3) | (t34 & two4);
    const f12 = fours ^ four1;
    slices[to + 2] = f12 ^ four2;
    carryInto(to + EIGHTS, (fours & four1) | (f12 & four2));
  };

  return {
    add(code, low, high) {
      if ((low | high) === 0) return;
      const count = counts[code]!;
      const at = 2 * TOGETHER * code + count;
      gathered[at] = low;
      gathered[at + TOGETHER] = high;
      if (count < TOGETHER - 1) {
        counts[code] = count + 1;
        return;
      }
      counts[code] = 0;
      const to = 2 * SLICES * code;
      addEight(at - count, to);
      addEight(at - count + TOGETHER, to + SLICES);
    },
    take(visit) {
      for (let code = 0; code < codeCount; code++) {
        for (let word = 0; word < 2; word++) {
          const from = SLICES * (2 * code + word);
          const waiting = TOGETHER * (2 * code + word);
          for (let index = 0; index < counts[code]!; index++) carryInto(from, gathered[waiting + index]!);
        }
        counts[code] = 0;
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
