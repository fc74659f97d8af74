import type { AnswerOutcome, CarrierAnswer } from '@leeward/quotes';
import { CarrierFault, type FaultKind } from '@leeward/quotes';
import { mapResponse } from './map-response.ts';
import type { HttpCarrierFile, HttpResponseFile } from './schema.ts';
import type { HttpAnswer } from './send-http.ts';

type Meaning = NonNullable<HttpCarrierFile['statuses']>[string];

const faultMeanings = ['refused', 'failed', 'unreadable', 'invalid'] as const satisfies (Meaning & FaultKind)[];

function isFault(meaning: Meaning): meaning is (typeof faultMeanings)[number] {
  return faultMeanings.some((each) => each === meaning);
}

function usualMeaning(answer: HttpAnswer): Meaning {
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return 'answer';
  if (status === 401 || status === 403 || status === 425 || status === 429) return 'refused';
  // Only a 503 with Retry-After certainly did nothing.
  if (status === 503 && retryAfterMs !== undefined) return 'refused';
  if (status >= 500 || status === 408) return 'failed';
  return status >= 400 ? 'invalid' : 'unreadable';
}

/** 'answer' if the body has the outcome. @throws {CarrierFault} if the status is a fault. */
export function meaningOf(answer: HttpAnswer, { statuses }: HttpCarrierFile): AnswerOutcome | 'answer' {
  const { status, retryAfterMs } = answer;
  const meaning = statuses?.[String(status)] ?? usualMeaning(answer);
  if (!isFault(meaning)) return meaning;
  const nothingMade = meaning === 'refused' || (meaning === 'invalid' && status >= 400 && status < 500);
  throw new CarrierFault(`The carrier answered ${status}.`, {
    kind: meaning,
    code: `http_${status}`,
    nothingMade,
    retryAfterMs,
  });
}

/** @throws {CarrierFault} if the answer is a fault or lacks required values. */
export function readAnswer(answer: HttpAnswer, file: HttpResponseFile, carrier: HttpCarrierFile): CarrierAnswer {
  const { isRead, body } = answer;
  const meaning = meaningOf(answer, carrier);
  if (isRead) return mapResponse(body, file, meaning === 'answer' ? undefined : meaning);
  if (meaning !== 'answer' && meaning !== 'quoted' && meaning !== 'referred') return { outcome: meaning };
  const { format = 'json' } = carrier.dialect ?? {};
  throw new CarrierFault(`The carrier's answer is not ${format.toUpperCase()}.`, {
    kind: 'unreadable',
    code: `not_${format}`,
  });
}
