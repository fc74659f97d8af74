import type { Database } from '@leeward/database';
import { microsPerMs } from '@leeward/terms';
import { createCarrierCatalog } from './catalog/carrier-catalog.ts';
import { type QuotedLine, quotedLines } from './catalog/quoted-line.ts';
import { createCallbacks } from './orchestrator/callbacks.ts';
import { createCarrierRests } from './orchestrator/carrier-rests.ts';
import { createDispatcher } from './orchestrator/dispatcher.ts';
import { createEraser } from './orchestrator/eraser.ts';
import { createEventFeed } from './orchestrator/event-feed.ts';
import { createHousekeeper } from './orchestrator/housekeeper.ts';
import { createInFlight } from './orchestrator/in-flight.ts';
import type { QuoteListener } from './orchestrator/quote-event.ts';
import { createWorker } from './orchestrator/worker.ts';
import type { CarrierAdapter, CarrierLimits } from './ports/carrier-adapter.ts';
import type { Clock } from './ports/clock.ts';
import type { QueueBackend } from './ports/queue-backend.ts';
import type { NewQuote, QuoteStore } from './ports/quote-store.ts';
import type { TeamDirectory } from './ports/team-directory.ts';
import { presentCarriers, presentProducts } from './present/catalog.ts';
import { presentComparison } from './present/comparison.ts';
import { eventId, eventNumber, presentEvent } from './present/event.ts';
import { type CreatedQuoteResponse, presentCreatedQuote, presentQuoteStatus } from './present/quote-status.ts';
import { presentFullRate } from './present/rate.ts';
import type { Quotes } from './quotes.ts';
import { checkQuoteRequest } from './request/check-quote-request.ts';
import { fieldReference } from './request/field-reference.ts';
import { hashBody, idempotencyKeyFault } from './request/idempotency.ts';
import { readInsuredQuery } from './request/insured-query.ts';
import { IdempotencyConflictError, InvalidQuoteRequestError, RateNotRetryableError } from './request/quote-errors.ts';
import type { FieldEncryption } from './store/field-cipher.ts';
import { jobOf } from './store/job-key.ts';
import { createSqlStore } from './store/sql-store.ts';
import { createUuid } from './uuid.ts';
import { createEventPost } from './webhooks/post-event.ts';
import { createWebhookSender } from './webhooks/webhook-sender.ts';
import { createWebhooks, webhookTimeoutMs } from './webhooks/webhooks.ts';

/** What quoting stands on: a database, carriers, a queue, and who may ask whom. */
export interface QuotesOptions {
  /** SQLite or PostgreSQL, with {@link quoteMigrations} applied. */
  readonly database: Database;
  readonly carriers: readonly CarrierAdapter[];
  /** Lines of business that are quoted beside homes. */
  readonly lines?: readonly QuotedLine[] | undefined;
  readonly queue: QueueBackend;
  readonly teams: TeamDirectory;
  /** Encrypts `fields` at rest. Default: plain JSON. */
  readonly encryption?: FieldEncryption | undefined;
  /** A quote's carriers have so long to answer, retries included. Default 15 minutes. */
  readonly quoteDeadlineMs?: number | undefined;
  /** How much longer than a carrier's deadline a lease is: at most, and by default, 15,000. */
  readonly leaseMarginMs?: number | undefined;
  /** How often each process looks for what was left undone. Default 500. */
  readonly sweepIntervalMs?: number | undefined;
  /** After how long a job that nobody answered is enqueued again. Default 10,000. */
  readonly redispatchMs?: number | undefined;
  /** Personal data is erased after so many days. Default 90. */
  readonly personalDataDays?: number | undefined;
  /** Whether webhooks may go to private addresses, and over http. Default false: to the public internet alone. */
  readonly allowPrivateWebhooks?: boolean | undefined;
  /** Hears of what happens, for logs and metrics. */
  readonly listener?: QuoteListener | undefined;
  /** Default: the database's own clock. */
  readonly clock?: Clock | undefined;
  /** Of [0, 1), for backoff. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Default: the store on `database`. */
  readonly store?: QuoteStore | undefined;
}

const maxLeaseMarginMs = 15_000;

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
    leaseMarginMs = maxLeaseMarginMs,
    sweepIntervalMs = 500,
    redispatchMs = 10_000,
    personalDataDays = 90,
    allowPrivateWebhooks = false,
    random = Math.random,
  } = options;
  if (!(leaseMarginMs > 0 && leaseMarginMs <= maxLeaseMarginMs)) {
    throw new TypeError(`leaseMarginMs is ${leaseMarginMs}; give a number above 0, up to ${maxLeaseMarginMs}.`);
  }
  const lines = quotedLines(options.lines);
  const catalog = createCarrierCatalog(options.carriers, lines);
  const store = options.store ?? createSqlStore({ database, clock, encryption, redispatchMs });
  const inFlight = createInFlight();
  const feed = createEventFeed({
    store,
    listener,
    // A file tells cheaply whether anything was written; a server is told of, and asked to be sure.
    pollMs: database.engine === 'sqlite' ? 100 : 1000,
  });
  const post = createEventPost({ allowPrivate: allowPrivateWebhooks, timeoutMs: webhookTimeoutMs });
  const sender = createWebhookSender({ store, webhooks: store.webhooks, post, listener, random });
  /** There are events of these quotes. */
  const wake = (quoteIds: readonly string[]) => {
    feed.wake(quoteIds);
    if (started) sender.soon();
  };
  const eraser = createEraser({ store, teams, inFlight, listener, wake });
  const rests = createCarrierRests({ store, carriers: catalog.carriers, listener });
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
  });
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
  const nowMs = () => (clock === undefined ? Date.now() : Math.floor(clock.nowMicros() / microsPerMs));

  async function replay(teamId: string, bodyHash: string, earlier: { bodyHash: string; quoteId: string }) {
    if (earlier.bodyHash !== bodyHash) throw new IdempotencyConflictError();
    return created(teamId, earlier.quoteId);
  }

  async function created(teamId: string, quoteId: string): Promise<CreatedQuoteResponse> {
    const quote = await store.readQuote(teamId, quoteId);
    if (quote === undefined) throw new Error(`The quote ${quoteId} was stored and is gone.`);
    return presentCreatedQuote(quote, await store.readRates(quoteId));
  }

  async function status(teamId: string, quoteId: string, includeRates: boolean) {
    const quote = await store.readQuote(teamId, quoteId);
    if (quote === undefined) return undefined;
    return presentQuoteStatus(quote, await store.readRates(quote.id), { includeRates });
  }

  return {
    async create(teamId, body, { idempotencyKey, admit } = {}) {
      const keyFault = idempotencyKey === undefined ? undefined : idempotencyKeyFault(idempotencyKey);
      if (keyFault !== undefined) throw new InvalidQuoteRequestError([keyFault]);
      const idempotency = idempotencyKey === undefined ? undefined : { key: idempotencyKey, bodyHash: hashBody(body) };
      if (idempotency !== undefined) {
        const earlier = await store.findByIdempotencyKey(teamId, idempotency.key);
        if (earlier !== undefined) return replay(teamId, idempotency.bodyHash, earlier);
      }
      const today = new Date(nowMs()).toISOString().slice(0, 10);
      const checked = await checkQuoteRequest(body, { teamId, catalog, teams, today, lines });
      if (!checked.ok) throw new InvalidQuoteRequestError(checked.faults);
      const { request } = checked;
      await admit?.(request.rates.length);
      const told = dispatcher.admit(request.rates.map((rate) => rate.carrierKey));
      const quote: NewQuote = {
        ...request,
        id: createUuid(nowMs()),
        serviceQuoteId: createUuid(nowMs()),
        teamId,
        idempotency,
        rates: request.rates.map((rate, index) => ({ ...rate, id: createUuid(nowMs()), told: told[index]! })),
        deadlineMs: quoteDeadlineMs,
      };
      const stored = await store.createQuote(quote);
      if ('quoteId' in stored) return replay(teamId, idempotency?.bodyHash ?? '', stored);
      // The rates are on disk: should the queue be away, a sweep brings them to it later.
      void dispatcher.enqueue(
        quote.rates.filter((rate) => rate.told).map((rate) => jobOf(rate.id, 0, rate.carrierKey)),
      );
      return presentNew(quote, stored.createdAt);
    },
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
      const newId = createUuid(nowMs());
      const [told = false] = dispatcher.admit([found.rate.carrierKey]);
      const outcome = await store.retryRate(found.rate.id, newId, { deadlineMs: quoteDeadlineMs, told });
      if (outcome !== 'retried') throw new RateNotRetryableError(outcome);
      if (told) void dispatcher.enqueue([jobOf(newId, 0, found.rate.carrierKey)]);
      const retried = await store.readRate(teamId, newId);
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
    async pauseCarrier(named) {
      const carrierKey = catalog.find(named)?.adapter.key;
      if (carrierKey === undefined) return undefined;
      await store.pauseCarrier(carrierKey);
      await rests.refresh();
      return { carrierKey, changed: true };
    },
    async resumeCarrier(named) {
      const carrierKey = catalog.find(named)?.adapter.key;
      if (carrierKey === undefined) return undefined;
      const changed = await store.liftRest(carrierKey);
      await rests.refresh();
      housekeeper.wakeIn(0);
      return { carrierKey, changed };
    },
    carrierRests: () => store.readRests(),
    backlog: () => store.readBacklog(),
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
      if (work) {
        const lanes = catalog.carriers.map(({ adapter, limits }) => ({
          key: adapter.key,
          concurrency: limits.concurrency + (keepsSlots ? ahead(limits) : 0),
          maxRunMs: limits.deadlineMs + 2 * leaseMarginMs,
        }));
        await queue.start(lanes, (delivery) => {
          dispatcher.delivered(delivery);
          return worker.deliver(delivery);
        });
        working = true;
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

  async function stop({ graceMs = 10_000 }: { graceMs?: number | undefined } = {}): Promise<void> {
    await housekeeper.stop();
    await feed.stop();
    await sender.stop();
    post.close();
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
  }
}

const noSuchEvent = {
  path: '/last-event-id',
  code: 'unknown_event',
  message: 'Last-Event-ID is no event of this quote; send the id of the last event that you have, or leave it out.',
};

function presentNew(quote: NewQuote, createdAt: number): CreatedQuoteResponse {
  const rates = quote.rates.map((rate) => ({
    ...rate,
    quoteId: quote.id,
    status: 'queued' as const,
    outcome: undefined,
    premiumCents: undefined,
    answer: undefined,
    retryable: false,
    attempts: 0,
    createdAt,
    startedAt: undefined,
    finishedAt: undefined,
    retryOf: undefined,
    supersededBy: undefined,
    pendingSince: undefined,
  }));
  return presentCreatedQuote({ ...quote, createdAt, erasedAt: undefined }, rates);
}

/**
 * How many rates are taken while all slots are busy, so that the next call waits for no claim: as many again, but few of
 * a small lane, because they are lost for a lease when the process is killed. With a rate limit none: a permit is for now.
 */
function ahead({ concurrency, rateLimit }: CarrierLimits): number {
  if (rateLimit !== undefined) return 0;
  return concurrency > 16 ? concurrency : Math.ceil(concurrency / 4);
}
