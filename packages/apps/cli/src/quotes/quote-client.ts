import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatedQuoteResponse, QuoteComparison, QuoteList, QuoteStatusResponse } from '@leeward/quotes';
import { CommandError } from '../command-error.ts';
import type { QuoteServer } from './quote-server.ts';

export interface ServiceFault {
  readonly path: string;
  readonly message: string;
}

export class RefusedByServiceError extends CommandError {
  readonly status: number;
  readonly faults: readonly ServiceFault[];

  constructor(status: number, message: string, faults: readonly ServiceFault[]) {
    super(message);
    this.status = status;
    this.faults = faults;
  }
}

/** All failures are `CommandError`s. */
export interface QuoteClient {
  /** Retries under the same key, so that one quote is created. */
  create(body: unknown, idempotencyKey: string): Promise<CreatedQuoteResponse>;
  /** Requotes with changes, under a key like `create`. */
  requote(quoteId: string, changes: unknown, idempotencyKey: string): Promise<CreatedQuoteResponse>;
  status(quoteId: string): Promise<QuoteStatusResponse>;
  list(filters: object): Promise<QuoteList>;
  /** @returns HTML. */
  proposal(quoteId: string, request: object): Promise<string>;
  compare(quoteId: string, selection: object): Promise<QuoteComparison>;
  /** Erases personal data of a quote; with `insured`, of all quotes of the team for one insured. */
  erase(quote: string | { readonly insured: object }): Promise<unknown>;
}

const ANSWER_MS = 30_000;
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Waits before retries. */
const waitsMs = [500, 1000, 2000, 4000];
/** Maximum wait, also if the service requests more. */
const MAX_WAIT_MS = 30_000;

/** Sends JSON, with retries while the service is unreachable. @param meanings Problem codes in words. */
export function postToService(
  { url, token }: QuoteServer,
  meanings: Readonly<Record<string, string>>,
): (path: string, body: unknown, headers?: Record<string, string>) => Promise<unknown> {
  const send = async (path: string, body: unknown, headers: Record<string, string>): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      // Never send a token to a redirect.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { status } = response;
    return { status, retryAfter: Number(response.headers.get('retry-after')), body: await readJson(response) };
  };
  return async (path, body, headers = {}) => {
    for (let tries = 0; ; tries++) {
      const waitMs = waitsMs[tries];
      let answer: Answer;
      try {
        answer = await send(path, body, headers);
      } catch (error) {
        // A retry after a second would be refused too.
        if (waitMs === undefined || codeOf(error) === 'ECONNREFUSED') throw unreachable(url, error);
        await sleep(waitMs);
        continue;
      }
      if (answer.status === 200) return answer.body;
      const later = answer.status === 429 || answer.status === 503;
      // Every retry would be too early.
      const isTooLong = (answer.retryAfter || 0) * 1000 > waitsMs.length * MAX_WAIT_MS;
      if (waitMs === undefined || !later || isTooLong) throw refusal(url, answer, meanings);
      await sleep(Math.min(MAX_WAIT_MS, Math.max(waitMs, (answer.retryAfter || 0) * 1000)));
    }
  };
}

export function createQuoteClient(server: QuoteServer): QuoteClient {
  const { url } = server;
  const post = postToService(server, meanings);
  return {
    async create(body, idempotencyKey) {
      const created = await post('/api/v1/quote/request', body, { 'idempotency-key': idempotencyKey });
      return checked<CreatedQuoteResponse>(created, url);
    },
    async requote(quoteId, changes, idempotencyKey) {
      const path = `/api/v1/quote/${encodeURIComponent(quoteId)}/requote`;
      return checked<CreatedQuoteResponse>(await post(path, changes, { 'idempotency-key': idempotencyKey }), url);
    },
    async erase(quote) {
      if (typeof quote === 'string') return post(`/api/v1/quote/${encodeURIComponent(quote)}/erase`, {});
      return post('/api/v1/quote/erase', quote.insured);
    },
    async list(filters) {
      const not_found = 'There is no such team here, or it is another organization’s.';
      const list = (await postToService(server, { ...meanings, not_found })(
        '/api/v1/quote/list',
        filters,
      )) as QuoteList;
      if (!Array.isArray(list?.quotes)) throw notLeeward(url);
      return list;
    },
    async proposal(quoteId, request) {
      const page = await post(`/api/v1/quote/${encodeURIComponent(quoteId)}/proposal`, request);
      if (typeof page !== 'string') throw notLeeward(url);
      return page;
    },
    async compare(quoteId, selection) {
      return (await post(`/api/v1/quote/${encodeURIComponent(quoteId)}/compare`, selection)) as QuoteComparison;
    },
    async status(quoteId) {
      const path = `/api/v1/quote/${encodeURIComponent(quoteId)}`;
      return checked<QuoteStatusResponse>(await post(path, { include_rates: true }), url);
    },
  };
}

interface Answer {
  readonly status: number;
  /** Seconds; 0 or NaN if absent. */
  readonly retryAfter: number;
  readonly body: unknown;
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.ok && /^text\/html\b/.test(response.headers.get('content-type') ?? '')) return text;
  try {
    return text.length > MAX_BODY_BYTES ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Checks the parts that are used. */
function checked<Quote extends { readonly quote_request_id: string }>(body: unknown, url: string): Quote {
  const { quote_request_id: id, counts } = (body ?? {}) as { quote_request_id?: unknown; counts?: unknown };
  if (typeof id === 'string' && typeof counts === 'object' && counts !== null) return body as Quote;
  throw notLeeward(url);
}

function notLeeward(url: string): CommandError {
  return new CommandError(`${url} is not a Leeward service.`);
}

function refusal(url: string, { status, body }: Answer, meanings: Readonly<Record<string, string>>): CommandError {
  const { code, detail, errors } = (body ?? {}) as { code?: unknown; detail?: unknown; errors?: unknown };
  if (typeof code !== 'string') return new CommandError(`${url} is not a Leeward service (${status}).`);
  const faults = Array.isArray(errors) ? (errors as ServiceFault[]) : [];
  return new RefusedByServiceError(status, meanings[code] ?? `${url} returned: ${String(detail ?? code)}`, faults);
}

const meanings: Readonly<Record<string, string>> = {
  unauthenticated: 'The service does not take this token; see LEEWARD_TOKEN, or make one: leeward token create --team.',
  forbidden: 'This token may not quote; quoting takes the token of a team: leeward token create --team.',
  not_found: 'There is no such quote here, or it is another team’s.',
  idempotency_conflict: 'This idempotency key was used for another request; leave it out, or give a new one.',
};

function unreachable(url: string, error: unknown): CommandError {
  const late = error instanceof Error && error.name === 'TimeoutError';
  const why = late ? `no answer within ${ANSWER_MS / 1000} s` : (codeOf(error) ?? 'the connection broke');
  return new CommandError(`No service can be reached at ${url} (${why}). Is it running? For a demo: npm start.`);
}

function codeOf(error: unknown): string | undefined {
  const { cause } = error as { cause?: { code?: unknown; errors?: { code?: unknown }[] } };
  const code = cause?.code ?? cause?.errors?.[0]?.code;
  return typeof code === 'string' ? code : undefined;
}
