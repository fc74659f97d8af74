import { idempotencyKeyFault, MICROS_PER_MS } from '@leeward/terms';
import type { CarrierCatalog } from '../catalog/carrier-catalog.ts';
import type { QuotedLines } from '../catalog/quoted-line.ts';
import type { Dispatcher } from '../orchestrator/dispatcher.ts';
import type { TeamDirectory } from '../ports/team-directory.ts';
import { type CreatedQuoteResponse, presentCreatedQuote } from '../present/quote-status.ts';
import { checkQuoteRequest, type PlannedRate, type QuoteRequest } from '../request/check-quote-request.ts';
import { hashBody } from '../request/idempotency.ts';
import { IdempotencyConflictError, InvalidQuoteRequestError } from '../request/quote-errors.ts';
import { createUuid } from '../request/uuid.ts';
import type { NewQuote } from '../store/create-quote.ts';
import { jobOf } from '../store/job-key.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { CreateOptions, Quotes } from './quotes.ts';
import { changedRequest, planRequote } from './requote.ts';

/** Takes quotes in: checked, stored with all their rates, and told of to the queue. */
export type TakeIn = Pick<Quotes, 'create' | 'requote'>;

export function createTakeIn(options: {
  readonly store: SqlQuoteStore;
  readonly catalog: CarrierCatalog;
  readonly teams: TeamDirectory;
  readonly lines: QuotedLines;
  readonly dispatcher: Dispatcher;
  readonly nowMs: () => number;
  readonly deadlineMs: number;
  /** There are events of these quotes. */
  readonly wake: (quoteIds: readonly string[]) => void;
}): TakeIn {
  const { store, catalog, teams, lines, dispatcher, nowMs, deadlineMs, wake } = options;

  async function replay(teamId: string, bodyHash: string, earlier: { bodyHash: string; quoteId: string }) {
    if (earlier.bodyHash !== bodyHash) throw new IdempotencyConflictError();
    return created(teamId, earlier.quoteId);
  }

  async function created(teamId: string, quoteId: string): Promise<CreatedQuoteResponse> {
    const quote = await store.readQuote(teamId, quoteId);
    if (quote === undefined) throw new Error(`The quote ${quoteId} was stored and is gone.`);
    return presentCreatedQuote(quote, await store.readRates(quoteId));
  }

  /** The quote that this key made, where it has. */
  async function before(teamId: string, { idempotencyKey }: CreateOptions, body: unknown) {
    if (idempotencyKey === undefined) return { idempotency: undefined, earlier: undefined };
    const fault = idempotencyKeyFault(idempotencyKey);
    if (fault !== undefined) throw new InvalidQuoteRequestError([fault]);
    const idempotency = { key: idempotencyKey, bodyHash: hashBody(body) };
    const found = await store.findByIdempotencyKey(teamId, idempotencyKey);
    return { idempotency, earlier: found && (await replay(teamId, idempotency.bodyHash, found)) };
  }

  async function checked(teamId: string, body: unknown): Promise<QuoteRequest> {
    const today = new Date(nowMs()).toISOString().slice(0, 10);
    const found = await checkQuoteRequest(body, { teamId, catalog, teams, today, lines });
    if (!found.ok) throw new InvalidQuoteRequestError(found.faults);
    return found.request;
  }

  async function take(
    quote: Omit<NewQuote, 'id' | 'serviceQuoteId' | 'rates' | 'deadlineMs'>,
    asked: readonly (PlannedRate & { readonly position?: number })[],
  ): Promise<CreatedQuoteResponse> {
    const told = dispatcher.admit(asked.map((rate) => rate.carrierKey));
    const made: NewQuote = {
      ...quote,
      id: createUuid(nowMs()),
      serviceQuoteId: createUuid(nowMs()),
      rates: asked.map((rate, index) => ({ ...rate, id: createUuid(nowMs()), told: told[index]! })),
      deadlineMs,
    };
    const stored = await store.createQuote(made);
    if (stored === 'erased') throw new InvalidQuoteRequestError([erased]);
    if ('quoteId' in stored) return replay(quote.teamId, quote.idempotency?.bodyHash ?? '', stored);
    // The rates are on disk: should the queue be away, a sweep brings them to it later.
    void dispatcher.enqueue(made.rates.filter((rate) => rate.told).map((rate) => jobOf(rate.id, 0, rate.carrierKey)));
    dispatcher.stored(made.rates.filter((rate) => !rate.told).map((rate) => rate.carrierKey));
    if (made.requoteOf === undefined) return presentNew(made, stored.createdAt);
    wake([made.id]);
    return created(quote.teamId, made.id);
  }

  return {
    async create(teamId, body, options = {}) {
      const { idempotency, earlier } = await before(teamId, options, body);
      if (earlier !== undefined) return earlier;
      const request = await checked(teamId, body);
      await options.admit?.(request.rates.length);
      return take({ ...request, teamId, idempotency }, request.rates);
    },
    async requote(teamId, quoteId, changes, options = {}) {
      const quote = await store.readQuote(teamId, quoteId);
      if (quote === undefined) return undefined;
      const { idempotency, earlier } = await before(teamId, options, { requote_of: quote.id, changes });
      if (earlier !== undefined) return earlier;
      const fields = await store.readFields(quote.id);
      if (fields === undefined)
        throw new InvalidQuoteRequestError([quote.erasedAt === undefined ? unreadable : erased]);
      const rates = (await store.readRates(quote.id)).filter((rate) => rate.supersededBy === undefined);
      const from = { quote, fields, rates };
      const appointed = new Set((await teams.appointments(teamId)).map(({ carrierKey }) => carrierKey));
      const body = changedRequest(from, changes, (key) => appointed.has(key) && catalog.get(key) !== undefined);
      const request = await checked(teamId, body);
      const plan = planRequote(from, request, catalog, nowMs() * MICROS_PER_MS);
      if (plan.asked.length + plan.carried.length === 0) throw new InvalidQuoteRequestError([nothingNew]);
      await options.admit?.(plan.asked.length);
      const order = new Map(request.rates.map((rate, position) => [`${rate.carrierKey} ${rate.formType}`, position]));
      const placed = <Rate extends PlannedRate>(rate: Rate) => order.get(`${rate.carrierKey} ${rate.formType}`)!;
      const carried = plan.carried.map((rate) => ({ id: createUuid(nowMs()), from: rate.id, position: placed(rate) }));
      const asked = plan.asked.map((rate) => ({ ...rate, position: placed(rate) }));
      return take({ ...request, skipped: plan.skipped, teamId, idempotency, carried, requoteOf: quote.id }, asked);
    },
  };
}

const erased = {
  path: '',
  code: 'erased',
  message: 'The personal data of this quote has been erased; make a new quote from a whole request.',
};
const unreadable = {
  path: '',
  code: 'fields_unreadable',
  message:
    'The fields of this quote are encrypted under a key that is not at hand; make a new quote from a whole request.',
};
const nothingNew = {
  path: '',
  code: 'nothing_to_quote',
  message: 'Nothing changes for any carrier, and all of them are still at it; wait for them, or change something.',
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
