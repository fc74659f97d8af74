import { describe, expect, it } from 'vitest';
import { engines } from './test-bench.ts';
import { runChaos } from './test-programs/chaos-run.ts';
import type { ChaosBackend } from './test-programs/chaos-settings.ts';
import { findRedis } from './testing/find-redis.ts';

// The full volume: LEEWARD_CHAOS_RATES=2000 LEEWARD_CHAOS_OUTAGE_MS=60000
const rates = Number(process.env.LEEWARD_CHAOS_RATES ?? 60);
const outageMs = Number(process.env.LEEWARD_CHAOS_OUTAGE_MS ?? 1000);
const seed = Number(process.env.LEEWARD_CHAOS_SEED ?? 20_261_120);

const redis = await findRedis();
const [sqlite, postgres] = engines;
const unreachableRedis = 'unreachable' in redis ? redis.unreachable : undefined;
const runs: { backend: ChaosBackend; engine: typeof sqlite; skip: string | undefined }[] = [
  { backend: 'p-queue', engine: sqlite, skip: undefined },
  { backend: 'bullmq', engine: postgres, skip: postgres?.skip ?? unreachableRedis },
  { backend: 'pg-boss', engine: postgres, skip: postgres?.skip },
];

/** Park and Miller's minimal standard generator: the same disturbances in the same order for the same seed. */
function seeded(start: number): () => number {
  let state = start % 2147483647 || 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

describe.concurrent.each(runs)('$backend under kills, pauses and outages', ({ backend, engine, skip }) => {
  it.skipIf(skip !== undefined)(
    `ends every rate once and asks no carrier twice${skip === undefined ? '' : ` (skipped: ${skip})`}`,
    async () => {
      const redisUrl = 'url' in redis ? redis.url : '';
      const run = await runChaos({ backend, engine: engine!, redisUrl, rates, outageMs, random: seeded(seed) });
      const accepted = new Map<string, number>();
      for (const { call, rate_id: id } of run.ledger)
        if (call === 'accepted') accepted.set(id, (accepted.get(id) ?? 0) + 1);
      const mayRepeat = new Set(run.rates.filter((rate) => rate.carrierKey === 'idempotent').map((rate) => rate.id));
      const outcomes = Map.groupBy(run.rates, (rate) => rate.outcome ?? 'stuck');
      console.info(
        `${backend}: ${run.rates.length} rates, ${run.kills} kills, ${run.pauses} pauses, ${run.outages} outages;`,
        `${(run.tookMs / 1000).toFixed(1)} s, of which ${(run.recoveryMs / 1000).toFixed(1)} s after the last disturbance;`,
        [...outcomes].map(([outcome, list]) => `${list.length} ${outcome}`).join(', '),
      );
      expect(run.rates.length).toBe(Math.ceil(rates / 6) * 6);
      // Every rate ends, and once.
      expect(run.rates.filter((rate) => rate.outcome === null)).toEqual([]);
      expect(run.rates.filter((rate) => rate.ends !== 1)).toEqual([]);
      expect(run.counts).toEqual({
        processing: 0,
        success: run.rates.filter((rate) => rate.status === 'success').length,
        error: run.rates.filter((rate) => rate.status === 'error').length,
      });
      // By the ledger, no carrier that is not idempotent did its work twice for one rate.
      expect([...accepted].filter(([id, count]) => count > 1 && !mayRepeat.has(id))).toEqual([]);
      // And no quote was made up.
      expect(run.rates.filter((rate) => rate.status === 'success' && !accepted.has(rate.id))).toEqual([]);
      // Where a carrier can be asked again or looked up, hardly anything is left unknown.
      const known = run.rates.filter((rate) => rate.carrierKey === 'idempotent');
      expect(known.filter((rate) => rate.outcome === 'unknown_outcome')).toEqual([]);
      expect(run.rates.filter((rate) => rate.status === 'success').length).toBeGreaterThan(run.rates.length * 0.6);
    },
    Math.max(120_000, 400_000 * (rates / 2000) + 4 * outageMs),
  );
});
