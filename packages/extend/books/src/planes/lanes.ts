/** Lanes of a table: one bit each of two 32-bit words. */
export const LANES = 64;
/** Terms a carrier may have for each of its lanes, where carriers share a table. */
const TERMS_A_LANE = 64;

/**
 * Which bits of a table are whose. Lane c is carrier c's own; a carrier of many terms has spare ones beside, so
 * that a plane holds several of its terms: a table of thousands of rules is as small as its rules are.
 */
export interface Lanes {
  /** Of each carrier, its own lane first. */
  readonly ofCarrier: readonly (readonly number[])[];
  /** Carriers with spare lanes: own lane, then the spare ones as bits, low and high; three numbers each. */
  readonly folds: Int32Array;
}

/** How many lanes a program of so many terms is best given among others. */
export function lanesWanted(termCount: number): number {
  return Math.min(LANES, Math.max(1, Math.ceil(termCount / TERMS_A_LANE)));
}

/** Shares the lanes of a table out: whoever has most terms a lane is given the next spare one. */
export function shareLanes(termCounts: readonly number[]): Lanes {
  const ofCarrier = termCounts.map((_, carrier) => [carrier]);
  // A carrier alone has the table to itself.
  const fewest = termCounts.length === 1 ? 1 : TERMS_A_LANE;
  for (let lane = termCounts.length; lane < LANES; lane++) {
    let most = -1;
    let mostTerms = fewest;
    for (let carrier = 0; carrier < termCounts.length; carrier++) {
      const terms = termCounts[carrier]! / ofCarrier[carrier]!.length;
      if (terms <= mostTerms) continue;
      most = carrier;
      mostTerms = terms;
    }
    if (most === -1) break;
    ofCarrier[most]!.push(lane);
  }
  const folds: number[] = [];
  for (const [own, ...spare] of ofCarrier) {
    if (spare.length === 0) continue;
    const masks = [0, 0];
    for (const lane of spare) masks[lane >> 5]! |= 1 << (lane & 31);
    folds.push(own!, masks[0]!, masks[1]!);
  }
  return { ofCarrier, folds: Int32Array.from(folds) };
}
