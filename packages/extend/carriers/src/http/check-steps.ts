import { type Fault, pointer } from '@leeward/terms';
import type { HttpCarrierFile, HttpRequestFile, HttpStepFile } from './schema.ts';
import { type Secrets, secretFaults } from './secrets.ts';
import { repeatableSteps } from './steps.ts';

/** With its JSON Pointer and additional names. */
export interface DescribedRequest {
  readonly request: HttpRequestFile;
  readonly path: string;
  readonly names: readonly string[];
}

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
    // A lookup may follow a lost answer: it can only use repeatable steps.
    ...(lookup ? [{ request: lookup.request, path: '/lookup/request', names: named(repeatableSteps(steps)) }] : []),
    ...(job?.poll?.request
      ? [{ request: job.poll.request, path: '/job/poll/request', names: [...named(steps), 'job'] }]
      : []),
  ];
}

export function stepFaults({ steps = [], idempotent }: HttpCarrierFile): Fault[] {
  return steps.flatMap((step, index): Fault[] => {
    const fault = (key: string, code: string, message: string) => ({ path: `/steps/${index}/${key}`, code, message });
    const faults: Fault[] = [];
    if (steps.findIndex((other) => other.id === step.id) !== index) {
      faults.push(fault('id', 'duplicate_id', `Another step has the id ${step.id}; use a different one.`));
    }
    if (idempotent && !step.idempotent) {
      const message = 'A carrier with a step that is not idempotent is not idempotent: set "idempotent" to false.';
      faults.push(fault('idempotent', 'not_idempotent', message));
    }
    if (step.cache_seconds === undefined) return faults;
    if (!step.idempotent) {
      faults.push(fault('cache_seconds', 'not_idempotent', 'A cached session must be idempotent.'));
    }
    const named = [...JSON.stringify(step.request).matchAll(/\{\{\s*([\w.-]+)\s*\}\}|"\$value":"([^"]*)"/g)];
    const ofOneRequest = named.some(([, name, value]) => !/^steps\./.test(name ?? value ?? ''));
    if (ofOneRequest || steps.slice(0, index).some((earlier) => earlier.cache_seconds === undefined)) {
      const message = 'A cached session may use only secrets and earlier sessions: remove the values of one request.';
      faults.push(fault('cache_seconds', 'not_shared', message));
    }
    return faults;
  });
}

export function jobFaults({ job, response }: HttpCarrierFile, secrets: Secrets): Fault[] {
  if (job === undefined) {
    const pending = Object.entries(response.outcome?.values ?? {}).find(([, means]) => means === 'pending');
    if (pending === undefined) return [];
    const message = 'A pending answer needs "job".';
    return [{ path: `/response/outcome/values${pointer(pending[0])}`, code: 'cannot_wait', message }];
  }
  const { poll, callback } = job;
  if (poll === undefined && callback === undefined) {
    return [
      {
        path: '/job',
        code: 'cannot_wait',
        message: 'A job needs "poll" or "callback".',
      },
    ];
  }
  if (callback === undefined) return [];
  const faults = secretFaults(callback.signature.secret, secrets, '/job/callback/signature/secret');
  if (poll === undefined && callback.response === undefined) {
    const message = 'Without "poll" the callback brings the answer: add "response", or "poll".';
    faults.push({ path: '/job/callback/response', code: 'required', message });
  }
  const { signed = '{{body}}', timestamp_header: timestampHeader } = callback.signature;
  const path = '/job/callback/signature/signed';
  if (signed.split('{{body}}').length !== 2) {
    faults.push({
      path,
      code: 'invalid_value',
      message: `"signed" must contain {{body}} once; received ${JSON.stringify(signed)}.`,
    });
  }
  if (signed.includes('{{timestamp}}') !== (timestampHeader !== undefined)) {
    const message = 'A timestamp must be signed: use both {{timestamp}} and "timestamp_header", or neither.';
    faults.push({ path, code: 'invalid_value', message });
  }
  return faults;
}
