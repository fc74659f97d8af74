import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '@leeward/terms';
import type { CarrierExchange } from '../ports/carrier-exchange.ts';
import { within } from '../queues/within.ts';
import { createUuid } from '../request/uuid.ts';
import type { LeasedRate } from '../store/lease.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { QuoteListener } from './quote-event.ts';
import { createRedactor } from './redact.ts';

/*
 * Keeps exchanges with carriers, apart from the calls: a call adds an exchange to a buffer and never waits. A timer redacts and
 * stores the buffer. If the store fails or is too slow, exchanges are dropped and reported, and no rate is affected.
 */

const FLUSH_AFTER_MS = 250;
const MAX_BATCH = 64;
const MAX_STOP_MS = 2000;
/** Estimate for the address and headers of an exchange. */
const MIN_BUFFERED_BYTES = 2048;
const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;
/** Applies to request and answer separately. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_TEXT_LENGTH = 16 * 1024;

export interface ExchangeRecorder {
  /** Undefined if exchanges are not kept. */
  of(rate: RateOfExchange): ((exchange: CarrierExchange) => void) | undefined;
  /** Stores the rest, if the store is fast enough. */
  stop(): Promise<void>;
}

type RateOfExchange = Pick<LeasedRate, 'rateId' | 'quoteId' | 'teamId' | 'carrierKey'>;

interface Buffered {
  readonly rate: RateOfExchange;
  readonly exchange: CarrierExchange;
  readonly id: string;
  /** On the monotonic clock. */
  readonly startedAt: number;
  readonly bytes: number;
}

export function createExchangeRecorder(options: {
  readonly store: Pick<SqlQuoteStore, 'keepExchanges'>;
  readonly listener: QuoteListener;
  readonly isOn: boolean;
  readonly nowMs: () => number;
}): ExchangeRecorder {
  const { store, listener, isOn, nowMs } = options;
  let buffer: Buffered[] = [];
  let bufferedBytes = 0;
  let dropped = 0;
  let isKeeping = isOn;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> = Promise.resolve();

  const flush = async () => {
    timer = undefined;
    while (buffer.length > 0) {
      const batch = buffer.slice(0, MAX_BATCH);
      buffer = buffer.slice(MAX_BATCH);
      bufferedBytes -= batch.reduce((sum, { bytes }) => sum + bytes, 0);
      try {
        const contents: JsonObject[] = [];
        for (const { exchange } of batch) {
          contents.push(contentOf(exchange));
          await new Promise((resolve) => setImmediate(resolve));
        }
        // All ages at one time, so that the order is kept.
        const now = performance.now();
        await store.keepExchanges(
          batch.map(({ rate, id, startedAt }, index) => ({
            ...rate,
            id,
            ageMs: now - startedAt,
            content: contents[index]!,
          })),
        );
      } catch (error) {
        listener({ type: 'failure', where: 'exchanges', error });
      }
    }
    if (dropped === 0) return;
    const error = new Error(`${dropped} exchanges with carriers were not kept: the store is too slow.`);
    dropped = 0;
    listener({ type: 'failure', where: 'exchanges', error });
  };
  const flushNext = () => {
    clearTimeout(timer);
    timer = undefined;
    current = current.then(flush);
    return current;
  };
  const record = (rate: RateOfExchange, exchange: CarrierExchange) => {
    // After the stop the database may be closed.
    if (!isKeeping) return;
    const bytes = MIN_BUFFERED_BYTES + sizeOf(exchange.requestBody) + sizeOf(exchange.answerBody);
    if (bufferedBytes + bytes > MAX_BUFFERED_BYTES) dropped++;
    else {
      bufferedBytes += bytes;
      buffer.push({ rate, exchange, id: createUuid(nowMs()), startedAt: performance.now() - exchange.tookMs, bytes });
    }
    timer ??= setTimeout(flushNext, FLUSH_AFTER_MS);
  };
  return {
    of: ({ rateId, quoteId, teamId, carrierKey }) =>
      isOn ? (exchange) => record({ rateId, quoteId, teamId, carrierKey }, exchange) : undefined,
    async stop() {
      isKeeping = false;
      await within(MAX_STOP_MS, flushNext());
    },
  };
}

function sizeOf(body: CarrierExchange['requestBody']): number {
  return body === undefined ? 0 : Buffer.byteLength(body);
}

/** Redacts before it truncates, so that no part of a secret remains at the end. */
function contentOf(exchange: CarrierExchange): JsonObject {
  const redactor = createRedactor(exchange.secrets ?? []);
  const bodyOf = (body: CarrierExchange['requestBody']): JsonObject => {
    if (body === undefined || body.length === 0) return { text: '', bytes: 0, truncated: false };
    const all = redactor.bytes(typeof body === 'string' ? Buffer.from(body) : body);
    const part = all.subarray(0, MAX_BODY_BYTES);
    const truncated = part.length < all.length;
    const about = { bytes: sizeOf(body), truncated };
    // A truncated text may end within a character.
    const whole = truncated ? part.subarray(0, endOfText(part)) : part;
    return isUtf8(whole) ? { text: whole.toString(), ...about } : { base64: part.toString('base64'), ...about };
  };
  const headersOf = (headers: CarrierExchange['requestHeaders']): JsonObject =>
    Object.fromEntries(
      Object.entries(redactor.headers(headers)).map(([name, value]) => [name, value.slice(0, MAX_TEXT_LENGTH)]),
    );
  const { purpose, method, url, status, failure, tookMs, reading } = exchange;
  return {
    purpose,
    method,
    url: redactor.text(url).slice(0, MAX_TEXT_LENGTH),
    status: status ?? null,
    failure: failure ?? null,
    took_ms: Math.round(tookMs),
    reading: reading
      ? {
          outcome: reading.outcome,
          code: reading.code ?? null,
          premium_cents: reading.premiumCents === undefined ? null : String(reading.premiumCents),
        }
      : null,
    request: { headers: headersOf(exchange.requestHeaders), body: bodyOf(exchange.requestBody) },
    answer:
      status === undefined
        ? null
        : { headers: headersOf(exchange.answerHeaders ?? {}), body: bodyOf(exchange.answerBody) },
  };
}

/** End of the last complete character, if the bytes are UTF-8. */
function endOfText(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > bytes.length - 4 && (bytes[start]! & 0xc0) === 0x80) start--;
  return (bytes[start]! & 0x80) === 0 ? bytes.length : start;
}
