import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { QuoteListener } from './quote-event.ts';

const BEAT_EVERY_MS = 1000;

/** Lets other processes know that this one is alive, for as long as it may hold rates, and ends the leases of dead ones. */
export interface Heartbeat {
  /** Resolves with the first beat: rates may be claimed from then on. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createHeartbeat(options: {
  readonly store: Pick<SqlQuoteStore, 'followProcesses' | 'leaveProcesses'>;
  readonly listener: QuoteListener;
  /** Leases were ended: the rates are due. */
  readonly wakeUp: () => void;
}): Heartbeat {
  const { store, listener, wakeUp } = options;
  let stopping: AbortController | undefined;
  let ended: Promise<void> = Promise.resolve();

  const beat = async () => {
    const { processes, leases } = await store.followProcesses();
    if (processes > 0) listener({ type: 'process_lost', processes, leases });
    if (leases > 0) wakeUp();
  };
  // By itself, not within a round of repairs: one that takes long must not make this process look dead.
  const loop = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await sleep(BEAT_EVERY_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      await beat().catch((error: unknown) => listener({ type: 'trouble', where: 'heartbeat', error }));
    }
  };
  return {
    async start() {
      await beat();
      stopping = new AbortController();
      ended = loop(stopping.signal);
    },
    async stop() {
      if (stopping === undefined) return;
      stopping.abort();
      stopping = undefined;
      await ended;
      await store.leaveProcesses().catch((error: unknown) => listener({ type: 'trouble', where: 'heartbeat', error }));
    },
  };
}
