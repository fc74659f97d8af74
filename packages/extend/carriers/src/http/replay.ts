import { CarrierFault, type ExchangePurpose, type ExchangeReading } from '@leeward/quotes';
import { readFirstAnswer, readLook } from './job.ts';
import { offlineExchange } from './preview.ts';
import { readAnswer } from './read-answer.ts';
import { readingOf, readingOfFault } from './record-exchange.ts';
import type { HttpCarrierFile } from './schema.ts';

/** A kept answer. */
export interface AnswerToReplay {
  readonly purpose: Exclude<ExchangePurpose, 'step'>;
  /** Address of the request. */
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

/**
 * Reads a kept answer by a file, without network calls. @returns the outcome and premium, or the fault.
 * @example
 * replayHttpCarrier(carrier, { purpose: 'quote', url, status: 200, headers: {}, body: '{ "premium": 1843.5 }' }).premiumCents;
 */
export function replayHttpCarrier(file: HttpCarrierFile, answer: AnswerToReplay): ExchangeReading {
  const { purpose, url, status, headers, body } = answer;
  const { job, lookup } = file;
  const received = offlineExchange(file).read({ status, text: body, headers: new Headers(headers) });
  try {
    if (purpose === 'poll' && job?.poll !== undefined) {
      return readingOf(readLook(received, file, { job: url, looks: 0, steps: {} }));
    }
    if (purpose === 'lookup' && lookup !== undefined) {
      if (lookup.absent_statuses.includes(status)) return { outcome: 'absent' };
      return readingOf(readAnswer(received, lookup.response ?? file.response, file));
    }
    return readingOf(readFirstAnswer(received, file, { url, idempotencyKey: 'replay', steps: {} }));
  } catch (error) {
    if (error instanceof CarrierFault) return readingOfFault(error);
    throw error;
  }
}
