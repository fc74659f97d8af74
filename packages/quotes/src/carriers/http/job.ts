import { type JsonObject, valueAtPointer } from '@leeward/terms';
import type { AnswerOutcome, CarrierAnswer, PendingTerms } from '../../ports/carrier-adapter.ts';
import { CarrierFault } from '../../ports/carrier-fault.ts';
import { allowedAddress } from './allowed-address.ts';
import { mapResponse } from './map-response.ts';
import { meaningOf, readAnswer } from './read-answer.ts';
import type { HttpCarrierFile, HttpJobFile, PlaceFile } from './schema.ts';
import type { HttpAnswer } from './send-http.ts';

/** What is kept while a carrier is at it: JSON. */
export interface KeptJob {
  /** Its address, or its name where the file makes the address; nothing where the carrier calls back. */
  readonly job?: string | undefined;
  /** How often it was looked at. */
  readonly looks: number;
  /** What earlier steps took from their answers. */
  readonly steps: JsonObject;
}

/** A value of an answer: text, from its body or its header. */
export function valueAt(answer: HttpAnswer, place: PlaceFile): string | undefined {
  const value = 'header' in place ? answer.headers.get(place.header) : valueAtPointer(answer.body, place.path);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The answer to the request itself: an end, or that the carrier is at it. */
export function readFirstAnswer(
  answer: HttpAnswer,
  file: HttpCarrierFile,
  about: { readonly url: string; readonly idempotencyKey: string; readonly steps: JsonObject },
): CarrierAnswer {
  const { job } = file;
  const said = isTaken(answer, file) ? undefined : readAnswer(answer, file.response, file);
  if (job === undefined || (said !== undefined && said.outcome !== 'pending')) return said!;
  const reference = job.reference === undefined ? about.idempotencyKey : valueAt(answer, job.reference);
  if (job.callback !== undefined && reference === undefined) {
    throw unreadable(
      'no_reference',
      'The carrier takes its time, and did not say what its callback will call the request.',
    );
  }
  const named = job.poll && valueAt(answer, job.at ?? { header: 'Location' });
  if (job.poll !== undefined && named === undefined) {
    throw unreadable('no_job', 'The carrier takes its time, and did not say where its answer will be.');
  }
  // Kept as a whole address, so that whoever looks later need not know where it came from.
  const isAddress = job.poll !== undefined && job.poll.request === undefined;
  const kept = { job: isAddress ? addressOf(named!, about.url, job.poll!) : named, looks: 0, steps: about.steps };
  return pending(kept, answer, job, job.callback && reference);
}

/** The answer of a look at a job. */
export function readLook(answer: HttpAnswer, file: HttpCarrierFile, kept: KeptJob): CarrierAnswer {
  const job = file.job!;
  const { state, response = file.response } = job.poll!;
  const later = () => pending({ ...kept, looks: kept.looks + 1 }, answer, job, undefined);
  if (isTaken(answer, file)) return later();
  if (state === undefined || meaningOf(answer, file) !== 'answer' || !answer.isRead) {
    const said = readAnswer(answer, response, file);
    return said.outcome === 'pending' ? later() : said;
  }
  const value = String(valueAtPointer(answer.body, state.path)).toLowerCase();
  const means = Object.entries(state.values).find(([each]) => each.toLowerCase() === value)?.[1];
  switch (means) {
    case undefined:
      throw new CarrierFault('The carrier’s job is in a state that its configuration does not name.', {
        kind: 'failed',
        code: 'unknown_job_state',
      });
    case 'pending':
      return later();
    case 'failed':
      throw invalid('job_failed', 'The carrier took the request, and says that its work on it failed.');
    case 'done':
      return mapResponse(answer.body, response, undefined);
    default:
      return mapResponse(answer.body, response, means satisfies AnswerOutcome);
  }
}

/** Where a carrier says that its answer is, as an address. */
export function addressOf(said: string, base: string, poll: NonNullable<HttpJobFile['poll']>): string {
  const address = allowedAddress(said, base, poll.origins);
  if (address !== undefined) return address;
  throw invalid('job_elsewhere', 'The carrier names an address for its answer that its file does not allow.');
}

function isTaken(answer: HttpAnswer, { job }: HttpCarrierFile): boolean {
  return job !== undefined && (job.taken_statuses ?? [202]).includes(answer.status);
}

function pending(
  kept: KeptJob,
  answer: HttpAnswer,
  { poll }: HttpJobFile,
  reference: string | undefined,
): CarrierAnswer {
  const times = [poll?.every_ms ?? USUAL_LOOK_MS].flat();
  const lookAfterMs = poll && (answer.retryAfterMs ?? times[Math.min(kept.looks, times.length - 1)]);
  const keep: JsonObject = { looks: kept.looks, steps: kept.steps, ...(kept.job !== undefined && { job: kept.job }) };
  const terms: PendingTerms = { keep, lookAfterMs, reference };
  return { outcome: 'pending', pending: terms };
}

const USUAL_LOOK_MS = 5000;

function unreadable(code: string, message: string): CarrierFault {
  return new CarrierFault(message, { kind: 'unreadable', code });
}

function invalid(code: string, message: string): CarrierFault {
  return new CarrierFault(message, { kind: 'invalid', code });
}
