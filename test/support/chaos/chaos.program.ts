/**
 * A full chaos run, with a line of JSON a queue; ends with 1 when a promise is broken.
 *
 *     node --conditions=@leeward/source test/support/chaos/chaos.program.ts [queue …]
 *
 * LEEWARD_CHAOS_RATES (2,000), LEEWARD_CHAOS_OUTAGE_MS (10,000) and LEEWARD_CHAOS_SEED set its volume.
 */
import { chaosBackends } from '../../../packages/core/quotes/src/test-programs/chaos-backends.ts';
import { runChaos } from '../../../packages/core/quotes/src/test-programs/chaos-run.ts';
import { checkRun } from '../../../packages/core/quotes/src/test-programs/chaos-verdict.ts';
import { seeded } from '../../../packages/core/quotes/src/test-programs/seeded.ts';
import { overHttpModule } from './over-http.ts';

const chosen = process.argv.slice(2);
const rates = Number(process.env.LEEWARD_CHAOS_RATES ?? 2000);
const outageMs = Number(process.env.LEEWARD_CHAOS_OUTAGE_MS ?? 10_000);
const seed = Number(process.env.LEEWARD_CHAOS_SEED ?? Date.now() % 1_000_000);

for (const { skip, ...queue } of await chaosBackends()) {
  const { backend } = queue;
  if (chosen.length > 0 && !chosen.includes(backend)) continue;
  if (skip !== undefined) {
    process.stdout.write(`${JSON.stringify({ backend, skipped: skip })}\n`);
    continue;
  }
  const results = await runChaos({
    queues: [queue],
    httpCarrierModule: overHttpModule,
    rates,
    outageMs,
    random: seeded(seed),
  });
  const verdict = checkRun(results.get(backend)!);
  process.stdout.write(`${JSON.stringify({ backend, seed, ...verdict })}\n`);
  if (verdict.broken.length > 0) process.exitCode = 1;
}
