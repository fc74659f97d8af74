import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatMicros, formTypes, MICROS_PER_MS } from '@leeward/terms';
import type {
  CallContext,
  CarrierAdapter,
  CarrierAnswer,
  CarrierLimits,
  CarrierRequest,
  Offer,
} from '../../ports/carrier-adapter.ts';
import { CarrierFault } from '../../ports/carrier-fault.ts';
import { type LedgerEntry, openLedger } from './ledger.ts';

/** What can go wrong with a call to the sandbox. */
export type SandboxFault =
  /** Turned away, with Retry-After. */
  | 'rate_limited'
  /** Turned away: nobody listens. */
  | 'connection_refused'
  /** The work is done and the answer lost. */
  | 'reset_after_work'
  /** The work is done, and the answer is a 500. */
  | 'error_after_work'
  /** The work is done, and no answer comes until the caller gives up. */
  | 'hang'
  /** An answer with a premium that cannot be. */
  | 'nonsense';

/** What the made-up carrier is called, how slow and how faulty it is. */
export interface SandboxOptions {
  readonly key?: string | undefined;
  readonly name?: string | undefined;
  /** Default: every form type in every state. */
  readonly offers?: readonly Offer[] | undefined;
  /** Whether a key seen before gives the same answer without doing the work again. Default false. */
  readonly idempotent?: boolean | undefined;
  /** Whether it can be asked what became of a call. Default false. */
  readonly lookup?: boolean | undefined;
  /** How long a call takes: a number, or a range. Default 1,000. */
  readonly latencyMs?: number | readonly [number, number] | undefined;
  /** How often each fault happens, as a share of the calls. Default: never. */
  readonly faults?: Partial<Readonly<Record<SandboxFault, number>>> | undefined;
  readonly limits?: Partial<CarrierLimits> | undefined;
  /** A file to which every call is appended. Default: none is kept. */
  readonly ledger?: string | undefined;
  /** Of [0, 1). Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** A carrier for demonstrations and tests, as slow and as faulty as wanted, that keeps a ledger of the calls it gets. */
export function createSandboxCarrier(options: SandboxOptions = {}): CarrierAdapter {
  const {
    key = 'sandbox',
    name = 'Sandbox Carrier',
    offers = [{ formTypes }],
    idempotent = false,
    latencyMs = 1000,
    faults = {},
    limits,
    random = Math.random,
  } = options;
  const ledger = options.ledger === undefined ? undefined : openLedger(options.ledger);
  const [shortestMs, longestMs] = typeof latencyMs === 'number' ? [latencyMs, latencyMs] : latencyMs;

  const record = async (request: CarrierRequest, context: CallContext, call: LedgerEntry['call'], answer: string) => {
    const entry: LedgerEntry = {
      at: formatMicros(Date.now() * MICROS_PER_MS),
      call,
      carrier_key: key,
      rate_id: request.rateId,
      idempotency_key: context.idempotencyKey,
      form_type: request.formType,
      answer,
    };
    await ledger?.append(entry);
  };
  const drawFault = (): SandboxFault | undefined => {
    let draw = random();
    for (const [fault, share] of Object.entries(faults)) {
      draw -= share;
      if (draw < 0) return fault as SandboxFault;
    }
    return undefined;
  };
  const quote = async (request: CarrierRequest, context: CallContext): Promise<CarrierAnswer> => {
    context.signal.throwIfAborted();
    const fault = drawFault();
    if (fault === 'connection_refused') {
      await record(request, context, 'refused', fault);
      throw new CarrierFault('The carrier refused the connection.', { kind: 'refused', code: 'connection_refused' });
    }
    if (fault === 'rate_limited') {
      await record(request, context, 'refused', fault);
      throw new CarrierFault('The carrier is busy.', { kind: 'refused', code: 'http_429', retryAfterMs: 1000 });
    }
    // Such a carrier does its work when the request arrives; all that follows is only the way back.
    const known = idempotent ? await ledger?.findAccepted(context.idempotencyKey) : undefined;
    await record(request, context, known === undefined ? 'accepted' : 'repeated', fault ?? 'sent');
    const takesMs = fault === 'hang' ? 2 ** 30 : shortestMs + random() * (longestMs - shortestMs);
    await sleep(takesMs, undefined, { signal: context.signal });
    if (fault === 'reset_after_work') {
      throw new CarrierFault('The carrier broke off the connection.', { kind: 'lost', code: 'connection_reset' });
    }
    if (fault === 'error_after_work') {
      throw new CarrierFault('The carrier answered 500.', { kind: 'failed', code: 'http_500' });
    }
    return fault === 'nonsense'
      ? { outcome: 'quoted', premiumCents: -100n }
      : answerFor(request, context.idempotencyKey, key);
  };
  return {
    key,
    name,
    offers,
    idempotent,
    limits,
    quote,
    openDocument: async ({ title, keep }) => ({ content: sampleOf(title, keep?.['number']), mediaType: 'text/plain' }),
    ...(options.lookup === true && {
      async lookup(request: CarrierRequest, context: CallContext) {
        await sleep(Math.min(50, shortestMs), undefined, { signal: context.signal });
        const known = await ledger?.findAccepted(context.idempotencyKey);
        return known === undefined
          ? { status: 'absent' as const }
          : { status: 'found' as const, answer: answerFor(request, context.idempotencyKey, key) };
      },
    }),
  };
}

/** Always the same under the same idempotency key, in every process: a premium of a plausible size. */
function answerFor(request: CarrierRequest, idempotencyKey: string, key: string): CarrierAnswer {
  const digest = createHash('sha256').update(`${key} ${idempotencyKey}`).digest();
  const dwelling = Number(request.fields['dwelling_a']);
  const dollars = Number.isSafeInteger(dwelling) ? Math.min(Math.max(dwelling, 50_000), 5_000_000) : 300_000;
  // 0.3 to 0.9 percent of coverage A.
  const perMillion = 3000 + (digest.readUInt16BE(0) % 6000);
  const premiumCents = (BigInt(dollars) * BigInt(perMillion)) / 10_000n;
  const number = `SBX-${digest.toString('hex', 3, 8).toUpperCase()}`;
  return {
    outcome: 'quoted',
    premiumCents,
    carrierQuoteNumber: number,
    carrierQuoteUrl: `https://sandbox.example/quotes/${number}`,
    messages: [{ level: 'info', code: 'sandbox', message: 'A made-up premium from the sandbox carrier.' }],
    rateType: 'indication',
    documents: [{ id: 'sample', title: 'Sample quote letter', mediaType: 'text/plain', keep: { number } }],
  };
}

/** The one document that the sandbox has, made anew each time. */
async function* sampleOf(title: string, number: unknown): AsyncIterable<Uint8Array> {
  yield Buffer.from(
    `${title} ${String(number)}\n\n` +
      'From the sandbox carrier of Leeward, which is made up: no carrier stands behind this, and nothing in it is an offer.\n',
  );
}
