import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { QuoteListener } from './quote-event.ts';

const BEAT_EVERY_MS = 1000;

/** Beats every second, and ends the leases of dead processes. */
export interface Heartbeat {
  /** Resolves after the first beat; claim rates only then. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createHeartbeat(options: {
  readonly store: Pick<SqlQuoteStore, 'beat' | 'leave'>;
  readonly listener: QuoteListener;
  readonly wakeUp: () => void;
}): Heartbeat {
  const { store, listener, wakeUp } = options;
  const report = (error: unknown) => listener({ type: 'failure', where: 'heartbeat', error });
  let stopping: AbortController | undefined;
  let ended: Promise<void> = Promise.resolve();

  const beat = async () => {
    const { processes, leases } = await store.beat();
    if (processes > 0) listener({ type: 'process_lost', processes, leases });
    if (leases > 0) wakeUp();
  };
  // Separate from the sweeps: a long sweep must not look like death.
  const loop = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await sleep(BEAT_EVERY_MS, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await beat().catch(report);
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
      await store.leave().catch(report);
    },
  };
}
