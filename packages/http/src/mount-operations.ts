import { type Context, Hono } from 'hono';
import { toResponse } from './answer-response.ts';
import type { AnswerRequest } from './operation/answer-request.ts';
import { incomingOf } from './operation/incoming.ts';
import type { Operation } from './operation/operation.ts';
import { createRouteTable, type Match } from './route-table.ts';

/**
 * A Hono application of operations, for hosts on Hono: it routes and does nothing else, so that a host may mount it
 * with `route` wherever it likes. Paths without parameters come first, as in the route table.
 */
export function mountOperations(operations: readonly Operation[], basePath: string, run: AnswerRequest): Hono {
  const app = new Hono();
  const routes = createRouteTable(operations);
  const serve = async ({ req, env }: Context, match: Match<Operation>) =>
    toResponse(await run(incomingOf(req.raw, env), match), req.method);
  for (const operation of [...operations].sort((a, b) => parameters(a) - parameters(b))) {
    const path = `${basePath}${operation.path.replaceAll(/\{(.+?)\}/g, ':$1')}`;
    app.on(operation.method.toUpperCase(), path, (c) => serve(c, { operation, params: c.req.param() }));
  }
  app.notFound((c) => serve(c, routes.find(c.req.method, c.req.path.slice(basePath.length))));
  return app;
}

function parameters(operation: Operation): number {
  return operation.path.split('{').length - 1;
}
