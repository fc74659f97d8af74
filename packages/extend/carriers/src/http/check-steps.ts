import { type Fault, pointer } from '@leeward/terms';
import type { HttpCarrierFile, HttpRequestFile, HttpStepFile } from './schema.ts';
import { type Secrets, secretFaults } from './secrets.ts';
import { repeatableSteps } from './steps.ts';

/** A request that a description has, where it stands, and what its templates may name beside what every request has. */
export interface DescribedRequest {
  readonly request: HttpRequestFile;
  readonly path: string;
  readonly names: readonly string[];
}

/** Every request of a description. */
export function requestsOf({ steps = [], request, lookup, job }: HttpCarrierFile): DescribedRequest[] {
  const named = (some: readonly HttpStepFile[]) =>
    some.flatMap(({ id, take }) => Object.keys(take).map((name) => `steps.${id}.${name}`));
  return [
    ...steps.map((step, index) => ({
      request: step.request,
      path: `/steps/${index}/request`,
      names: named(steps.slice(0, index)),
    })),
    { request, path: '/request', names: named(steps) },
    // What is taken from an answer that may be lost cannot be looked up with.
    ...(lookup ? [{ request: lookup.request, path: '/lookup/request', names: named(repeatableSteps(steps)) }] : []),
    ...(job?.poll?.request
      ? [{ request: job.poll.request, path: '/job/poll/request', names: [...named(steps), 'job'] }]
      : []),
  ];
}

/** What is wrong with steps beside their requests. */
export function stepFaults({ steps = [], idempotent }: HttpCarrierFile): Fault[] {
  return steps.flatMap((step, index): Fault[] => {
    const fault = (key: string, code: string, message: string) => ({ path: `/steps/${index}/${key}`, code, message });
    const faults: Fault[] = [];
    if (steps.findIndex((other) => other.id === step.id) !== index) {
      faults.push(fault('id', 'duplicate_id', `There is another step ${step.id}; give each a name of its own.`));
    }
    if (idempotent && !step.idempotent) {
      const message =
        'The carrier is no more idempotent than its steps: write "idempotent": false for the carrier as well.';
      faults.push(fault('idempotent', 'not_idempotent', message));
    }
    if (step.cache_seconds === undefined) return faults;
    if (!step.idempotent) {
      faults.push(fault('cache_seconds', 'not_idempotent', 'A session that is kept for many calls can be made again.'));
    }
    const named = [...JSON.stringify(step.request).matchAll(/\{\{\s*([\w.-]+)\s*\}\}|"\$value":"([^"]*)"/g)];
    const ofOneRequest = named.some(([, name, value]) => !/^steps\./.test(name ?? value ?? ''));
    if (ofOneRequest || steps.slice(0, index).some((earlier) => earlier.cache_seconds === undefined)) {
      const message =
        'What is kept for many calls hangs on secrets and earlier sessions alone: name nothing of one request.';
      faults.push(fault('cache_seconds', 'not_shared', message));
    }
    return faults;
  });
}

/** What is wrong with how a job is waited for. */
export function jobFaults({ job, response }: HttpCarrierFile, secrets: Secrets): Fault[] {
  if (job === undefined) {
    const said = Object.entries(response.outcome?.values ?? {}).find(([, means]) => means === 'pending');
    if (said === undefined) return [];
    const message = 'The file does not say how a pending answer is waited for; add "job".';
    return [{ path: `/response/outcome/values${pointer(said[0])}`, code: 'cannot_wait', message }];
  }
  const { poll, callback } = job;
  if (poll === undefined && callback === undefined) {
    return [
      {
        path: '/job',
        code: 'cannot_wait',
        message: 'A job is polled, or the carrier calls back: add "poll" or "callback".',
      },
    ];
  }
  if (callback === undefined) return [];
  const faults = secretFaults(callback.signature.secret, secrets, '/job/callback/signature/secret');
  if (poll === undefined && callback.response === undefined) {
    const message = 'Where nothing is polled the callback brings the answer: add "response", or "poll".';
    faults.push({ path: '/job/callback/response', code: 'required', message });
  }
  const { signed = '{{body}}', timestamp_header: timed } = callback.signature;
  const path = '/job/callback/signature/signed';
  if (signed.split('{{body}}').length !== 2) {
    faults.push({
      path,
      code: 'invalid_value',
      message: `What is signed has {{body}} once; ${JSON.stringify(signed)} has not.`,
    });
  }
  if (signed.includes('{{timestamp}}') !== (timed !== undefined)) {
    const message = 'A time that counts is signed: name {{timestamp}} here and "timestamp_header", or neither.';
    faults.push({ path, code: 'invalid_value', message });
  }
  return faults;
}
