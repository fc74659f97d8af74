/** Lanes of a table: the bits of two 32-bit words. */
export const LANES = 64;
/** Terms per lane, if carriers share a table. */
const TERMS_PER_LANE = 64;

/** The lanes of the carriers of a table. Lane c belongs to carrier c; carriers with many terms also have spare lanes. */
export interface Lanes {
  /** By carrier: its first lane, then its spare ones. */
  readonly ofCarrier: readonly (readonly number[])[];
  /** Three numbers for each carrier with spare lanes: its first lane, then the spare ones as bits, low and high. */
  readonly folds: Int32Array;
}

/** The number of lanes for a program in a shared table. */
export function laneCountFor(termCount: number): number {
  return Math.min(LANES, Math.max(1, Math.ceil(termCount / TERMS_PER_LANE)));
}

/** Distributes the lanes of a table: each spare lane goes to the carrier with the most terms per lane. */
export function shareLanes(termCounts: readonly number[]): Lanes {
  const ofCarrier = termCounts.map((_, carrier) => [carrier]);
  // A single carrier uses all lanes.
  const minTerms = termCounts.length === 1 ? 1 : TERMS_PER_LANE;
  for (let lane = termCounts.length; lane < LANES; lane++) {
    let largest = -1;
    let maxTerms = minTerms;
    for (let carrier = 0; carrier < termCounts.length; carrier++) {
      const terms = termCounts[carrier]! / ofCarrier[carrier]!.length;
      if (terms <= maxTerms) continue;
      largest = carrier;
      maxTerms = terms;
    }
    if (largest === -1) break;
    ofCarrier[largest]!.push(lane);
  }
  const folds: number[] = [];
  for (const [first, ...spare] of ofCarrier) {
    if (spare.length === 0) continue;
    const masks = [0, 0];
    for (const lane of spare) masks[lane >> 5]! |= 1 << (lane & 31);
    folds.push(first!, masks[0]!, masks[1]!);
  }
  return { ofCarrier, folds: Int32Array.from(folds) };
}
