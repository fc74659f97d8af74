import { describe, expect, it } from 'vitest';
import { chaosBackends } from '../packages/core/quotes/src/test-programs/chaos-backends.ts';
import { type ChaosResult, RATES_A_QUOTE, runChaos } from '../packages/core/quotes/src/test-programs/chaos-run.ts';
import type { ChaosBackend } from '../packages/core/quotes/src/test-programs/chaos-settings.ts';
import { checkRun } from '../packages/core/quotes/src/test-programs/chaos-verdict.ts';
import { seeded } from '../packages/core/quotes/src/test-programs/seeded.ts';
import { overHttpModule } from './support/chaos/over-http.ts';
import { testVolume } from './support/test-volume.ts';

// The full volume: LEEWARD_CHAOS_RATES=2000 LEEWARD_CHAOS_OUTAGE_MS=60000, or test/support/chaos/chaos.program.ts
const rates = Number(process.env.LEEWARD_CHAOS_RATES ?? testVolume(16));
const outageMs = Number(process.env.LEEWARD_CHAOS_OUTAGE_MS ?? 1000);
const seed = Number(process.env.LEEWARD_CHAOS_SEED ?? 20_261_120);

const backends = await chaosBackends();
/** One run for all queues: starting the workers is most of its cost. */
let run: Promise<Map<ChaosBackend, ChaosResult>> | undefined;

describe.each(backends)('$backend under kills, pauses and outages', ({ backend, skip }) => {
  it.skipIf(skip !== undefined)(
    `ends every rate once, calls no carrier twice and reports every event${skip === undefined ? '' : ` (skipped: ${skip})`}`,
    async () => {
      run ??= runChaos({
        queues: backends.filter((each) => each.skip === undefined),
        httpCarrierModule: overHttpModule,
        ...{ rates, outageMs, random: seeded(seed) },
      });
      const verdict = checkRun((await run).get(backend)!);
      console.info(backend, JSON.stringify(verdict));
      expect(verdict.broken).toEqual([]);
      expect(verdict.rates).toBe(Math.ceil(rates / RATES_A_QUOTE) * RATES_A_QUOTE);
    },
    // Beyond the patience of the run itself, so that it comes to a verdict.
    Math.max(360_000, 400_000 * (rates / 2000) + 4 * outageMs),
  );
});
