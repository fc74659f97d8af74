import { idempotencyKeyFault, MICROS_PER_MS } from '@leeward/terms';
import type { CarrierCatalog } from '../catalog/carrier-catalog.ts';
import type { QuotedLines } from '../catalog/quoted-line.ts';
import type { Waker } from '../orchestrator/waker.ts';
import type { TeamDirectory } from '../ports/team-directory.ts';
import { type CreatedQuoteResponse, presentCreatedQuote } from '../present/quote-status.ts';
import { checkQuoteRequest, type PlannedRate, type QuoteRequest } from '../request/check-quote-request.ts';
import { hashBody } from '../request/idempotency.ts';
import { IdempotencyConflictError, InvalidQuoteRequestError } from '../request/quote-errors.ts';
import { createUuid } from '../request/uuid.ts';
import type { EarlierQuote, NewQuote } from '../store/create-quote.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { CreateOptions, Quotes } from './quotes.ts';
import { changedRequest, planRequote, type RequotePlan } from './requote.ts';

export type QuoteCreator = Pick<Quotes, 'create' | 'requote'>;

export function createQuoteCreator(options: {
  readonly store: SqlQuoteStore;
  readonly catalog: CarrierCatalog;
  readonly teams: TeamDirectory;
  readonly lines: QuotedLines;
  readonly waker: Waker;
  readonly nowMs: () => number;
  readonly deadlineMs: number;
  readonly wake: (quoteIds: readonly string[]) => void;
}): QuoteCreator {
  const { store, catalog, teams, lines, waker, nowMs, deadlineMs, wake } = options;

  async function responseOf(teamId: string, quoteId: string): Promise<CreatedQuoteResponse> {
    const quote = await store.readQuote(teamId, quoteId);
    if (quote === undefined) throw new Error(`The quote ${quoteId} was stored and no longer exists.`);
    return presentCreatedQuote(quote, await store.readRates(quoteId));
  }

  async function replay(teamId: string, bodyHash: string, earlier: EarlierQuote) {
    if (earlier.bodyHash !== bodyHash) throw new IdempotencyConflictError();
    return responseOf(teamId, earlier.quoteId);
  }

  async function findReplay(teamId: string, { idempotencyKey }: CreateOptions, body: unknown) {
    if (idempotencyKey === undefined) return { idempotency: undefined, response: undefined };
    const fault = idempotencyKeyFault(idempotencyKey);
    if (fault !== undefined) throw new InvalidQuoteRequestError([fault]);
    const idempotency = { key: idempotencyKey, bodyHash: hashBody(body) };
    const earlier = await store.findByIdempotencyKey(teamId, idempotencyKey);
    return { idempotency, response: earlier && (await replay(teamId, idempotency.bodyHash, earlier)) };
  }

  async function checked(teamId: string, body: unknown): Promise<QuoteRequest> {
    const today = new Date(nowMs()).toISOString().slice(0, 10);
    const result = await checkQuoteRequest(body, { teamId, catalog, teams, today, lines });
    if (!result.ok) throw new InvalidQuoteRequestError(result.faults);
    return result.request;
  }

  async function createAndDispatch(
    quote: Omit<NewQuote, 'id' | 'serviceQuoteId' | 'rates' | 'deadlineMs'>,
    rates: readonly (PlannedRate & { readonly position?: number })[],
  ): Promise<CreatedQuoteResponse> {
    const newQuote: NewQuote = {
      ...quote,
      id: createUuid(nowMs()),
      serviceQuoteId: createUuid(nowMs()),
      rates: rates.map((rate) => ({ ...rate, id: createUuid(nowMs()) })),
      deadlineMs,
    };
    const result = await store.createQuote(newQuote);
    if (result === 'erased') throw new InvalidQuoteRequestError([erased]);
    if ('quoteId' in result) return replay(quote.teamId, quote.idempotency?.bodyHash ?? '', result);
    void waker.wake(rates.map((rate) => rate.carrierKey));
    if (newQuote.requoteOf === undefined) return presentNew(newQuote, result.createdAt);
    wake([newQuote.id]);
    return responseOf(quote.teamId, newQuote.id);
  }

  return {
    async create(teamId, body, options = {}) {
      const { idempotency, response } = await findReplay(teamId, options, body);
      if (response !== undefined) return response;
      const request = await checked(teamId, body);
      await options.admit?.(request.rates.length);
      return createAndDispatch({ ...request, teamId, idempotency }, request.rates);
    },
    async requote(teamId, quoteId, changes, options = {}) {
      const quote = await store.readQuote(teamId, quoteId);
      if (quote === undefined) return undefined;
      const { idempotency, response } = await findReplay(teamId, options, { requote_of: quote.id, changes });
      if (response !== undefined) return response;
      const fields = await store.readFields(quote.id);
      if (fields === undefined)
        throw new InvalidQuoteRequestError([quote.erasedAt === undefined ? unreadable : erased]);
      const rates = (await store.readRates(quote.id)).filter((rate) => rate.supersededBy === undefined);
      const earlier = { quote, fields, rates };
      const appointed = new Set((await teams.appointments(teamId)).map(({ carrierKey }) => carrierKey));
      const body = changedRequest(earlier, changes, (key) => appointed.has(key) && catalog.get(key) !== undefined);
      const request = await checked(teamId, body);
      const plan = planRequote(earlier, request, catalog, nowMs() * MICROS_PER_MS);
      if (plan.calls.length + plan.carried.length === 0) throw new InvalidQuoteRequestError([nothingNew]);
      await options.admit?.(plan.calls.length);
      const { carried, calls } = positioned(plan, request, () => createUuid(nowMs()));
      const origin = { skipped: plan.skipped, carried, requoteOf: quote.id };
      return createAndDispatch({ ...request, ...origin, teamId, idempotency }, calls);
    },
  };
}

/** Rates of a requote keep the positions of the request. */
function positioned({ calls, carried }: RequotePlan, { rates }: QuoteRequest, createId: () => string) {
  const order = new Map(rates.map((rate, position) => [`${rate.carrierKey} ${rate.formType}`, position]));
  const positionOf = (rate: Pick<PlannedRate, 'carrierKey' | 'formType'>) =>
    order.get(`${rate.carrierKey} ${rate.formType}`)!;
  return {
    carried: carried.map((rate) => ({ id: createId(), from: rate.id, position: positionOf(rate) })),
    calls: calls.map((rate) => ({ ...rate, position: positionOf(rate) })),
  };
}

const erased = {
  path: '',
  code: 'erased',
  message: 'The personal data of this quote has been erased; create a new quote from a complete request.',
};
const unreadable = {
  path: '',
  code: 'fields_unreadable',
  message:
    'The fields of this quote are encrypted under a key that is not configured; create a new quote from a complete request.',
};
const nothingNew = {
  path: '',
  code: 'nothing_to_quote',
  message: 'No carrier gets a changed request, and all of them are still working on it; wait, or change something.',
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
