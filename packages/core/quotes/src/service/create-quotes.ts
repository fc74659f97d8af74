import { randomUUID } from 'node:crypto';
import { MICROS_PER_MS } from '@leeward/terms';
import { createCarrierCatalog } from '../catalog/carrier-catalog.ts';
import { quotedLines } from '../catalog/quoted-line.ts';
import { createDocuments } from '../documents/documents.ts';
import { createCallbacks } from '../orchestrator/callbacks.ts';
import { createCarrierCooldowns } from '../orchestrator/carrier-cooldowns.ts';
import { createClosureWatch } from '../orchestrator/closure-watch.ts';
import { createEraser } from '../orchestrator/eraser.ts';
import { createEventFeed } from '../orchestrator/event-feed.ts';
import { createExchangeRecorder } from '../orchestrator/exchange-recorder.ts';
import { createHeartbeat } from '../orchestrator/heartbeat.ts';
import { createHomeWatch } from '../orchestrator/home-watch.ts';
import { createHousekeeper, type Housekeeper } from '../orchestrator/housekeeper.ts';
import { createInFlight } from '../orchestrator/in-flight.ts';
import type { QuoteEvent } from '../orchestrator/quote-event.ts';
import { createWaker } from '../orchestrator/waker.ts';
import { Worker } from '../orchestrator/worker.ts';
import { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { createEventPost } from '../webhooks/post-event.ts';
import { createWebhookSender } from '../webhooks/webhook-sender.ts';
import { createWebhooks, usualWebhookPorts, WEBHOOK_TIMEOUT_MS } from '../webhooks/webhooks.ts';
import { createQuoteChanges } from './change-quotes.ts';
import { createQuoteCreator } from './create-quote.ts';
import { createIndicator } from './indicate.ts';
import { Lifecycle } from './lifecycle.ts';
import { createOperatorActions } from './operator-actions.ts';
import type { Quotes } from './quotes.ts';
import type { QuotesOptions } from './quotes-options.ts';
import { createQuoteReader } from './read-quotes.ts';
import { createWatchedHomes } from './watched-homes.ts';

const MAX_LEASE_MARGIN_MS = 15_000;

/**
 * Creates quoting over the given carriers, queue and database. Call `start` to process quotes. @throws {TypeError} if an option is out
 * of range or a carrier is malformed.
 * @example
 * const quotes = createQuotes({ database, carriers, teams, queue: createPQueueBackend() });
 * await quotes.start();
 */
export function createQuotes(options: QuotesOptions): Quotes {
  const { leaseMarginMs, finishedQuoteDays, exchangeDays } = options;
  if (leaseMarginMs !== undefined && !(leaseMarginMs > 0 && leaseMarginMs <= MAX_LEASE_MARGIN_MS)) {
    throw new TypeError(`leaseMarginMs is ${leaseMarginMs}; give a number above 0, up to ${MAX_LEASE_MARGIN_MS}.`);
  }
  if (finishedQuoteDays !== undefined && !(finishedQuoteDays >= 1)) {
    throw new TypeError(`finishedQuoteDays is ${finishedQuoteDays}; give 1 or more, or omit it to keep quotes.`);
  }
  if (exchangeDays !== undefined && !(exchangeDays >= 0)) {
    throw new TypeError(`exchangeDays is ${exchangeDays}; give a number of days, or 0 to keep no exchanges.`);
  }
  return connect(options);
}

function connect(options: QuotesOptions): Quotes {
  const { database, queue, teams, clock, encryption, random = Math.random, wrapPort = (_, port) => port } = options;
  const { quoteDeadlineMs: deadlineMs = 900_000, leaseMarginMs = MAX_LEASE_MARGIN_MS } = options;
  const { allowPrivateWebhooks: allowPrivate = false, webhookPorts: ports = usualWebhookPorts } = options;
  const { sweepIntervalMs = 500, personalDataDays = 90, finishedQuoteDays } = options;
  const { exchangeDays = 7 } = options;
  const listener = (event: QuoteEvent) => {
    try {
      options.listener?.(event);
    } catch {
      // A log or metric must not affect a quote.
    }
  };
  const nowMs = () => (clock === undefined ? Date.now() : Math.floor(clock.nowMicros() / MICROS_PER_MS));
  const lines = quotedLines(options.lines);
  const catalog = createCarrierCatalog(options.carriers, lines);
  const { carriers } = catalog;
  const store = wrapPort('quote_store', new SqlQuoteStore({ database, clock, encryption }));
  const inFlight = createInFlight();
  const abandon = new AbortController();
  const state = { isStarted: false, isWorking: false };

  // SQLite shows changes cheaply; PostgreSQL notifies, and polling finds lost notifications.
  const feed = createEventFeed({ store, listener, pollMs: database.engine === 'sqlite' ? 100 : 1000 });
  const post = createEventPost({ allowPrivate, ports, timeoutMs: WEBHOOK_TIMEOUT_MS });
  const leaseMs = WEBHOOK_TIMEOUT_MS + leaseMarginMs;
  const sender = createWebhookSender({ store, webhooks: store.webhooks, post, listener, random, leaseMs });
  const wake = (quoteIds: readonly string[]) => {
    feed.wake(quoteIds);
    if (state.isStarted) sender.soon();
  };
  const wakeIn = (delayMs: number) => housekeeper.wakeIn(delayMs);
  const wakeUp = () => wakeIn(0);
  const eraser = createEraser({ store, teams, inFlight, listener, wake });
  const cooldowns = createCarrierCooldowns({ store, carriers, listener });
  const exchanges = createExchangeRecorder({ store, listener, isOn: exchangeDays > 0, nowMs });
  const worker: Worker = new Worker({
    ...{ store, carriers, cooldowns, inFlight, listener, random, leaseMarginMs, wakeIn, wake },
    share: (carrierKey) => void waker.wake([carrierKey]),
    exchanges,
    // SQLite has one writer; PostgreSQL commits in parallel.
    batchConcurrency: database.engine === 'postgres' ? 3 : 1,
    abandon: abandon.signal,
  });
  const waker = createWaker({
    ...{ queue, listener },
    sender: randomUUID(),
    wakeLocal: (carrierKey) => worker.wake(carrierKey),
    reachesWorkers: () => state.isWorking || queue?.caps.distributed === true,
  });
  const housekeeper: Housekeeper = createHousekeeper({
    ...{ store, inFlight, cooldowns, eraser, listener, personalDataDays, finishedQuoteDays, exchangeDays },
    fill: () => worker.wakeAll(),
    sendEvents: sender.sweep,
    intervalMs: sweepIntervalMs,
  });
  const documents = createDocuments({ store, catalog, listener, limits: options.documents ?? {} });
  const heartbeat = createHeartbeat({ store, listener, wakeUp });
  const creator = createQuoteCreator({ store, catalog, teams, lines, waker, nowMs, deadlineMs, wake });
  const closures = options.closures && createClosureWatch({ store, source: options.closures, listener, wake });
  const { homeVerdicts } = options;
  const homes = homeVerdicts && createHomeWatch({ store, verdicts: homeVerdicts, listener, wake });
  const lifecycle = new Lifecycle({
    ...{ closures, homes },
    ...{ queue, carriers, cooldowns, worker, housekeeper, heartbeat, feed, sender, post, documents },
    ...{ inFlight, abandon, state },
  });
  const callbacks = createCallbacks({ store, catalog, inFlight, listener, wakeIn });
  const webhooks = createWebhooks({
    ...{ store: store.webhooks, post, allowPrivate, ports, nowMs },
    wake: () => state.isStarted && sender.sweep(),
  });
  const reader = createQuoteReader({ store, catalog, lines, teams, feed });
  const { retryRate, ...changes } = createQuoteChanges({
    ...{ store, waker, inFlight, eraser, nowMs, deadlineMs, wake, status: reader.status },
  });
  const stop = ({ graceMs = 10_000 }: { graceMs?: number | undefined } = {}) => lifecycle.stop(graceMs);
  return {
    ...creator,
    ...reader,
    ...changes,
    ...createOperatorActions({ store, catalog, cooldowns, retryRate, wakeUp }),
    webhooks,
    indicate: createIndicator({ catalog, lines, teams, nowMs }),
    watchedHomes: homeVerdicts && createWatchedHomes({ store, verdicts: homeVerdicts, nowMs, personalDataDays }),
    openDocument: (teamId, rateId, documentId, { signal = never } = {}) =>
      documents.open(teamId, rateId, documentId, signal),
    receiveCallback: (carrierKey, callback) => callbacks.receive(carrierKey, callback),
    endEvents: () => feed.stop(),
    start: ({ work = true } = {}) => lifecycle.start(work),
    sweep: () => housekeeper.sweep(),
    async ready() {
      await store.ping();
      await queue?.ping?.();
    },
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}

const never = new AbortController().signal;
