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
import { requestedCoveragesOf } from '../../request/requested-coverages.ts';
import { type LedgerEntry, openLedger } from './ledger.ts';

/** Faults that the sandbox simulates. */
export type SandboxFault =
  /** With Retry-After. */
  | 'rate_limited'
  | 'connection_refused'
  /** Work done, answer lost. */
  | 'reset_after_work'
  /** Work done, answer 500. */
  | 'error_after_work'
  /** Work done, no answer until the caller gives up. */
  | 'hang'
  /** An impossible premium. */
  | 'nonsense';

/** Name, speed and faults of a sandbox carrier. */
export interface SandboxOptions {
  /** @default 'sandbox' */
  readonly key?: string | undefined;
  /** @default 'Sandbox Carrier' */
  readonly name?: string | undefined;
  /** @default every form type in every state */
  readonly offers?: readonly Offer[] | undefined;
  /** Repeated keys return the first answer. @default false */
  readonly idempotent?: boolean | undefined;
  /** Supports `lookup`. @default false */
  readonly lookup?: boolean | undefined;
  /** Duration or range, in ms. @default 1000 */
  readonly latencyMs?: number | readonly [number, number] | undefined;
  /** Probabilities, 0 to 1. @default none */
  readonly faults?: Partial<Readonly<Record<SandboxFault, number>>> | undefined;
  /** @default the defaults of {@link CarrierLimits} */
  readonly limits?: Partial<CarrierLimits> | undefined;
  /** File that records calls. @default none */
  readonly ledger?: string | undefined;
  /** Numbers in [0, 1). @default Math.random */
  readonly random?: (() => number) | undefined;
}

/**
 * A carrier for demonstrations and tests with configurable speed and faults.
 * @example
 * const carrier = createSandboxCarrier({ key: 'palm_coast', name: 'Palm Coast', latencyMs: 50 });
 */
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
  const [minMs, maxMs] = typeof latencyMs === 'number' ? [latencyMs, latencyMs] : latencyMs;

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
    // The work is done on arrival; the fault concerns only the answer.
    const earlier = idempotent ? await ledger?.findAccepted(context.idempotencyKey) : undefined;
    await record(request, context, earlier === undefined ? 'accepted' : 'repeated', fault ?? 'sent');
    const takesMs = fault === 'hang' ? 2 ** 30 : minMs + random() * (maxMs - minMs);
    await sleep(takesMs, undefined, { signal: context.signal });
    if (fault === 'reset_after_work') {
      throw new CarrierFault('The carrier broke off the connection.', { kind: 'lost', code: 'connection_reset' });
    }
    if (fault === 'error_after_work') {
      throw new CarrierFault('The carrier answered 500.', { kind: 'failed', code: 'http_500' });
    }
    return fault === 'nonsense'
      ? { outcome: 'quoted', premiumCents: -100n }
      : { ...answerFor(request, context.idempotencyKey, key), ...honouredTerms(context) };
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
        await sleep(Math.min(50, minMs), undefined, { signal: context.signal });
        const earlier = await ledger?.findAccepted(context.idempotencyKey);
        return earlier === undefined
          ? { status: 'absent' as const }
          : {
              status: 'found' as const,
              answer: { ...answerFor(request, context.idempotencyKey, key), ...honouredTerms(context) },
            };
      },
    }),
  };
}

/** The sandbox accepts every term: it offers the weakest value that satisfies it. */
function honouredTerms({ terms = [] }: CallContext): Pick<CarrierAnswer, 'terms'> {
  if (terms.length === 0) return {};
  return {
    terms: Object.fromEntries(terms.map(({ name, min, max, oneOf }) => [name, min ?? max ?? oneOf?.[0] ?? true])),
  };
}

/** Deterministic per idempotency key, in every process. */
function answerFor(request: CarrierRequest, idempotencyKey: string, key: string): CarrierAnswer {
  const digest = createHash('sha256').update(`${key} ${idempotencyKey}`).digest();
  const dwelling = Number(request.fields['dwelling_a']);
  const dollars = Number.isSafeInteger(dwelling) ? Math.min(Math.max(dwelling, 50_000), 5_000_000) : 300_000;
  const perMillion = 3000 + (digest.readUInt16BE(0) % 6000);
  const requested = requestedCoveragesOf(request.fields);
  const hurricane = requested.get('hurricane')?.percent ?? 2;
  const isReplaced = digest[9]! % 2 === 0;
  const hasWater = digest[10]! % 4 !== 0 && requested.get('water_backup')?.inclusion !== 'excluded';
  const base = (BigInt(dollars) * BigInt(perMillion)) / 10_000n;
  // A higher deductible costs less: 4 % for each percent above 2.
  const premiumCents = (base * BigInt(Math.max(40, Math.round(108 - hurricane * 4)))) / 100n;
  const number = `SBX-${digest.toString('hex', 3, 8).toUpperCase()}`;
  return {
    outcome: 'quoted',
    premiumCents,
    carrierQuoteNumber: number,
    carrierQuoteUrl: `https://sandbox.example/quotes/${number}`,
    messages: [{ level: 'info', code: 'sandbox', message: 'A made-up premium from the sandbox carrier.' }],
    rateType: 'indication',
    coverages: [
      { code: 'dwelling', name: 'A. Dwelling', amountCents: BigInt(dollars) * 100n },
      { code: 'other_structures', name: 'B. Other structures', percent: 2 + (digest[11]! % 2) * 8 },
      { code: 'loss_of_use', name: 'D. Loss of use', percent: 20 },
      { code: 'roof', name: 'Roof', settlement: isReplaced ? 'replacement_cost' : 'actual_cash_value' },
    ],
    deductibles: [
      { code: 'all_other_perils', name: 'All other perils', amountCents: 250_000n },
      { code: 'hurricane', name: 'Hurricane', percent: hurricane },
    ],
    endorsements: [{ code: 'water_backup', name: 'Water backup', inclusion: hasWater ? 'included' : 'excluded' }],
    fees: [{ code: 'policy_fee', name: 'Policy fee', amountCents: 2_500n }],
    documents: [{ id: 'sample', title: 'Sample quote letter', mediaType: 'text/plain', keep: { number } }],
  };
}

async function* sampleOf(title: string, number: unknown): AsyncIterable<Uint8Array> {
  yield Buffer.from(
    `${title} ${String(number)}\n\n` +
      'From the sandbox carrier of Leeward, which is invented. This is not an offer of any carrier.\n',
  );
}
