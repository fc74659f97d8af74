import { answerResponse } from '../answer-response.ts';
import { endServerSpan, inServerSpan } from '../observe/tracing.ts';
import { Problem } from '../problem/problem.ts';
import { asProblem, problemAnswer } from '../problem/problem-answer.ts';
import { requestIdOf } from '../request/request-id.ts';
import type { RouteTable } from '../route-table.ts';
import type { Exchange, Observer } from './exchange.ts';
import type { Answer, Operation } from './operation.ts';
import { type Guards, type Progress, serveOperation } from './serve-operation.ts';

/** A request as the router hands it on. */
export interface Arrival {
  readonly request: Request;
  /** Path as routed, without a host's prefix. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly bindings: unknown;
}

export interface ExchangeOptions {
  readonly guards: Guards;
  readonly routes: RouteTable;
  readonly observers: readonly Observer[];
  /** Blanks a level of JSON, 0 for one line. */
  readonly indent: number;
}

/** Runs a request from its id to its answer; whatever happens, it is answered and observed once. */
export function createExchangeRunner({ guards, routes, observers, indent }: ExchangeOptions) {
  return (arrival: Arrival, operation: Operation | undefined): Promise<Response> => {
    const startedMs = performance.now();
    const { request } = arrival;
    const exchange: Exchange = {
      requestId: requestIdOf(request.headers.get('x-request-id')),
      method: request.method,
      route: operation?.path ?? 'unmatched',
      operationId: operation?.operationId,
      status: 0,
      durationMs: 0,
    };
    const ends = observers.map((begin) => begin(exchange));
    return inServerSpan(request, exchange.route, async (span) => {
      const progress: Progress = {};
      let answer: Answer;
      try {
        if (operation === undefined) throw unmatched(arrival, routes);
        const { params, bindings } = arrival;
        answer = await serveOperation(
          operation,
          { request, requestId: exchange.requestId, params },
          bindings,
          guards,
          progress,
        );
      } catch (thrown) {
        const problem = asProblem(thrown);
        exchange.problem = problem.code;
        if (problem.cause !== undefined) exchange.error = problem.cause;
        answer = problemAnswer(problem, exchange.requestId);
      }
      const response = answerResponse(answer, exchange.requestId, progress.headers, indent);
      if (progress.caller) exchange.caller = progress.caller;
      exchange.status = answer.status;
      exchange.durationMs = performance.now() - startedMs;
      endServerSpan(span, answer.status, exchange.error);
      for (const end of ends) end(exchange);
      return response;
    });
  };
}

/** A path nobody serves is a 404; one served under other methods a 405 that names them. */
function unmatched({ request, path }: Arrival, routes: RouteTable): Problem {
  const allow = routes.methodsAt(path).join(', ');
  if (allow === '') return new Problem('not_found', 'Nothing is served at this path; /openapi.json lists what is.');
  return new Problem('method_not_allowed', `This path answers ${allow}, not ${request.method.slice(0, 32)}.`, {
    headers: { allow },
  });
}
