import type { PlaneReader } from './plane-reader.ts';
import type { StatePlanes } from './row-layout.ts';
import { fourCodes } from './status-codes.ts';

/**
 * Works out the verdicts: `reader.bits` becomes ineligible, referral, eligible, needs information, possible decline, each
 * low, high.
 */
export function settleBits({ bits }: PlaneReader, { offeredLow, offeredHigh }: StatePlanes): void {
  const pdl = bits[0]!;
  const pdh = bits[1]!;
  const ineligibleLow = bits[4]! & offeredLow;
  const ineligibleHigh = bits[5]! & offeredHigh;
  const referralLow = bits[6]! & ~pdl & offeredLow;
  const referralHigh = bits[7]! & ~pdh & offeredHigh;
  const eligibleLow = ~(pdl | bits[2]!) & offeredLow;
  const eligibleHigh = ~(pdh | bits[3]!) & offeredHigh;
  bits[0] = ineligibleLow;
  bits[1] = ineligibleHigh;
  bits[2] = referralLow;
  bits[3] = referralHigh;
  bits[4] = eligibleLow;
  bits[5] = eligibleHigh;
  bits[6] = offeredLow & ~(ineligibleLow | referralLow | eligibleLow);
  bits[7] = offeredHigh & ~(ineligibleHigh | referralHigh | eligibleHigh);
  bits[8] = pdl;
  bits[9] = pdh;
}

/** Writes one status code a carrier from the bits of the last reading. */
export function writeStatuses({ bits, table }: PlaneReader, out: Uint8Array, from: number): void {
  const { carrierCount } = table;
  for (let word = 0; word < 2; word++) {
    const open = bits[6 + word]!;
    const ones = bits[4 + word]! | open;
    const twos = bits[2 + word]! | open;
    const end = Math.min(carrierCount - 32 * word, 32);
    for (let shift = 0; shift < end; shift += 4) {
      const codes = fourCodes(ones >>> shift, twos >>> shift, bits[word]! >>> shift);
      const at = from + 32 * word + shift;
      out[at] = codes;
      if (shift + 1 < end) out[at + 1] = codes >>> 8;
      if (shift + 2 < end) out[at + 2] = codes >>> 16;
      if (shift + 3 < end) out[at + 3] = codes >>> 24;
    }
  }
}
