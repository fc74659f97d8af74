import { nextTurn, type Turn } from '@leeward/engine/compiled';
import { authenticate, requireScope } from '../access/authenticate.ts';
import type { Caller, Directory } from '../access/directory.ts';
import { requireNetwork } from '../access/token-networks.ts';
import type { Admission } from '../admission/admission.ts';
import type { Deadlines } from '../admission/deadlines.ts';
import type { Answer, AnswerStream } from '../answer/answer.ts';
import { type WrittenAnswer, writeAnswer } from '../answer/answer.ts';
import type { Exchange, Observer } from '../observe/observer.ts';
import { invalidRequest, notFound, Problem } from '../problem/problem.ts';
import { asProblem, problemAnswer } from '../problem/problem-document.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { clientAddressOf, type IsTrustedProxy } from '../request/client-address.ts';
import type { Incoming } from '../request/incoming.ts';
import { requestIdOf, requireHost } from '../request/incoming.ts';
import { bodyLength, parseJson, readJsonBody } from '../request/json-body.ts';
import { endServerSpan, inServerSpan } from '../trace/tracing.ts';
import type { GuardedOperation, Operation, SignedOperation } from './operation.ts';
import { type GuardedContext, RequestContext } from './request-context.ts';
import type { Match } from './route-table.ts';

export interface AnswerOptions {
  /** Empty at the root. */
  readonly basePath: string;
  readonly directory: Directory;
  readonly limiter: RateLimiter;
  /** undefined: none. */
  readonly isTrustedProxy?: IsTrustedProxy | undefined;
  readonly admission: Admission;
  readonly maxBodyBytes: number;
  /** undefined: none. */
  readonly deadlines: Deadlines | undefined;
  readonly observers: readonly Observer[];
  /** Blanks per level; 0: one line. */
  readonly indent: number;
}

export type AnswerRequest = (incoming: Incoming, match: Match<Operation>) => Promise<WrittenAnswer>;

const noParams = Object.freeze({});

/** Never rejects. Every request is answered and observed once. */
export function createAnswerRequest(options: AnswerOptions): AnswerRequest {
  const { observers, indent, deadlines } = options;
  return (incoming, match) => {
    const startedMs = performance.now();
    const { operation } = match;
    const requestId = requestIdOf(incoming.header('x-request-id'));
    const context = new RequestContext(incoming, {
      requestId,
      route: operation?.path ?? 'unmatched',
      operationId: operation?.operationId,
      basePath: options.basePath,
      address: clientAddressOf(incoming, options.isTrustedProxy),
      params: match.operation ? match.params : noParams,
    });
    const { exchange } = context;
    const ends = observers.map((begin) => begin(exchange));

    return inServerSpan(incoming, exchange.route, (span) => {
      const { promise, resolve } = Promise.withResolvers<WrittenAnswer>();
      let endDeadline: (() => void) | undefined;
      let isAnswered = false;
      const finish = (answer: Answer) => {
        if (isAnswered) return answer.stream?.close();
        isAnswered = true;
        context.release();
        endDeadline?.();
        let written: WrittenAnswer;
        try {
          written = writeAnswer(answer, requestId, context.headers, indent);
        } catch (thrown) {
          written = writeAnswer(refusal(asProblem(thrown)), requestId, context.headers, indent);
        }
        context.endTimeSlices();
        exchange.status = written.status;
        exchange.durationMs = performance.now() - startedMs;
        endServerSpan(span, written.status, exchange.error);
        resolve(written);
        for (const end of ends) notify(end, exchange);
      };
      const refusal = (problem: Problem) => {
        exchange.problem = problem.code;
        if (problem.cause !== undefined) exchange.error = problem.cause;
        return problemAnswer(problem, requestId, options.basePath);
      };
      const refuse = (thrown: unknown) => {
        if (!isAnswered) finish(refusal(asProblem(thrown)));
      };
      if (deadlines) context.setDeadline(startedMs + deadlines.timeoutMs);
      endDeadline = deadlines?.begin(() => {
        if (context.isCommitting) return;
        const late = tooLate(context);
        context.giveUp(late);
        refuse(late);
      });
      serve(match, context, options).then(finish, refuse);
      return promise;
    });
  };
}

/**
 * Every answer, and every chunk of a stream, is written in a time slice of its tenant, also after the work waited for a store.
 *
 * @throws {Problem} Of the first guard that fails.
 */
async function serve(match: Match<Operation>, context: RequestContext, options: AnswerOptions): Promise<Answer> {
  const answer = await handle(match, context, options);
  try {
    const pause = context.resume();
    if (pause) await pause;
  } catch (error) {
    answer.stream?.close();
    throw error;
  }
  return answer.stream ? { ...answer, stream: inTimeSlices(answer.stream, context.turn) } : answer;
}

function inTimeSlices(stream: AnswerStream, turn: Turn): AnswerStream {
  return {
    async read() {
      const chunk = await stream.read();
      await nextTurn(turn);
      return chunk;
    },
    close: () => stream.close(),
  };
}

/**
 * Runs the guards in the order of the contract. Head: path (404, 405), token (401), network and scope (403), resource (404, 501), limit (429). Body:
 * media type (415), size (413), JSON (400), then the operation's checks (409, 422). The body is read after the checks of the head, and a
 * request frees its place meanwhile. Requests without a valid token are counted by address, and share the thread by network.
 *
 * @throws {Problem} Of the first guard that fails.
 */
async function handle(match: Match<Operation>, context: RequestContext, options: AnswerOptions): Promise<Answer> {
  const { directory, admission, limiter } = options;
  const { operation } = match;
  requireHost(context.header('host'));
  if (operation === undefined) {
    await admission.toServeAnyone(context);
    limiter.countAddress(context.address);
    throw unmatched(context, match);
  }
  if (operation.access === 'anyone') {
    // Requests with a body hold a place of their network until the answer.
    if (operation.requestBody) admission.toAuthenticate(context);
    const admitted = admission.toServeAnyone(context);
    if (admitted) await admitted;
    if (!operation.isUnlimited) limiter.countAddress(context.address);
    if (operation.requestBody) await readPublicBody(context);
    return operation.handle(context);
  }
  admission.toAuthenticate(context);
  if (operation.access === 'signed')
    return countUnlessProved(receiveSigned(operation, context, admission), context, options);
  const caller = await countUnlessProved(authenticateInNetwork(context, directory), context, options);
  context.caller = caller;
  // Awaiting a ready value costs more than the guards.
  const admitted = admission.toWork(context, caller);
  if (admitted) await admitted;
  if (operation.access === 'operator') {
    requireScope(caller, ['operator']);
    return operation.handle(context);
  }
  if (operation.access !== 'token') requireScope(caller, operation.access.scopes);
  if (!('locate' in operation)) {
    await context.countRequest(limiter);
    return operation.handle(context);
  }
  const guarded = context as GuardedContext;
  const resource = operation.locate(guarded);
  context.resource = resource instanceof Promise ? await resource : resource;
  const counted = context.countRequest(limiter);
  if (counted) await counted;
  if (operation.isPresent) return serveIfPresent(operation, context, options);
  await readBody(operation, context, options);
  return operation.handle(guarded);
}

/** The log names a token that is used from elsewhere. @throws {Problem} */
async function authenticateInNetwork(context: RequestContext, directory: Directory): Promise<Caller> {
  const caller = await authenticate(context, directory);
  context.exchange.caller = caller;
  requireNetwork(caller, context.address);
  return caller;
}

async function receiveSigned(
  operation: SignedOperation,
  context: RequestContext,
  admission: Admission,
): Promise<Answer> {
  context.isReceiving = true;
  const body = await context.incoming.readBody(operation.maxBodyBytes);
  context.isReceiving = false;
  await admission.toServeAnyone(context);
  return operation.handle(context, body);
}

/** Counts requests with a refused token or signature by address; above the limit they get 429. */
async function countUnlessProved<Result>(
  proof: Promise<Result>,
  context: RequestContext,
  { admission, limiter }: AnswerOptions,
): Promise<Result> {
  try {
    return await proof;
  } catch (error) {
    // Conflicts come after the proof.
    if (error instanceof Problem && error.status < 500 && error.code !== 'conflict') {
      context.release();
      await admission.toServeAnyone(context);
      limiter.countAddress(context.address);
    }
    throw error;
  }
}

const MAX_PUBLIC_BODY_BYTES = 16 * 1024;

async function readPublicBody(context: RequestContext): Promise<void> {
  context.isReceiving = true;
  const bytes = await readJsonBody(context.incoming, MAX_PUBLIC_BODY_BYTES);
  context.isReceiving = false;
  const pause = context.resume();
  if (pause) await pause;
  context.json = parseJson(bytes);
}

async function readBody(
  { requestBody }: GuardedOperation<unknown>,
  context: RequestContext,
  { admission, maxBodyBytes }: AnswerOptions,
): Promise<void> {
  if (requestBody === undefined) return;
  const { incoming } = context;
  const caller = context.caller!;
  admission.toReceive(context, caller, bodyLength(incoming, maxBodyBytes));
  context.isReceiving = true;
  const bytes = await readJsonBody(incoming, maxBodyBytes);
  context.isReceiving = false;
  const admitted = admission.toWork(context, caller);
  if (admitted) await admitted;
  const mayBeMissing = requestBody.optional ?? false;
  context.json = mayBeMissing && bytes.byteLength === 0 ? undefined : parseJson(bytes);
  // A body that is left out is {}: null is more likely a mistake of the caller.
  if (context.json === null) {
    const message = `The request is null; give an object${mayBeMissing ? ', or no body' : ''}.`;
    throw invalidRequest([{ path: '', code: 'invalid_type', message }]);
  }
}

/** Prefers 404 to faults of the body. Queries the resource only for a refused body. */
async function serveIfPresent(
  operation: GuardedOperation<unknown>,
  context: RequestContext,
  options: AnswerOptions,
): Promise<Answer> {
  const guarded = context as GuardedContext;
  try {
    await readBody(operation, context, options);
    return await operation.handle(guarded);
  } catch (error) {
    const isRefused = error instanceof Problem && error.status < 500 && error.code !== 'not_found';
    if (isRefused && !(await operation.isPresent!(guarded))) throw notFound();
    throw error;
  }
}

function notify(end: (exchange: Exchange) => void, exchange: Exchange): void {
  try {
    end(exchange);
  } catch {
    // The log is an observer too.
  }
}

/** 405 if the path has other methods. */
function unmatched({ incoming: { method } }: RequestContext, match: Match<Operation>): Problem {
  const allow = match.operation === undefined ? match.methods.join(', ') : '';
  if (allow === '') return new Problem('not_found', 'Nothing is served at this path; /openapi.json lists what is.');
  return new Problem('method_not_allowed', `This path answers ${allow}, not ${method.slice(0, 32)}.`, {
    headers: { allow },
  });
}

function tooLate(context: RequestContext): Problem {
  if (context.isReceiving) {
    return new Problem('request_timeout', 'The body did not arrive in time; send it again.', {
      headers: { connection: 'close' },
    });
  }
  return new Problem('unavailable', 'The answer was not ready in time; try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });
}
