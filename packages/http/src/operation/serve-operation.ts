import { authenticate, requireScope } from '../access/authenticate.ts';
import type { Caller, Directory } from '../access/directory.ts';
import { isFromLoopback } from '../access/loopback.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { jsonBody } from '../request/json-body.ts';
import type { Answer, Call, Operation } from './operation.ts';

/** What every operation stands on. */
export interface Guards {
  readonly directory: Directory;
  /** undefined: no limit. */
  readonly limiter: RateLimiter | undefined;
  readonly mostBodyBytes: number;
}

/** What is known on the way, for observers and for header fields, even where a guard ends the request. */
export interface Progress {
  caller?: Caller;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Runs one operation through every guard, in the order that the contract promises: token (401), scope (403), what the
 * path names (404, 501), limit (429), media type (415), size (413), JSON (400), and then what the operation itself
 * looks at (409, 422). Throws a `Problem` at the first that fails.
 */
export async function serveOperation(
  operation: Operation,
  call: Call,
  bindings: unknown,
  guards: Guards,
  progress: Progress,
): Promise<Answer> {
  const { request } = call;
  if (!('locate' in operation)) {
    if (operation.access === 'operator or loopback' && !isFromLoopback(request, bindings)) {
      progress.caller = await authenticate(request, guards.directory);
      requireScope(progress.caller, ['operator']);
    }
    return operation.handle(call);
  }
  const caller = await authenticate(request, guards.directory);
  progress.caller = caller;
  requireScope(caller, operation.access.scopes);
  const guardedCall = { ...call, caller };
  const found = await operation.locate(guardedCall);
  if (guards.limiter) progress.headers = await guards.limiter(caller.tokenId);
  const json = await jsonBody(request, guards.mostBodyBytes, operation.requestBody.optional ?? false);
  return operation.handle({ ...guardedCall, found, json });
}
