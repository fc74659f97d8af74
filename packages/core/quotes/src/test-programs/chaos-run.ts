import { setTimeout as sleep } from 'node:timers/promises';
import type { BackendUnderChaos } from './chaos-backends.ts';
import { createFleet } from './chaos-fleet.ts';
import { createFollowers, type Followed } from './chaos-followers.ts';
import { type ChaosOutcome, type ChaosQuoting, createChaosQuoting, type WrittenEvent } from './chaos-quoting.ts';
import type { ReceiverMood } from './chaos-receiver.ts';
import { type ChaosBackend, DEADLINE_MS, LEASE_MARGIN_MS } from './chaos-settings.ts';

export interface ChaosOptions {
  /** The queues under chaos: every worker process works on all of them. */
  readonly queues: readonly Omit<BackendUnderChaos, 'skip'>[];
  /** Path of the module whose default export makes the carrier over HTTP from its address. */
  readonly httpCarrierModule: string;
  /** Over each queue. */
  readonly rates: number;
  /** Duration of one outage of each service and of the webhook endpoint, in ms. */
  readonly outageMs: number;
  readonly random: () => number;
}

/** The result of a run over one queue. */
export interface ChaosResult extends ChaosOutcome {
  readonly kills: number;
  readonly pauses: number;
  readonly outages: number;
  /** Number of workers that crashed. */
  readonly crashes: number;
  readonly events: readonly WrittenEvent[];
  readonly followed: readonly Followed[];
  /** Time from the last end of a rate until the endpoint had all events, in ms. */
  readonly tellingMs: number;
  /** From the last disturbance to the last end. */
  readonly recoveryMs: number;
  readonly tookMs: number;
}

/** Five carriers, two form types. */
export const RATES_A_QUOTE = 10;
const moods: readonly ReceiverMood[] = ['failing', 'redirecting', 'slow', 'breaking_off', 'well'];
/** Quotes keep coming for so long, so that there is something to disturb. */
const askingMs = (rates: number) => Math.max(2500, 20 * rates);

/**
 * Runs quotes over several worker processes that are killed and paused, with outages of their services and unreliable
 * webhook endpoints. Every quote has a follower.
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
  const asked = all.map((quoting) => {
    const followers = open.use(createFollowers(() => fleet.doors(quoting.settings.queueName), random));
    const made = (async () => {
      for (let index = 0; index < quoteCount; index++) {
        followers.add(await quoting.ask());
        await sleep(askingMs(rates) / quoteCount);
      }
    })();
    // Waited for below, and not to fall over before.
    made.catch(() => {});
    return { quoting, followers, made };
  });
  let allMade = false;
  const everythingMade = Promise.all(asked.map(({ made }) => made)).finally(() => {
    allMade = true;
  });
  everythingMade.catch(() => {});
  const hasMuchLeft = async () => (await unfinished(all)) > (all.length * rates) / 5;
  await sleep(500);
  // A slow machine would be disturbed for as long as it takes, and come to few premiums.
  const maxTurns = 3 + rates / RATES_A_QUOTE;
  // One of each at least, and more as long as there is something to disturb.
  for (let turn = 0; turn < 3 || (turn < maxTurns && (!allMade || (await hasMuchLeft()))); turn++) {
    for (const { receiver } of all) receiver.be(moods[turn % moods.length]!);
    const which = turn < 3 ? turn : Math.floor(random() * 2.4);
    if (which === 0) {
      kills++;
      await fleet.kill(random);
    } else if (which === 1) {
      pauses++;
      // Longer than a lease: another takes over, and then it comes back.
      await fleet.pause(random, DEADLINE_MS + LEASE_MARGIN_MS + 500 + random() * 500);
    } else {
      outages++;
      const durationMs = turn === 2 ? options.outageMs : Math.min(options.outageMs, 2000);
      await Promise.all(
        all.flatMap(({ outage, receiver }) => [outage(durationMs), turn === 2 ? receiver.away(durationMs) : undefined]),
      );
    }
    disturbedAt = performance.now();
    await sleep(200 + random() * 400);
  }
  await everythingMade;
  const ends = await Promise.all(
    asked.map(async ({ quoting, followers }) => {
      const patience = performance.now() + 120_000;
      while ((await quoting.unfinished()) > 0) {
        if (performance.now() > patience) break;
        await sleep(50);
      }
      const endedAt = performance.now();
      quoting.receiver.be('well');
      const followed = await followers.ended(60_000);
      const events = await quoting.events();
      const untold = () => {
        const told = new Set(quoting.receiver.told.map(({ id }) => id));
        return events.some(({ id }) => !told.has(id));
      };
      const tellingPatience = performance.now() + 60_000 + 4 * options.outageMs;
      while (untold() && performance.now() < tellingPatience) await sleep(50);
      return { quoting, followed, events, endedAt, tellingMs: performance.now() - endedAt };
    }),
  );
  // Late results have been written by now, if possible.
  await sleep(DEADLINE_MS + LEASE_MARGIN_MS);
  const results = new Map<ChaosBackend, ChaosResult>();
  for (const { quoting, endedAt, followed, events, tellingMs } of ends) {
    results.set(quoting.backend, {
      ...{ kills, pauses, outages, crashes: fleet.crashes() },
      ...(await quoting.outcome()),
      ...{ events, followed, tellingMs },
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
