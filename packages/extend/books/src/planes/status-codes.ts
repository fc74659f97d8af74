/**
 * The status codes of four carriers, a byte each. Of `ones`, `twos` and `fours`, the binary digits of codes, the lowest four bits are
 * those carriers.
 */
export function fourCodes(ones: number, twos: number, fours: number): number {
  return spread(ones) | (spread(twos) << 1) | (spread(fours) << 2);
}

/** The lowest four bits, each in a byte of its own. */
function spread(bits: number): number {
  return Math.imul(bits & 15, 0x20_40_81) & 0x01_01_01_01;
}
