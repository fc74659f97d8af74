import { authenticate, requireScope } from '../access/authenticate.ts';
import type { Directory } from '../access/directory.ts';
import type { Admission } from '../admission/admission.ts';
import type { Deadlines } from '../admission/deadlines.ts';
import type { Answer } from '../answer/answer.ts';
import { type WrittenAnswer, writeAnswer } from '../answer/answer.ts';
import type { Observer } from '../observe/observer.ts';
import { notFound, Problem } from '../problem/problem.ts';
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

/** What every request goes through. */
export interface AnswerOptions {
  /** Where the service is mounted; empty at the root. */
  readonly basePath: string;
  readonly directory: Directory;
  readonly limiter: RateLimiter;
  /** undefined: no proxy is trusted. */
  readonly isTrustedProxy?: IsTrustedProxy | undefined;
  readonly admission: Admission;
  readonly maxBodyBytes: number;
  /** undefined: requests take what they take. */
  readonly deadlines: Deadlines | undefined;
  readonly observers: readonly Observer[];
  /** Blanks a level of JSON, 0 for one line. */
  readonly indent: number;
}

export type AnswerRequest = (incoming: Incoming, match: Match<Operation>) => Promise<WrittenAnswer>;

const noParams = Object.freeze({});

/** Runs a request from its id to its answer; whatever happens, it is answered and observed once. */
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
    const ends = observers.map((begin) => begin(context));

    return inServerSpan(incoming, context.route, (span) => {
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
        context.endTurns();
        context.status = written.status;
        context.durationMs = performance.now() - startedMs;
        endServerSpan(span, written.status, context.error);
        resolve(written);
        for (const end of ends) tell(end, context);
      };
      const refusal = (problem: Problem) => {
        context.problem = problem.code;
        if (problem.cause !== undefined) context.error = problem.cause;
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
 * Takes one request through every guard, in the order that the contract promises: path (404, 405), token (401), scope (403), what the path
 * names (404, 501), limit (429), media type (415), size (413), JSON (400), and then what the operation itself looks at
 * (409, 422). Throws a `Problem` at the first that fails. Nothing of a body is waited for before all that its head tells
 * is known to be good, and what waits for one is not at work. A request without a valid token is counted by its address; one
 * with a valid token never is, whatever its neighbours send.
 */
async function serve(match: Match<Operation>, context: RequestContext, options: AnswerOptions): Promise<Answer> {
  const { directory, admission, limiter } = options;
  const { operation } = match;
  requireHost(context.header('host'));
  if (operation === undefined) {
    limiter.countAddress(context.address);
    throw unmatched(context, match);
  }
  if (operation.access === 'anyone') {
    if (!operation.isUnlimited) limiter.countAddress(context.address);
    return operation.handle(context);
  }
  admission.toAuthenticate(context);
  if (operation.access === 'signed') return provedOrCounted(receiveSigned(operation, context), context, limiter);
  const caller = await provedOrCounted(authenticate(context, directory), context, limiter);
  context.caller = caller;
  if (operation.access === 'operator') {
    requireScope(caller, ['operator']);
    return operation.handle(context);
  }
  if (operation.access !== 'token') requireScope(caller, operation.access.scopes);
  // What is there at once is not waited for: a turn of the microtask queue each would cost more than the guards.
  const turn = admission.toWork(context, caller);
  if (turn) await turn;
  if (!('locate' in operation)) {
    await context.countRequest(limiter);
    return operation.handle(context);
  }
  const guarded = context as GuardedContext;
  const found = operation.locate(guarded);
  context.found = found instanceof Promise ? await found : found;
  const counted = context.countRequest(limiter);
  if (counted) await counted;
  if (operation.isThere) return serveIfThere(operation, context, options);
  await readBody(operation, context, options);
  return operation.handle(guarded);
}

async function receiveSigned(operation: SignedOperation, context: RequestContext): Promise<Answer> {
  context.isReceiving = true;
  const body = await context.incoming.readBody(operation.maxBodyBytes);
  context.isReceiving = false;
  return operation.handle(context, body);
}

/** Counts a request whose token or signature is refused by its address: 429 in place of the refusal where it is too much. */
async function provedOrCounted<Result>(
  proof: Promise<Result>,
  { address }: RequestContext,
  limiter: RateLimiter,
): Promise<Result> {
  try {
    return await proof;
  } catch (thrown) {
    // A conflict is over something that was proved.
    if (thrown instanceof Problem && thrown.status < 500 && thrown.code !== 'conflict') limiter.countAddress(address);
    throw thrown;
  }
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
  const turn = admission.toWork(context, caller);
  if (turn) await turn;
  const mayBeMissing = requestBody.optional ?? false;
  context.json = mayBeMissing && bytes.byteLength === 0 ? undefined : parseJson(bytes);
}

/** What the path names is looked for before anything is said of the body, yet only where there is something to say. */
async function serveIfThere(
  operation: GuardedOperation<unknown>,
  context: RequestContext,
  options: AnswerOptions,
): Promise<Answer> {
  const guarded = context as GuardedContext;
  try {
    await readBody(operation, context, options);
    return await operation.handle(guarded);
  } catch (thrown) {
    const isRefused = thrown instanceof Problem && thrown.status < 500 && thrown.code !== 'not_found';
    if (isRefused && !(await operation.isThere!(guarded))) throw notFound();
    throw thrown;
  }
}

/** What an observer fails at is nothing that a caller should wait for. */
function tell(end: (context: RequestContext) => void, context: RequestContext): void {
  try {
    end(context);
  } catch {
    // Nobody is left to tell.
  }
}

/** A path nobody serves is a 404; one served under other methods a 405 that names them. */
function unmatched({ method }: RequestContext, match: Match<Operation>): Problem {
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
  return new Problem('unavailable', 'The answer was not there in time and was given up; try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });
}
