import type { AnswerOutcome, CarrierAnswer } from '../../ports/carrier-adapter.ts';
import { CarrierFault } from '../../ports/carrier-fault.ts';
import { mapResponse } from './map-response.ts';
import type { HttpCarrierFile, HttpResponseFile } from './schema.ts';
import type { HttpAnswer } from './send-http.ts';

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

/**
 * What the status says by itself: an outcome, or that the body has it.
 *
 * @throws {CarrierFault} where it is no answer.
 */
export function meaningOf(answer: HttpAnswer, { statuses }: HttpCarrierFile): AnswerOutcome | 'answer' {
  const { status, retryAfterMs } = answer;
  const meaning = statuses?.[String(status)] ?? usualMeaning(answer);
  if (meaning !== 'refused' && meaning !== 'failed' && meaning !== 'invalid') return meaning;
  throw new CarrierFault(`The carrier answered ${status}.`, { kind: meaning, code: `http_${status}`, retryAfterMs });
}

/** @throws {CarrierFault} where it is no answer, or does not say what it should. */
export function readAnswer(answer: HttpAnswer, file: HttpResponseFile, carrier: HttpCarrierFile): CarrierAnswer {
  const { isRead, body } = answer;
  const meaning = meaningOf(answer, carrier);
  if (isRead) return mapResponse(body, file, meaning === 'answer' ? undefined : meaning);
  if (meaning !== 'answer' && meaning !== 'quoted' && meaning !== 'referred') return { outcome: meaning };
  const { format = 'json' } = carrier.dialect ?? {};
  throw new CarrierFault(`The carrier answered something that is not ${format.toUpperCase()}.`, {
    kind: 'invalid',
    code: `not_${format}`,
  });
}
