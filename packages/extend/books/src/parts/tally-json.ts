import { STATUS_CODES, type Vocabulary } from '@leeward/engine';
import { states } from '@leeward/places/counties';
import type { TallyCounts } from '../tally/tally.ts';

/**
 * A tally as JSON. `statuses`, by state and policy type: for each carrier, a count by status code. `reasons`, by code: a count by
 * carrier.
 */
export interface TallyJson {
  readonly statuses: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
  readonly reasons: Readonly<Record<string, readonly number[]>>;
}

export function writeTally(
  { statuses, reasons }: TallyCounts,
  vocabulary: Vocabulary,
  carrierCount: number,
): TallyJson {
  const size = carrierCount * STATUS_CODES.length;
  const byState: Record<string, Record<string, number[]>> = {};
  states.forEach(({ code }, state) => {
    vocabulary.policyTypes.forEach((type, place) => {
      const from = (state * vocabulary.policyTypes.length + place) * size;
      const counts = statuses.subarray(from, from + size);
      if (!counts.some((count) => count > 0)) return;
      byState[code] ??= {};
      byState[code][type] = [...counts];
    });
  });
  return {
    statuses: byState,
    reasons: Object.fromEntries(
      [...reasons].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, counts]) => [code, [...counts]]),
    ),
  };
}

export function readTally(json: TallyJson, rows: number, vocabulary: Vocabulary, carrierCount: number): TallyCounts {
  const size = carrierCount * STATUS_CODES.length;
  const statuses = new Uint32Array(states.length * vocabulary.policyTypes.length * size);
  for (const [code, types] of Object.entries(json.statuses)) {
    const state = states.findIndex((each) => each.code === code);
    for (const [type, counts] of Object.entries(types))
      statuses.set(counts, (state * vocabulary.policyTypes.length + vocabulary.policyTypes.indexOf(type)) * size);
  }
  const reasons = new Map(Object.entries(json.reasons).map(([code, counts]) => [code, Uint32Array.from(counts)]));
  return { rows, statuses, reasons };
}
