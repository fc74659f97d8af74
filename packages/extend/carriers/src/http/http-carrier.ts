import { createHmac, timingSafeEqual } from 'node:crypto';
import type {
  CallContext,
  CarrierAdapter,
  CarrierAnswer,
  CarrierCallback,
  CarrierLimits,
  CarrierRequest,
  LookupAnswer,
  Preparation,
  VerifiedCallback,
} from '@leeward/quotes';
import type { JsonObject } from '@leeward/terms';
import { readStrength } from '../financial-strength.ts';
import type { AuthHeaders } from './auth/auth.ts';
import { createAuth } from './auth/create-auth.ts';
import { createFetchWithCertificate } from './auth/fetch-with-certificate.ts';
import { decodeBody } from './decode-body.ts';
import { writeDocument } from './dialect/document.ts';
import { withDocuments } from './documents.ts';
import { createExchange, type Exchange, type FilledRequest } from './exchange.ts';
import { addressOf, type KeptJob, readFirstAnswer, readLook, valueAt } from './job.ts';
import { mapResponse } from './map-response.ts';
import { answerMissing, fieldsNamed, missingValues } from './missing-fields.ts';
import { readAnswer } from './read-answer.ts';
import { createCarrierCredentials, withReadings } from './record-exchange.ts';
import type { HttpCarrierFile, HttpJobFile } from './schema.ts';
import { fillSecrets, type Secrets } from './secrets.ts';
import type { Fetch, HttpAnswer } from './send-http.ts';
import { createSteps, type Steps, sendOnce } from './steps.ts';
import { lookUp } from './template.ts';
import { valuesOf } from './values-of.ts';

/** Dependencies of an HTTP carrier. */
export interface HttpCarrierOptions {
  /** For `${NAME}`. @default none */
  readonly secrets?: Secrets | undefined;
  /** @default Node's `fetch`, or one with the file's client certificate */
  readonly fetch?: Fetch | undefined;
}

type Look = (filled: FilledRequest, context: CallContext, how: Parameters<Exchange['send']>[2]) => Promise<HttpAnswer>;

interface Prepared {
  readonly authorization: AuthHeaders;
  readonly values: JsonObject;
  /** Values of the repeatable steps. */
  readonly begun: JsonObject;
  /** With the values before the steps that run once. */
  readonly quote: FilledRequest;
  readonly looking: FilledRequest | undefined;
}

/**
 * Creates an adapter for JSON or XML. @param file Result of {@link checkHttpCarrier}.
 * @example
 * createHttpCarrier(carrier, { secrets: (name) => process.env[name] });
 */
export function createHttpCarrier(file: HttpCarrierFile, options: HttpCarrierOptions = {}): CarrierAdapter {
  const credentials = createCarrierCredentials(options.secrets ?? (() => undefined), file.auth);
  const { secrets } = credentials;
  const fetch =
    options.fetch ?? (file.tls === undefined ? globalThis.fetch : createFetchWithCertificate(file.tls, secrets));
  const auth = createAuth(file.auth, secrets, fetch);
  const exchange = createExchange(file, { auth, credentials, fetch });
  const steps = createSteps(file, exchange);
  const { lookup, job } = file;

  const makeDocument = (values: JsonObject) =>
    file.dialect === undefined ? { text: undefined } : writeDocument(file.dialect, values, lookUp);
  const fillQuote = (values: JsonObject): FilledRequest => {
    const document = makeDocument(values);
    // `prepare` has checked for missing values.
    return exchange.fill(file.request, values, 'text' in document ? document.text : undefined);
  };
  const prepare = async (
    request: CarrierRequest,
    context: CallContext,
  ): Promise<{ readonly prepared: Prepared } | { readonly answer: CarrierAnswer }> => {
    const values = valuesOf(request, context.idempotencyKey, context);
    const document = makeDocument({ ...values, steps: steps.samples });
    if ('answer' in document) return document;
    const bodies = [...(file.steps ?? []), file].map((each) => each.request.body);
    const missing = bodies.flatMap((body) => missingValues(body, { ...values, steps: steps.samples }));
    if (missing.length > 0) return { answer: answerMissing(missing) };
    const fill = (stepValues: JsonObject) => ({
      quote: fillQuote({ ...values, steps: { ...steps.samples, ...stepValues } }),
      looking: lookup && exchange.fill(lookup.request, { ...values, steps: stepValues }),
    });
    const authorization = await auth.headers(context.signal);
    const begun = await steps.begin(values, context);
    if ('answer' in begun) return begun;
    return { prepared: { authorization, values, begun: begun.steps, ...fill(begun.steps) } };
  };
  const preparedFor = async (request: CarrierRequest, context: CallContext) =>
    context.prepared === undefined ? prepare(request, context) : { prepared: context.prepared as Prepared };

  const send = async (prepared: Prepared, context: CallContext): Promise<CarrierAnswer> => {
    const { authorization, values, begun } = prepared;
    const finished = await steps.finish(values, begun, context);
    if ('answer' in finished) return finished.answer;
    let stepResults = finished.steps;
    let filled = prepared.quote;
    const sendAuthorized = () => exchange.send(filled, context, { purpose: 'quote', prepared: authorization });
    const sendFilled = async () => {
      filled = fillQuote({ ...values, steps: stepResults });
      return sendAuthorized();
    };
    const once = { done: true, repeatable: false };
    let answer = await (steps.sendsOnce ? sendOnce(sendFilled, file, context, once) : sendAuthorized());
    // A rejected session did nothing: send again with a new one.
    if (steps.refused(answer) && !steps.sendsOnce) {
      const again = await steps.begin(values, context);
      if ('answer' in again) return again.answer;
      stepResults = again.steps;
      answer = await sendFilled();
    }
    const { idempotencyKey } = context;
    return readFirstAnswer(answer, file, { url: filled.url, idempotencyKey, steps: steps.valuesToKeep(stepResults) });
  };
  /** Polls or looks up; drops a rejected session. */
  const look: Look = async (filled, context, how) => {
    const answer = await exchange.send(filled, context, how);
    steps.refused(answer);
    return answer;
  };
  const adapter: CarrierAdapter = {
    key: file.carrier.key,
    name: file.carrier.name,
    offers: file.offers.map(({ form_types, states }) => ({ formTypes: form_types, states })),
    idempotent: file.idempotent,
    limits: limitsOf(file),
    ...(file.carrier.financial_strength && { financialStrength: () => readStrength(file.carrier.financial_strength) }),
    fieldsUsed: fieldsNamed(file),
    prepare: async (request, context): Promise<Preparation> => prepare(request, context),
    async quote(request, context) {
      const result = await preparedFor(request, context);
      return 'answer' in result ? result.answer : send(result.prepared, context);
    },
    ...(lookup !== undefined && {
      async lookup(request: CarrierRequest, context: CallContext): Promise<LookupAnswer> {
        const result = await preparedFor(request, context);
        if ('answer' in result) return { status: 'found', answer: result.answer };
        const { looking, authorization } = result.prepared;
        const answer = await look(looking!, context, { purpose: 'lookup', prepared: authorization });
        if (lookup.absent_statuses.includes(answer.status)) return { status: 'absent' };
        return { status: 'found', answer: readAnswer(answer, lookup.response ?? file.response, file) };
      },
    }),
    ...(job?.poll !== undefined && { resume: createResume(file, job.poll, { exchange, steps, look }) }),
    ...(job?.callback !== undefined && { verifyCallback: createCallbackCheck(job, secrets) }),
  };
  return withDocuments(withReadings(adapter), file, { auth, secrets, fetch });
}

/** Polls a pending job; follows a redirect to its answer. */
function createResume(
  file: HttpCarrierFile,
  poll: NonNullable<NonNullable<HttpCarrierFile['job']>['poll']>,
  { exchange, steps, look }: { readonly exchange: Exchange; readonly steps: Steps; readonly look: Look },
): NonNullable<CarrierAdapter['resume']> {
  return async (request, context) => {
    const pendingJob = context.keep as unknown as KeptJob;
    const values = valuesOf(request, context.idempotencyKey, context);
    const stepResults = { ...pendingJob.steps, ...(await steps.shared(values, context)) };
    const pollValues = { ...values, steps: stepResults, job: pendingJob.job ?? '' };
    const filled = poll.request
      ? exchange.fill(poll.request, pollValues)
      : exchange.fillFor(pendingJob.job!, pollValues);
    let answer = await look(filled, context, { purpose: 'poll' });
    // RFC 9110, section 15.4.4.
    if (answer.status === 303) {
      const answerUrl = addressOf(answer.headers.get('location') ?? '', filled.url, poll);
      answer = await look(exchange.fillFor(answerUrl, pollValues), context, { purpose: 'poll' });
    }
    return readLook(answer, file, pendingJob);
  };
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
    ...(max_rest_ms !== undefined && { maxCooldownMs: max_rest_ms }),
    ...(limits?.max_pending_ms !== undefined && { maxPendingMs: limits.max_pending_ms }),
    ...(limits?.quotas !== undefined && { quotas: limits.quotas }),
    ...(breaker !== undefined && { breaker: { failures: breaker.failures, cooldownMs: breaker.rest_ms } }),
  };
}

const USUAL_TOLERANCE_SECONDS = 300;

/** HMAC-SHA-256 over the parts that the file lists. Throws to reject. */
function createCallbackCheck({ callback, poll, referrals = false }: HttpJobFile, secrets: Secrets) {
  const { signature, id, reference, response } = callback!;
  const { header, encoding = 'hex', prefix = '', timestamp_header: timestampHeader, signed = '{{body}}' } = signature;
  return ({ headers, body, receivedAtMs }: CarrierCallback): VerifiedCallback => {
    const timestamp = timestampHeader === undefined ? '' : (headers[timestampHeader.toLowerCase()] ?? '');
    const [before = '', after = ''] = signed
      .split('{{body}}')
      .map((part) => part.replace('{{timestamp}}', () => timestamp));
    const expected = createHmac('sha256', fillSecrets(signature.secret, secrets))
      .update(before)
      .update(body)
      .update(after)
      .digest();
    const received = headers[header.toLowerCase()] ?? '';
    const signatureBytes = Buffer.from(received.startsWith(prefix) ? received.slice(prefix.length) : '', encoding);
    if (signatureBytes.length !== expected.length || !timingSafeEqual(signatureBytes, expected))
      throw new Error('The signature is wrong.');
    const toleranceMs = (signature.tolerance_seconds ?? USUAL_TOLERANCE_SECONDS) * 1000;
    // Negated, so that NaN is rejected too.
    if (timestampHeader !== undefined && !(Math.abs(Number(timestamp) * 1000 - receivedAtMs) <= toleranceMs)) {
      throw new Error('The timestamp is missing, too old or in the future.');
    }
    const parsed: unknown = JSON.parse(decodeBody(body, headers['content-type']));
    const message = {
      status: 200,
      body: parsed,
      isRead: true,
      retryAfterMs: undefined,
      headers: new Headers({ ...headers }),
    };
    const verified = { id: valueAt(message, id) ?? '', reference: valueAt(message, reference) ?? '' };
    const answer = response && mapResponse(parsed, response, undefined);
    if (answer?.outcome !== 'referred' || !referrals) return { ...verified, answer };
    // The referral continues; a poll brings it too, with the data for the next poll.
    if (poll !== undefined) return { ...verified, answer: undefined };
    return { ...verified, answer: { ...answer, pending: { reference: verified.reference } } };
  };
}
