import type { Cents } from '@leeward/terms';

/** Half up to a cent; percentages have up to four decimals. */
export function percentOf(percent: number, cents: Cents): Cents {
  return (cents * BigInt(Math.round(percent * 1e4)) * 2n + 1_000_000n) / 2_000_000n;
}
