import type { OldQuote } from '../store/erase.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { CarrierCooldowns } from './carrier-cooldowns.ts';
import type { Eraser } from './eraser.ts';
import type { InFlight } from './in-flight.ts';
import type { QuoteListener } from './quote-event.ts';

const EXPIRE_EVERY_MS = 2000;
const MAX_EXPIRED = 500;
const CHECK_TEAMS_EVERY_MS = 60_000;
const FORGET_EVERY_MS = 3_600_000;
const MIN_WAIT_MS = 20;
const DAY_MS = 86_400_000;
const MAX_DELETED = 100;

export interface HousekeeperOptions {
  readonly store: SqlQuoteStore;
  readonly inFlight: InFlight;
  readonly cooldowns: CarrierCooldowns;
  readonly eraser: Eraser;
  /** Fills free slots with due rates. */
  readonly fill: () => Promise<void>;
  readonly sendEvents: () => void;
  readonly listener: QuoteListener;
  readonly intervalMs: number;
  readonly personalDataDays: number;
  /** Undefined keeps finished quotes. */
  readonly finishedQuoteDays: number | undefined;
  readonly exchangeDays: number;
}

export interface Housekeeper {
  start(): void;
  wakeIn(delayMs: number): void;
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

export function createHousekeeper(options: HousekeeperOptions): Housekeeper {
  const { intervalMs } = options;
  const sweep = createSweep(options);
  let timer: NodeJS.Timeout | undefined;
  let nextAt = 0;
  let isRunning = false;
  let current: Promise<void> = Promise.resolve();

  const schedule = (delayMs: number) => {
    const at = performance.now() + delayMs;
    if (!isRunning || (timer !== undefined && nextAt <= at)) return;
    clearTimeout(timer);
    nextAt = at;
    timer = setTimeout(() => {
      timer = undefined;
      // A wake-up during a sweep starts another one afterwards.
      current = current.then(sweep).then(() => schedule(intervalMs * (0.8 + Math.random() * 0.4)));
    }, delayMs);
  };
  return {
    start() {
      isRunning = true;
      schedule(0);
    },
    wakeIn(delayMs) {
      if (delayMs < intervalMs) schedule(Math.max(MIN_WAIT_MS, delayMs));
    },
    sweep,
    async stop() {
      isRunning = false;
      clearTimeout(timer);
      timer = undefined;
      await current;
    },
  };
}

function createSweep(options: HousekeeperOptions): () => Promise<void> {
  const { store, inFlight, cooldowns, eraser, fill, sendEvents, listener } = options;
  const { personalDataDays, finishedQuoteDays, exchangeDays } = options;
  const attempt = async (where: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      listener({ type: 'failure', where, error });
    }
  };
  const expire = every(EXPIRE_EVERY_MS, () =>
    attempt('expire', async () => {
      while ((await store.expire(MAX_EXPIRED)) === MAX_EXPIRED);
    }),
  );
  const eraseRemoved = every(CHECK_TEAMS_EVERY_MS, () => attempt('erase_removed', () => eraser.eraseRemovedTeams()));
  const forget = every(FORGET_EVERY_MS, async () => {
    await attempt('erase', () => eraser.eraseOld(personalDataDays));
    if (finishedQuoteDays !== undefined) {
      await attempt('delete_finished', () => deleteFinished(store, listener, finishedQuoteDays));
    }
    await attempt('delete_exchanges', async () => {
      while ((await store.deleteOldExchanges(exchangeDays * DAY_MS, MAX_EXPIRED)) === MAX_EXPIRED);
    });
    await attempt('forget_idempotency_keys', () => store.deleteExpired());
  });
  return async () => {
    // First: after a clock jump everything would be due, or nothing.
    await attempt('clock', async () => {
      const jumpMs = await store.followClock();
      if (jumpMs !== 0) listener({ type: 'clock_jumped', jumpMs });
    });
    await attempt('cooldowns', () => cooldowns.refresh());
    await fill();
    sendEvents();
    await attempt('find_lost', async () => {
      const holds = inFlight.holds();
      if (holds.length > 0) inFlight.lose((await store.findLostHolds(holds)).map((hold) => hold.rateId));
    });
    await expire();
    await attempt('finish_erasure', () => store.finishErasure());
    await eraseRemoved();
    await forget();
  };
}

/** Skips `work` within `intervalMs` of its last start. */
function every(intervalMs: number, work: () => Promise<void>): () => Promise<void> {
  let startedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - startedAt < intervalMs) return;
    startedAt = performance.now();
    await work();
  };
}

/** In small steps, for the event loop. */
async function deleteFinished(store: SqlQuoteStore, listener: QuoteListener, days: number): Promise<void> {
  let count = 0;
  for (let after: OldQuote | undefined; ; ) {
    const deleted = await store.deleteFinished({ ageMs: days * DAY_MS, after, limit: MAX_DELETED });
    count += deleted.count;
    after = deleted.next;
    if (after === undefined) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (count > 0) listener({ type: 'quotes_deleted', count });
}
