import { type WrittenAnswer, writeAnswer } from '../answer-response.ts';
import { endServerSpan, inServerSpan } from '../observe/tracing.ts';
import { Problem } from '../problem/problem.ts';
import { asProblem, problemAnswer } from '../problem/problem-answer.ts';
import { requestIdOf } from '../request/request-id.ts';
import type { Match } from '../route-table.ts';
import type { Arrival } from './arrival.ts';
import type { Deadlines } from './deadlines.ts';
import type { Exchange, Observer } from './exchange.ts';
import type { Answer, Operation } from './operation.ts';
import type { OverloadGuard } from './overload-guard.ts';
import { RunningCall } from './running-call.ts';
import { type Guards, serveOperation } from './serve-operation.ts';

export interface ExchangeOptions {
  readonly guards: Guards;
  readonly observers: readonly Observer[];
  /** Blanks a level of JSON, 0 for one line. */
  readonly indent: number;
  /** Of what is behind a token; whatever else there is answers at any time. */
  readonly overload: OverloadGuard;
  /** undefined: requests take what they take. */
  readonly deadlines: Deadlines | undefined;
}

export type ExchangeRunner = (arrival: Arrival, match: Match<Operation>) => Promise<WrittenAnswer>;

const noParams = Object.freeze({});

/** Runs a request from its id to its answer; whatever happens, it is answered and observed once. */
export function createExchangeRunner(options: ExchangeOptions): ExchangeRunner {
  const { guards, observers, indent, overload, deadlines } = options;
  return (arrival, match) => {
    const startedMs = performance.now();
    const { operation } = match;
    const exchange: Exchange = {
      requestId: requestIdOf(arrival.header('x-request-id')),
      method: arrival.method,
      route: operation?.path ?? 'unmatched',
      operationId: operation?.operationId,
      status: 0,
      durationMs: 0,
    };
    const ends = observers.map((begin) => begin(exchange));
    const isGuarded = operation !== undefined && 'locate' in operation;
    const isTakenIn = isGuarded && overload.enter(startedMs);
    const call = new RunningCall(arrival, exchange.requestId, match.operation ? match.params : noParams);

    return inServerSpan(arrival, exchange.route, (span) => {
      const { promise, resolve } = Promise.withResolvers<WrittenAnswer>();
      let isAnswered = false;
      const finish = (answer: Answer) => {
        if (isAnswered) return;
        isAnswered = true;
        if (isTakenIn) overload.leave();
        endDeadline?.();
        let outgoing: WrittenAnswer;
        try {
          outgoing = writeAnswer(answer, exchange.requestId, call.headers, indent);
        } catch (thrown) {
          outgoing = writeAnswer(refusal(asProblem(thrown)), exchange.requestId, call.headers, indent);
        }
        if (call.caller) exchange.caller = call.caller;
        exchange.status = outgoing.status;
        exchange.durationMs = performance.now() - startedMs;
        endServerSpan(span, outgoing.status, exchange.error);
        resolve(outgoing);
        for (const end of ends) tell(end, exchange);
      };
      const refusal = (problem: Problem) => {
        exchange.problem = problem.code;
        if (problem.cause !== undefined) exchange.error = problem.cause;
        return problemAnswer(problem, exchange.requestId);
      };
      const refuse = (thrown: unknown) => {
        if (!isAnswered) finish(refusal(asProblem(thrown)));
      };
      let endDeadline: (() => void) | undefined;
      if (operation === undefined) refuse(unmatched(arrival, match));
      else if (isGuarded && !isTakenIn) refuse(busy());
      else {
        endDeadline = deadlines?.begin(() => {
          const late = tooLate();
          call.giveUp(late);
          refuse(late);
        });
        serveOperation(operation, call, guards).then(finish, refuse);
      }
      return promise;
    });
  };
}

/** What an observer fails at is nothing that a caller should wait for. */
function tell(end: (exchange: Exchange) => void, exchange: Exchange): void {
  try {
    end(exchange);
  } catch {
    // Nobody is left to tell.
  }
}

/** A path nobody serves is a 404; one served under other methods a 405 that names them. */
function unmatched({ method }: Arrival, match: Match<Operation>): Problem {
  const allow = match.operation === undefined ? match.methods.join(', ') : '';
  if (allow === '') return new Problem('not_found', 'Nothing is served at this path; /openapi.json lists what is.');
  return new Problem('method_not_allowed', `This path answers ${allow}, not ${method.slice(0, 32)}.`, {
    headers: { allow },
  });
}

function busy(): Problem {
  return new Problem('unavailable', 'More is asked than can be answered at the moment; try again in a second.', {
    headers: { 'retry-after': '1' },
  });
}

function tooLate(): Problem {
  return new Problem('unavailable', 'The answer was not there in time and was given up; try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });
}
