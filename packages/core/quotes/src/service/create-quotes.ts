import { MICROS_PER_MS } from '@leeward/terms';
import { createCarrierCatalog } from '../catalog/carrier-catalog.ts';
import { quotedLines } from '../catalog/quoted-line.ts';
import { createDocuments } from '../documents/documents.ts';
import { createCallbacks } from '../orchestrator/callbacks.ts';
import { createCarrierRests } from '../orchestrator/carrier-rests.ts';
import { createDispatcher } from '../orchestrator/dispatcher.ts';
import { createEraser } from '../orchestrator/eraser.ts';
import { createEventFeed } from '../orchestrator/event-feed.ts';
import { createHeartbeat } from '../orchestrator/heartbeat.ts';
import { createHousekeeper } from '../orchestrator/housekeeper.ts';
import { createInFlight } from '../orchestrator/in-flight.ts';
import { createWorker } from '../orchestrator/worker.ts';
import type { CarrierLimits } from '../ports/carrier-adapter.ts';
import { presentCarriers, presentProducts } from '../present/catalog.ts';
import { presentComparison } from '../present/comparison.ts';
import { eventId, eventNumber, presentEvent } from '../present/event.ts';
import { presentQuoteStatus } from '../present/quote-status.ts';
import { presentFullRate } from '../present/rate.ts';
import { fieldReference } from '../request/field-reference.ts';
import { readInsuredQuery } from '../request/insured-query.ts';
import { InvalidQuoteRequestError, RateNotRetryableError } from '../request/quote-errors.ts';
import { createUuid } from '../request/uuid.ts';
import { jobOf } from '../store/job-key.ts';
import { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { createEventPost } from '../webhooks/post-event.ts';
import { createWebhookSender } from '../webhooks/webhook-sender.ts';
import { createWebhooks, usualWebhookPorts, WEBHOOK_TIMEOUT_MS } from '../webhooks/webhooks.ts';
import { createTakeIn } from './create-quote.ts';
import { createOperatorDesk, type RetryOutcome } from './operator-desk.ts';
import type { Quotes } from './quotes.ts';
import type { QuotesOptions } from './quotes-options.ts';

const MAX_LEASE_MARGIN_MS = 15_000;

/** Quoting over the given carriers, queue and database. Starts nothing by itself. */
export function createQuotes(options: QuotesOptions): Quotes {
  const {
    database,
    queue,
    teams,
    clock,
    encryption,
    listener = () => {},
    quoteDeadlineMs = 900_000,
    leaseMarginMs = MAX_LEASE_MARGIN_MS,
    sweepIntervalMs = 500,
    redispatchMs = 10_000,
    personalDataDays = 90,
    finishedQuoteDays,
    allowPrivateWebhooks = false,
    webhookPorts = usualWebhookPorts,
    documents: documentLimits = {},
    random = Math.random,
    wrapPort = (_, port) => port,
  } = options;
  if (!(leaseMarginMs > 0 && leaseMarginMs <= MAX_LEASE_MARGIN_MS)) {
    throw new TypeError(`leaseMarginMs is ${leaseMarginMs}; give a number above 0, up to ${MAX_LEASE_MARGIN_MS}.`);
  }
  if (finishedQuoteDays !== undefined && !(finishedQuoteDays >= 1)) {
    throw new TypeError(`finishedQuoteDays is ${finishedQuoteDays}; give 1 or more, or leave it out to keep quotes.`);
  }
  const lines = quotedLines(options.lines);
  const catalog = createCarrierCatalog(options.carriers, lines);
  const store = wrapPort('quote_store', new SqlQuoteStore({ database, clock, encryption, redispatchMs }));
  const inFlight = createInFlight();
  const feed = createEventFeed({
    store,
    listener,
    // A file tells cheaply whether anything was written; a server is told of, and asked to be sure.
    pollMs: database.engine === 'sqlite' ? 100 : 1000,
  });
  const post = createEventPost({
    allowPrivate: allowPrivateWebhooks,
    ports: webhookPorts,
    timeoutMs: WEBHOOK_TIMEOUT_MS,
  });
  const leaseMs = WEBHOOK_TIMEOUT_MS + leaseMarginMs;
  const sender = createWebhookSender({ store, webhooks: store.webhooks, post, listener, random, leaseMs });
  /** There are events of these quotes. */
  const wake = (quoteIds: readonly string[]) => {
    feed.wake(quoteIds);
    if (started) sender.soon();
  };
  const eraser = createEraser({ store, teams, inFlight, listener, wake });
  const rests = createCarrierRests({ store, carriers: catalog.carriers, listener });
  const documents = createDocuments({ store, catalog, listener, limits: documentLimits });
  const abandon = new AbortController();
  let working = false;
  let started = false;

  const dispatcher = createDispatcher({
    store,
    queue,
    carriers: catalog.carriers,
    mayBeAsked: (carrierKey) => rests.remainingMs(carrierKey) === 0 && !(working && worker.givesRest(carrierKey)),
    redispatchMs,
    listener,
    reachesWorkers: () => working || queue.caps.distributed,
  });
  const housekeeper = createHousekeeper({
    store,
    dispatcher,
    inFlight,
    rests,
    eraser,
    sendEvents: sender.sweep,
    listener,
    intervalMs: sweepIntervalMs,
    personalDataDays,
    finishedQuoteDays,
  });
  const heartbeat = createHeartbeat({ store, listener, wakeUp: () => housekeeper.wakeIn(0) });
  const callbacks = createCallbacks({ store, catalog, inFlight, listener, wakeIn: housekeeper.wakeIn });
  const keepsSlots = queue.caps.laneScope === 'process';
  const worker = createWorker({
    store,
    carriers: catalog.carriers,
    rests,
    inFlight,
    listener,
    random,
    leaseMarginMs,
    // SQLite has one writer; PostgreSQL commits side by side.
    batchesAtOnce: database.engine === 'postgres' ? 3 : 1,
    keepsSlots,
    wakeIn: housekeeper.wakeIn,
    wake,
    abandon: abandon.signal,
  });
  const nowMs = () => (clock === undefined ? Date.now() : Math.floor(clock.nowMicros() / MICROS_PER_MS));

  const takeIn = createTakeIn({ store, catalog, teams, lines, dispatcher, nowMs, deadlineMs: quoteDeadlineMs, wake });
  const desk = createOperatorDesk({ store, catalog, rests, retryOne, wakeUp: () => housekeeper.wakeIn(0) });

  async function retryOne(rateId: string, carrierKey: string, mayRepeat: boolean): Promise<RetryOutcome> {
    const retriedAs = createUuid(nowMs());
    const [told = false] = dispatcher.admit([carrierKey]);
    const outcome = await store.retryRate(rateId, retriedAs, { deadlineMs: quoteDeadlineMs, told, mayRepeat });
    if (outcome !== 'retried') return { refused: outcome };
    if (told) void dispatcher.enqueue([jobOf(retriedAs, 0, carrierKey)]);
    else dispatcher.stored([carrierKey]);
    return { retriedAs };
  }

  async function status(teamId: string, quoteId: string, includeRates: boolean) {
    const quote = await store.readQuote(teamId, quoteId);
    if (quote === undefined) return undefined;
    return presentQuoteStatus(quote, await store.readRates(quote.id), { includeRates });
  }

  return {
    create: takeIn.create,
    requote: takeIn.requote,
    status: (teamId, quoteId, { includeRates = false } = {}) => status(teamId, quoteId, includeRates),
    async compare(teamId, quoteId) {
      const quote = await store.readQuote(teamId, quoteId);
      if (quote === undefined) return undefined;
      const [rates, fields] = await Promise.all([store.readRates(quote.id), store.readFields(quote.id)]);
      const dwelling = fields?.['dwelling_a'];
      return presentComparison(quote, rates, typeof dwelling === 'number' ? BigInt(dwelling) * 100n : undefined);
    },
    async rate(teamId, rateId) {
      const found = await store.readRate(teamId, rateId);
      return found === undefined ? undefined : presentFullRate(found.rate, found.quote);
    },
    openDocument: (teamId, rateId, documentId, { signal = never } = {}) =>
      documents.open(teamId, rateId, documentId, signal),
    async history(teamId, rateId) {
      const found = await store.readRate(teamId, rateId);
      return found === undefined ? undefined : store.readEvents(found.rate.id);
    },
    async events(teamId, quoteId, { after } = {}) {
      const quote = await store.readQuote(teamId, quoteId);
      if (quote === undefined) return undefined;
      const number = after === undefined ? 0 : eventNumber(quote.id, after);
      if (number === undefined) throw new InvalidQuoteRequestError([noSuchEvent]);
      const following = feed.follow(quote.id, number);
      return {
        async next() {
          const event = await following.next();
          return event && { id: eventId(event), message: presentEvent(event, quote) };
        },
        end: following.end,
      };
    },
    webhooks: createWebhooks({
      store: store.webhooks,
      post,
      allowPrivate: allowPrivateWebhooks,
      ports: webhookPorts,
      nowMs,
      wake: () => started && sender.sweep(),
    }),
    endEvents: () => feed.stop(),
    async cancel(teamId, quoteId) {
      const quote = await store.readQuote(teamId, quoteId);
      if (quote === undefined) return undefined;
      const rates = await store.readRates(quote.id);
      const cancelled = await store.cancelQuote(quote.id);
      inFlight.lose(cancelled);
      wake([quote.id]);
      const jobs = rates.filter((rate) => cancelled.includes(rate.id));
      // Only the commonest job of each is taken back; any other finds nothing to claim.
      void queue
        .discard(jobs.map((rate) => jobOf(rate.id, rate.attempts, rate.carrierKey)))
        .catch((error: unknown) => listener({ type: 'trouble', where: 'discard', error }));
      return status(teamId, quote.id, false);
    },
    async retry(teamId, rateId) {
      const found = await store.readRate(teamId, rateId);
      if (found === undefined) return undefined;
      const done = await retryOne(found.rate.id, found.rate.carrierKey, false);
      if ('refused' in done) {
        const { code, retriedAs } = done.refused;
        throw new RateNotRetryableError(code === 'may_repeat' ? 'not_retryable' : code, retriedAs);
      }
      const retried = await store.readRate(teamId, done.retriedAs);
      return retried === undefined ? undefined : presentFullRate(retried.rate, retried.quote);
    },
    receiveCallback: (carrierKey, callback) => callbacks.receive(carrierKey, callback),
    async erase(teamId, quoteId) {
      const quote = await store.readQuote(teamId, quoteId);
      return quote === undefined ? false : eraser.eraseQuote(teamId, quote.id);
    },
    async eraseInsured(teamId, body) {
      const query = readInsuredQuery(body, new Date(nowMs()).toISOString().slice(0, 10));
      if ('faults' in query) throw new InvalidQuoteRequestError(query.faults);
      const { quoteIds, unreadable } = await eraser.eraseInsured(teamId, query.isInsured);
      return { erased: quoteIds, unreadable };
    },
    eraseRemovedTeams: () => eraser.eraseRemovedTeams(),
    ...desk,
    backlog: () => store.readBacklog(),
    troubles: () => store.countTroubled(),
    products: () => presentProducts(lines),
    carriers: async (teamId) => presentCarriers(catalog, await teams.appointments(teamId), lines),
    fieldReference: (product) => {
      const known = product === undefined ? lines.products[0] : lines.findProduct(product);
      const line = known && lines.lineOf(known.formTypes[0]!);
      return line && fieldReference(line);
    },
    async start({ work = true } = {}) {
      if (started) throw new Error('Quoting has been started already.');
      started = true;
      try {
        if (work) await startWork();
      } catch (error) {
        // A queue that is away now may be there when this is tried again.
        started = false;
        await heartbeat.stop();
        throw error;
      }
      housekeeper.start();
    },
    sweep: () => housekeeper.round(),
    async ready() {
      await store.ping();
      await queue.ping?.();
    },
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };

  async function startWork(): Promise<void> {
    const lanes = catalog.carriers.map(({ adapter, limits }) => ({
      key: adapter.key,
      concurrency: limits.concurrency + (keepsSlots ? ahead(limits) : 0),
      maxRunMs: limits.deadlineMs + 2 * leaseMarginMs,
    }));
    // A queue that outlives processes brings at once what has waited: nobody is asked before it is known who is paused.
    await rests.refresh();
    await heartbeat.start();
    await queue.start(lanes, (delivery) => {
      dispatcher.delivered(delivery);
      return worker.deliver(delivery);
    });
    working = true;
  }

  async function stop({ graceMs = 10_000 }: { graceMs?: number | undefined } = {}): Promise<void> {
    await housekeeper.stop();
    await feed.stop();
    await sender.stop();
    post.close();
    documents.close();
    working = false;
    // The store may be what keeps handlers waiting: they are not waited for longer than the rest.
    const timer = setTimeout(() => abandon.abort(), graceMs);
    await queue.stop({ graceMs });
    await worker.idle();
    clearTimeout(timer);
    inFlight.stop();
    abandon.abort();
    const left = dispatcher.takeUndelivered();
    if (left.length > 0) {
      await store.putOff(left, 0).catch((error: unknown) => listener({ type: 'trouble', where: 'put_off', error }));
    }
    await heartbeat.stop();
  }
}

const never = new AbortController().signal;

const noSuchEvent = {
  path: '/last-event-id',
  code: 'unknown_event',
  message: 'Last-Event-ID is no event of this quote; send the id of the last event that you have, or leave it out.',
};

/**
 * How many rates are taken while all slots are busy, so that the next call waits for no claim: as many again, but few of
 * a small lane, because they are lost for a lease when the process is killed. With a rate limit none: a permit is for now.
 */
function ahead({ concurrency, rateLimit }: CarrierLimits): number {
  if (rateLimit !== undefined) return 0;
  return concurrency > 16 ? concurrency : Math.ceil(concurrency / 4);
}
