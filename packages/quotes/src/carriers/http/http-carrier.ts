import type { JsonObject } from '@leeward/terms';
import type {
  AnswerOutcome,
  CallContext,
  CarrierAdapter,
  CarrierAnswer,
  CarrierLimits,
  CarrierRequest,
  LookupAnswer,
} from '../../ports/carrier-adapter.ts';
import { CarrierFault } from '../../ports/carrier-fault.ts';
import { createAuth } from './auth.ts';
import { mapResponse } from './map-response.ts';
import type { HttpCarrierFile, HttpRequestFile, HttpResponseFile } from './schema.ts';
import { fillSecrets, type Secrets } from './secrets.ts';
import { type Fetch, type HttpAnswer, sendHttp } from './send-http.ts';
import { fillAddress, fillTemplate, fillText } from './template.ts';

/** Where secrets come from, and what fetches. Default none, and the global `fetch`. */
export interface HttpCarrierOptions {
  /** For `${NAME}` in addresses, headers and auth. Default: none. */
  readonly secrets?: Secrets | undefined;
  /** Default: Node's. */
  readonly fetch?: Fetch | undefined;
}

/** All that can be made before anything is sent. */
interface FilledRequest {
  readonly method: HttpRequestFile['method'];
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

interface Prepared {
  readonly quote: FilledRequest;
  readonly looking: FilledRequest | undefined;
}

/** A carrier asked over HTTP with JSON, described by a file that {@link checkHttpCarrier} has found in order. */
export function createHttpCarrier(file: HttpCarrierFile, options: HttpCarrierOptions = {}): CarrierAdapter {
  const { secrets = () => undefined, fetch = globalThis.fetch } = options;
  const auth = createAuth(file.auth, secrets, fetch);
  const { lookup } = file;

  const fill = (template: HttpRequestFile, request: CarrierRequest, context: CallContext): FilledRequest => {
    const values = valuesOf(request, context);
    const url = fillAddress(fillSecrets(template.url, secrets), values);
    const headers = new Headers({ accept: 'application/json' });
    for (const [name, value] of Object.entries(template.headers ?? {})) {
      headers.set(name, fillText(fillSecrets(value, secrets), values, headerText));
    }
    headers.set(file.idempotency_header ?? 'Idempotency-Key', context.idempotencyKey);
    // A kept connection may be closed just when a request goes out on it, and nobody knows whether it arrived.
    if (!file.idempotent) headers.set('connection', 'close');
    const body = template.body === undefined ? undefined : JSON.stringify(fillTemplate(template.body, values) ?? null);
    if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    return { method: template.method, url, headers, body };
  };
  const prepare = async (request: CarrierRequest, context: CallContext): Promise<Prepared> => {
    const quote = fill(file.request, request, context);
    const looking = lookup && fill(lookup.request, request, context);
    const authorization = await auth.headers(context.signal);
    for (const { headers } of looking === undefined ? [quote] : [quote, looking]) {
      for (const [name, value] of Object.entries(authorization)) headers.set(name, value);
    }
    return { quote, looking };
  };
  const preparedFor = (request: CarrierRequest, context: CallContext) =>
    context.prepared === undefined ? prepare(request, context) : (context.prepared as Prepared);
  const send = async ({ method, url, headers, body }: FilledRequest, signal: AbortSignal): Promise<HttpAnswer> => {
    const answer = await sendHttp(fetch, url, { method, headers, signal, ...(body !== undefined && { body }) });
    if (answer.status === 401) auth.refused();
    return answer;
  };
  return {
    key: file.carrier.key,
    name: file.carrier.name,
    offers: file.offers.map(({ form_types, states }) => ({ formTypes: form_types, states })),
    idempotent: file.idempotent,
    limits: limitsOf(file),
    prepare: async (request, context) => ({ prepared: await prepare(request, context) }),
    async quote(request, context) {
      const { quote } = await preparedFor(request, context);
      return read(await send(quote, context.signal), file.response, file.statuses ?? {});
    },
    ...(lookup !== undefined && {
      async lookup(request: CarrierRequest, context: CallContext): Promise<LookupAnswer> {
        const { looking } = await preparedFor(request, context);
        const answer = await send(looking!, context.signal);
        if (lookup.absent_statuses.includes(answer.status)) return { status: 'absent' };
        return { status: 'found', answer: read(answer, lookup.response ?? file.response, file.statuses ?? {}) };
      },
    }),
  };
}

type Meaning = NonNullable<HttpCarrierFile['statuses']>[string];

/** What a status means where the file says nothing else. */
function usualMeaning(answer: HttpAnswer): Meaning {
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return 'answer';
  if (status === 401 || status === 403 || status === 425 || status === 429) return 'refused';
  // Only a 503 that says when to come back has surely done nothing.
  if (status === 503 && retryAfterMs !== undefined) return 'refused';
  return status >= 500 || status === 408 ? 'failed' : 'invalid';
}

function read(answer: HttpAnswer, file: HttpResponseFile, statuses: Readonly<Record<string, Meaning>>): CarrierAnswer {
  const { status, isJson, body, retryAfterMs } = answer;
  const meaning = statuses[String(status)] ?? usualMeaning(answer);
  switch (meaning) {
    case 'refused':
    case 'failed':
    case 'invalid':
      throw new CarrierFault(`The carrier answered ${status}.`, {
        kind: meaning,
        code: `http_${status}`,
        retryAfterMs,
      });
    case 'answer':
    case 'quoted':
    case 'referred':
      if (!isJson)
        throw new CarrierFault('The carrier answered something that is not JSON.', {
          kind: 'invalid',
          code: 'not_json',
        });
      return mapResponse(body, file, meaning === 'answer' ? undefined : meaning);
    default:
      return isJson ? mapResponse(body, file, meaning satisfies AnswerOutcome) : { outcome: meaning };
  }
}

function valuesOf(request: CarrierRequest, context: CallContext): JsonObject {
  return {
    rate_id: request.rateId,
    quote_request_id: request.quoteRequestId,
    product_code: request.productCode,
    form_type: request.formType,
    effective_date: request.effectiveDate,
    producer_email: request.producerEmail,
    idempotency_key: context.idempotencyKey,
    fields: request.fields,
  };
}

/** What a header can carry: visible Latin characters and blanks. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}

function limitsOf({ limits }: HttpCarrierFile): Partial<CarrierLimits> {
  const { concurrency, deadline_ms, max_attempts, backoff_ms, rate_limit, breaker, max_rest_ms } = limits ?? {};
  return {
    ...(concurrency !== undefined && { concurrency }),
    ...(deadline_ms !== undefined && { deadlineMs: deadline_ms }),
    ...(max_attempts !== undefined && { maxAttempts: max_attempts }),
    ...(backoff_ms !== undefined && { backoff: { initialMs: backoff_ms[0], maxMs: backoff_ms[1] } }),
    ...(rate_limit !== undefined && {
      rateLimit: { calls: rate_limit.calls, perMs: rate_limit.per_ms, burst: rate_limit.burst },
    }),
    ...(max_rest_ms !== undefined && { maxRestMs: max_rest_ms }),
    ...(breaker !== undefined && { breaker: { failures: breaker.failures, restMs: breaker.rest_ms } }),
  };
}
