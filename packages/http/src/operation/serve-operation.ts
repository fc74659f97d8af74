import { authenticate, requireScope } from '../access/authenticate.ts';
import type { Directory } from '../access/directory.ts';
import { Problem } from '../problem/problem.ts';
import { notFound } from '../problem/usual-problems.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { jsonBody } from '../request/json-body.ts';
import type { Answer, GuardedOperation, Operation } from './operation.ts';
import type { RunningCall } from './running-call.ts';

/** What every operation stands on. */
export interface Guards {
  readonly directory: Directory;
  readonly limiter: RateLimiter;
  readonly mostBodyBytes: number;
}

/**
 * Runs one operation through every guard, in the order that the contract promises: token (401), scope (403), what the
 * path names (404, 501), limit (429), media type (415), size (413), JSON (400), and then what the operation itself
 * looks at (409, 422). Throws a `Problem` at the first that fails. What is known by then stands in the call.
 */
export async function serveOperation(operation: Operation, call: RunningCall, guards: Guards): Promise<Answer> {
  const { arrival } = call;
  if (!('locate' in operation)) {
    if (operation.access === 'operator') {
      call.caller = await authenticate(arrival, guards.directory);
      requireScope(call.caller, ['operator']);
    }
    return operation.handle(call);
  }
  call.caller = await authenticate(arrival, guards.directory);
  requireScope(call.caller, operation.access.scopes);
  // What is there at once is not waited for: a turn of the microtask queue each would cost more than the guards.
  const found = operation.locate(call);
  call.found = found instanceof Promise ? await found : found;
  const headers = guards.limiter.countRequest(call.caller);
  call.headers = headers instanceof Promise ? await headers : headers;
  call.limiter = guards.limiter;
  if (operation.isThere) return serveIfThere(operation, call, guards);
  call.json = await jsonBody(arrival, guards.mostBodyBytes, operation.requestBody.optional ?? false);
  return operation.handle(call);
}

/** What the path names is looked for before anything is said of the body, yet only where there is something to say. */
async function serveIfThere(operation: GuardedOperation<unknown>, call: RunningCall, guards: Guards): Promise<Answer> {
  try {
    call.json = await jsonBody(call.arrival, guards.mostBodyBytes, operation.requestBody.optional ?? false);
    return await operation.handle(call);
  } catch (thrown) {
    const isRefused = thrown instanceof Problem && thrown.status < 500 && thrown.code !== 'not_found';
    if (isRefused && !(await operation.isThere!(call, call.found))) throw notFound();
    throw thrown;
  }
}
