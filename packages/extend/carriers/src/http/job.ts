import type { AnswerOutcome, CarrierAnswer, PendingTerms } from '@leeward/quotes';
import { CarrierFault } from '@leeward/quotes';
import { type JsonObject, valueAtPointer } from '@leeward/terms';
import { allowedAddress } from './allowed-address.ts';
import { mapResponse } from './map-response.ts';
import { meaningOf, readAnswer } from './read-answer.ts';
import type { HttpCarrierFile, HttpJobFile, PlaceFile } from './schema.ts';
import type { HttpAnswer } from './send-http.ts';

/** Stored state of a pending job. */
export interface KeptJob {
  /** Address, or name if the file builds the address. @default the carrier calls back */
  readonly job?: string | undefined;
  readonly looks: number;
  /** From earlier answers. */
  readonly steps: JsonObject;
}

/** From the body or a header. */
export function valueAt(answer: HttpAnswer, place: PlaceFile): string | undefined {
  const value = 'header' in place ? answer.headers.get(place.header) : valueAtPointer(answer.body, place.path);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Final, or pending. */
export function readFirstAnswer(
  answer: HttpAnswer,
  file: HttpCarrierFile,
  about: { readonly url: string; readonly idempotencyKey: string; readonly steps: JsonObject },
): CarrierAnswer {
  const { job } = file;
  const result = isTaken(answer, file) ? undefined : readAnswer(answer, file.response, file);
  if (job === undefined) return result!;
  if (result?.outcome === 'referred' && job.referrals === true) return goesOn(result, answer, job, about);
  if (result !== undefined && result.outcome !== 'pending') return result;
  const reference = job.reference === undefined ? about.idempotencyKey : valueAt(answer, job.reference);
  if (job.callback !== undefined && reference === undefined) {
    throw unreadable('no_reference', 'The carrier answered that it needs time, without a reference for its callback.');
  }
  const jobName = job.poll && valueAt(answer, job.at ?? { header: 'Location' });
  if (job.poll !== undefined && jobName === undefined) {
    throw unreadable('no_job', 'The carrier answered that it needs time, without an address for polling.');
  }
  const state = { job: jobOf(jobName, about.url, job), looks: 0, steps: about.steps };
  return { outcome: 'pending', pending: termsOf(state, answer, job, job.callback && reference) };
}

/** Resolved, so that a later poll does not need the base; or the name. */
function jobOf(jobName: string | undefined, base: string, { poll }: HttpJobFile): string | undefined {
  return jobName !== undefined && poll !== undefined && poll.request === undefined
    ? addressOf(jobName, base, poll)
    : jobName;
}

/** A referral with a job or a reference stays open. */
function goesOn(
  result: CarrierAnswer,
  answer: HttpAnswer,
  job: HttpJobFile,
  about: { readonly url: string; readonly idempotencyKey: string; readonly steps: JsonObject },
): CarrierAnswer {
  const jobName = job.poll && valueAt(answer, job.at ?? { header: 'Location' });
  const reference = job.reference === undefined ? about.idempotencyKey : valueAt(answer, job.reference);
  if (job.poll === undefined ? reference === undefined : jobName === undefined) return result;
  const state = { job: jobOf(jobName, about.url, job), looks: 0, steps: about.steps };
  return { ...result, pending: termsOf(state, answer, job, job.callback && reference) };
}

export function readLook(answer: HttpAnswer, file: HttpCarrierFile, state: KeptJob): CarrierAnswer {
  const job = file.job!;
  const terms = termsOf({ ...state, looks: state.looks + 1 }, answer, job, undefined);
  const result = readLookAnswer(answer, file);
  if (result.outcome === 'pending') return { outcome: 'pending', pending: terms };
  return result.outcome === 'referred' && job.referrals === true ? { ...result, pending: terms } : result;
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
      throw new CarrierFault("The carrier's job has a state that its file does not list.", {
        kind: 'failed',
        code: 'unknown_job_state',
      });
    case 'pending':
      return later;
    case 'failed':
      throw invalid('job_failed', 'The carrier accepted the request, but reported that its job failed.');
    case 'done':
      return mapResponse(answer.body, response, undefined);
    default:
      return mapResponse(answer.body, response, means satisfies AnswerOutcome);
  }
}

/** @throws {CarrierFault} if the file does not allow it. */
export function addressOf(address: string, base: string, poll: NonNullable<HttpJobFile['poll']>): string {
  const resolved = allowedAddress(address, base, poll.origins);
  if (resolved !== undefined) return resolved;
  throw invalid('job_elsewhere', "The carrier's file does not allow the address of its answer.");
}

function isTaken(answer: HttpAnswer, { job }: HttpCarrierFile): boolean {
  return job !== undefined && (job.taken_statuses ?? [202]).includes(answer.status);
}

/** Poll time, reference and stored state. */
function termsOf(
  state: KeptJob,
  answer: HttpAnswer,
  { poll }: HttpJobFile,
  reference: string | undefined,
): PendingTerms {
  const times = [poll?.every_ms ?? USUAL_LOOK_MS].flat();
  const pollAfterMs = poll && (answer.retryAfterMs ?? times[Math.min(state.looks, times.length - 1)]);
  const keep: JsonObject = {
    looks: state.looks,
    steps: state.steps,
    ...(state.job !== undefined && { job: state.job }),
  };
  return { keep, pollAfterMs, reference };
}

const USUAL_LOOK_MS = 5000;

function unreadable(code: string, message: string): CarrierFault {
  return new CarrierFault(message, { kind: 'unreadable', code });
}

function invalid(code: string, message: string): CarrierFault {
  return new CarrierFault(message, { kind: 'invalid', code });
}
