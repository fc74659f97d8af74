import type { AnswerOutcome, CarrierAnswer, PendingTerms } from '@leeward/quotes';
import { CarrierFault } from '@leeward/quotes';
import { type JsonObject, valueAtPointer } from '@leeward/terms';
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
  if (job === undefined) return said!;
  if (said?.outcome === 'referred' && job.referrals === true) return goesOn(said, answer, job, about);
  if (said !== undefined && said.outcome !== 'pending') return said;
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
  const kept = { job: jobOf(named, about.url, job), looks: 0, steps: about.steps };
  return { outcome: 'pending', pending: termsOf(kept, answer, job, job.callback && reference) };
}

/** A whole address, so that a later look need not know where it came from; or the name that the file makes one of. */
function jobOf(named: string | undefined, base: string, { poll }: HttpJobFile): string | undefined {
  return named !== undefined && poll !== undefined && poll.request === undefined ? addressOf(named, base, poll) : named;
}

/** A referral that names its job, or its reference, goes on. One that names neither is final. */
function goesOn(
  said: CarrierAnswer,
  answer: HttpAnswer,
  job: HttpJobFile,
  about: { readonly url: string; readonly idempotencyKey: string; readonly steps: JsonObject },
): CarrierAnswer {
  const named = job.poll && valueAt(answer, job.at ?? { header: 'Location' });
  const reference = job.reference === undefined ? about.idempotencyKey : valueAt(answer, job.reference);
  if (job.poll === undefined ? reference === undefined : named === undefined) return said;
  const kept = { job: jobOf(named, about.url, job), looks: 0, steps: about.steps };
  return { ...said, pending: termsOf(kept, answer, job, job.callback && reference) };
}

/** The answer of a look at a job. */
export function readLook(answer: HttpAnswer, file: HttpCarrierFile, kept: KeptJob): CarrierAnswer {
  const job = file.job!;
  const terms = termsOf({ ...kept, looks: kept.looks + 1 }, answer, job, undefined);
  const said = readLookAnswer(answer, file);
  if (said.outcome === 'pending') return { outcome: 'pending', pending: terms };
  return said.outcome === 'referred' && job.referrals === true ? { ...said, pending: terms } : said;
}

function readLookAnswer(answer: HttpAnswer, file: HttpCarrierFile): CarrierAnswer {
  const { state, response = file.response } = file.job!.poll!;
  const later = { outcome: 'pending' } as const;
  if (isTaken(answer, file)) return later;
  if (state === undefined || meaningOf(answer, file) !== 'answer' || !answer.isRead) {
    return readAnswer(answer, response, file);
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
      return later;
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

/** How the job is waited for. */
function termsOf(
  kept: KeptJob,
  answer: HttpAnswer,
  { poll }: HttpJobFile,
  reference: string | undefined,
): PendingTerms {
  const times = [poll?.every_ms ?? USUAL_LOOK_MS].flat();
  const pollAfterMs = poll && (answer.retryAfterMs ?? times[Math.min(kept.looks, times.length - 1)]);
  const keep: JsonObject = { looks: kept.looks, steps: kept.steps, ...(kept.job !== undefined && { job: kept.job }) };
  return { keep, pollAfterMs, reference };
}

const USUAL_LOOK_MS = 5000;

function unreadable(code: string, message: string): CarrierFault {
  return new CarrierFault(message, { kind: 'unreadable', code });
}

function invalid(code: string, message: string): CarrierFault {
  return new CarrierFault(message, { kind: 'invalid', code });
}
