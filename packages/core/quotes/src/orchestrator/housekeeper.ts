import type { OldQuote } from '../store/erase.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { CarrierRests } from './carrier-rests.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Eraser } from './eraser.ts';
import type { InFlight } from './in-flight.ts';
import type { QuoteListener } from './quote-event.ts';

const EXPIRE_EVERY_MS = 2000;
const FORGET_EVERY_MS = 3_600_000;
const EXPIRED_AT_ONCE = 500;
const LOOK_FOR_REMOVED_EVERY_MS = 60_000;
/** Wake-ups that lie closer together are one. */
const MIN_WAIT_MS = 20;

export interface HousekeeperOptions {
  readonly store: SqlQuoteStore;
  readonly dispatcher: Dispatcher;
  readonly inFlight: InFlight;
  readonly rests: CarrierRests;
  readonly eraser: Eraser;
  /** Whatever is due to be told is told. */
  readonly sendEvents: () => void;
  readonly listener: QuoteListener;
  readonly intervalMs: number;
  readonly personalDataDays: number;
  /** Undefined keeps finished quotes for ever. */
  readonly finishedQuoteDays: number | undefined;
}

/** What is done again and again, by every process: repair what others left, and forget what is old. */
export interface Housekeeper {
  start(): void;
  /** Something is due in so long: sweep then, if that is before the next time. */
  wakeIn(delayMs: number): void;
  /** One round, now. */
  round(): Promise<void>;
  stop(): Promise<void>;
}

export function createHousekeeper(options: HousekeeperOptions): Housekeeper {
  const { store, dispatcher, inFlight, rests, eraser, sendEvents, listener, intervalMs, personalDataDays } = options;
  const { finishedQuoteDays } = options;
  let timer: NodeJS.Timeout | undefined;
  let nextAt = 0;
  let running = false;
  let current: Promise<void> = Promise.resolve();
  let expiredAt = Number.NEGATIVE_INFINITY;
  let forgotAt = Number.NEGATIVE_INFINITY;
  let lookedForRemovedAt = Number.NEGATIVE_INFINITY;

  const attempt = async (where: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      listener({ type: 'trouble', where, error });
    }
  };
  const round = async () => {
    // First of all: by a clock that was set, everything would be due or nothing.
    await attempt('clock', async () => {
      const jumpMs = await store.followClock();
      if (jumpMs !== 0) listener({ type: 'clock_jumped', jumpMs });
    });
    await attempt('rests', () => rests.refresh());
    await dispatcher.sweep();
    sendEvents();
    await attempt('find_lost', async () => {
      const holds = inFlight.holds();
      if (holds.length > 0) inFlight.lose((await store.findLost(holds)).map((hold) => hold.rateId));
    });
    if (performance.now() - expiredAt >= EXPIRE_EVERY_MS) {
      expiredAt = performance.now();
      await attempt('expire', async () => {
        while ((await store.expire(EXPIRED_AT_ONCE)) === EXPIRED_AT_ONCE);
      });
    }
    await attempt('finish_erasure', () => store.finishErasure());
    if (performance.now() - lookedForRemovedAt >= LOOK_FOR_REMOVED_EVERY_MS) {
      lookedForRemovedAt = performance.now();
      await attempt('erase_removed', async () => void (await eraser.eraseRemovedTeams()));
    }
    if (performance.now() - forgotAt >= FORGET_EVERY_MS) {
      forgotAt = performance.now();
      await attempt('erase', async () => {
        await eraser.eraseOld(personalDataDays);
      });
      if (finishedQuoteDays !== undefined) {
        await attempt('delete_finished', () => deleteFinished(store, listener, finishedQuoteDays));
      }
      await attempt('forget_idempotency_keys', () => store.deleteExpired());
    }
  };
  const schedule = (delayMs: number) => {
    const at = performance.now() + delayMs;
    if (!running || (timer !== undefined && nextAt <= at)) return;
    clearTimeout(timer);
    nextAt = at;
    timer = setTimeout(() => {
      timer = undefined;
      // A wake-up that comes while a round is under way gets a round of its own afterwards.
      current = current.then(round).then(() => schedule(intervalMs * (0.8 + Math.random() * 0.4)));
    }, delayMs);
  };
  return {
    start() {
      running = true;
      schedule(0);
    },
    wakeIn(delayMs) {
      if (delayMs < intervalMs) schedule(Math.max(MIN_WAIT_MS, delayMs));
    },
    round,
    async stop() {
      running = false;
      clearTimeout(timer);
      timer = undefined;
      await current;
    },
  };
}

const DAY_MS = 86_400_000;
const DELETED_AT_ONCE = 100;

/** In steps, so that nothing else waits for it. */
async function deleteFinished(store: SqlQuoteStore, listener: QuoteListener, days: number): Promise<void> {
  let count = 0;
  for (let after: OldQuote | undefined; ; ) {
    const deleted = await store.deleteFinished({ ageMs: days * DAY_MS, after, limit: DELETED_AT_ONCE });
    count += deleted.count;
    after = deleted.next;
    if (after === undefined) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (count > 0) listener({ type: 'quotes_deleted', count });
}
