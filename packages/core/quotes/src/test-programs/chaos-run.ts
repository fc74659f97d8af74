import { setTimeout as sleep } from 'node:timers/promises';
import type { BackendUnderChaos } from './chaos-backends.ts';
import { createFleet } from './chaos-fleet.ts';
import { createFollowers, type Followed } from './chaos-followers.ts';
import { type ChaosOutcome, type ChaosQuoting, createChaosQuoting, type WrittenEvent } from './chaos-quoting.ts';
import type { ReceiverMood } from './chaos-receiver.ts';
import { type ChaosBackend, DEADLINE_MS, LEASE_MARGIN_MS } from './chaos-settings.ts';

export interface ChaosOptions {
  readonly queues: readonly Omit<BackendUnderChaos, 'skip'>[];
  readonly httpCarrierModule: string;
  readonly rates: number;
  readonly outageMs: number;
  readonly random: () => number;
}

export interface ChaosResult extends ChaosOutcome {
  readonly kills: number;
  readonly pauses: number;
  readonly outages: number;
  readonly crashes: number;
  readonly events: readonly WrittenEvent[];
  readonly followed: readonly Followed[];
  readonly deliveryMs: number;
  readonly recoveryMs: number;
  readonly tookMs: number;
}

/** Five carriers, two form types. */
export const RATES_A_QUOTE = 10;
const moods: readonly ReceiverMood[] = ['failing', 'redirecting', 'slow', 'breaking_off', 'well'];
const creationMs = (rates: number) => Math.max(2500, 20 * rates);

/**
 * Runs quotes over several worker processes that are killed and paused, with outages of services and unreliable endpoints. Every quote
 * has a follower.
 */
export async function runChaos(options: ChaosOptions): Promise<Map<ChaosBackend, ChaosResult>> {
  const { rates, random } = options;
  await using open = new AsyncDisposableStack();
  const all: ChaosQuoting[] = [];
  for (const under of options.queues)
    all.push(open.use(await createChaosQuoting(under, options.httpCarrierModule, random)));
  const fleet = createFleet(all.map(({ settings }) => settings));
  open.defer(() => fleet.stop());
  const start = performance.now();
  let disturbedAt = start;
  let [kills, pauses, outages] = [0, 0, 0];
  await fleet.started();
  const quoteCount = Math.ceil(rates / RATES_A_QUOTE);
  const runs = all.map((quoting) => {
    const followers = open.use(createFollowers(() => fleet.addresses(quoting.settings.queueName), random));
    const creation = (async () => {
      for (let index = 0; index < quoteCount; index++) {
        followers.add(await quoting.createQuote());
        await sleep(creationMs(rates) / quoteCount);
      }
    })();
    creation.catch(() => {});
    return { quoting, followers, creation };
  });
  let isCreated = false;
  const allCreated = Promise.all(runs.map(({ creation }) => creation)).finally(() => {
    isCreated = true;
  });
  allCreated.catch(() => {});
  const hasMuchLeft = async () => (await unfinished(all)) > (all.length * rates) / 5;
  await sleep(500);
  // Otherwise a slow machine would be disturbed for as long as it takes.
  const maxRounds = 3 + rates / RATES_A_QUOTE;
  for (let round = 0; round < 3 || (round < maxRounds && (!isCreated || (await hasMuchLeft()))); round++) {
    for (const { receiver } of all) receiver.be(moods[round % moods.length]!);
    const which = round < 3 ? round : Math.floor(random() * 2.4);
    if (which === 0) {
      kills++;
      await fleet.kill(random);
    } else if (which === 1) {
      pauses++;
      // Longer than a lease: another takes over before it returns.
      await fleet.pause(random, DEADLINE_MS + LEASE_MARGIN_MS + 500 + random() * 500);
    } else {
      outages++;
      const durationMs = round === 2 ? options.outageMs : Math.min(options.outageMs, 2000);
      await Promise.all(
        all.flatMap(({ outage, receiver }) => [
          outage(durationMs),
          round === 2 ? receiver.away(durationMs) : undefined,
        ]),
      );
    }
    disturbedAt = performance.now();
    await sleep(200 + random() * 400);
  }
  await allCreated;
  const ends = await Promise.all(
    runs.map(async ({ quoting, followers }) => {
      const patience = performance.now() + 120_000;
      while ((await quoting.unfinished()) > 0) {
        if (performance.now() > patience) break;
        await sleep(50);
      }
      const endedAt = performance.now();
      quoting.receiver.be('well');
      const followed = await followers.ended(60_000);
      const events = await quoting.events();
      const isMissingEvents = () => {
        const received = new Set(quoting.receiver.received.map(({ id }) => id));
        return events.some(({ id }) => !received.has(id));
      };
      const deliveryPatience = performance.now() + 60_000 + 4 * options.outageMs;
      while (isMissingEvents() && performance.now() < deliveryPatience) await sleep(50);
      return { quoting, followed, events, endedAt, deliveryMs: performance.now() - endedAt };
    }),
  );
  await sleep(DEADLINE_MS + LEASE_MARGIN_MS);
  const results = new Map<ChaosBackend, ChaosResult>();
  for (const { quoting, endedAt, followed, events, deliveryMs } of ends) {
    results.set(quoting.backend, {
      ...{ kills, pauses, outages, crashes: fleet.crashes() },
      ...(await quoting.outcome()),
      ...{ events, followed, deliveryMs },
      recoveryMs: endedAt - disturbedAt,
      tookMs: endedAt - start,
    });
  }
  return results;
}

async function unfinished(all: readonly ChaosQuoting[]): Promise<number> {
  const counts = await Promise.all(all.map((quoting) => quoting.unfinished()));
  return counts.reduce((sum, count) => sum + count, 0);
}
