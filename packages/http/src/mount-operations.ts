import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Operation } from './operation/operation.ts';
import type { Arrival } from './operation/run-exchange.ts';

/**
 * A Hono application that routes to operations and does nothing else: everything that happens to a request happens
 * in `run`. Routes without parameters come first, so that `/quote/{quote}` never shadows `/quote/carriers`.
 */
export function mountOperations(
  operations: readonly Operation[],
  basePath: string,
  run: (arrival: Arrival, operation: Operation | undefined) => Promise<Response>,
): OpenAPIHono {
  const app = new OpenAPIHono();
  const serve = (operation: Operation | undefined) => (c: Context) => run(arrivalOf(c, basePath), operation);
  for (const operation of [...operations].sort((a, b) => parameters(a) - parameters(b))) {
    app.on(
      operation.method.toUpperCase(),
      `${basePath}${operation.path.replaceAll(/\{(.+?)\}/g, ':$1')}`,
      serve(operation),
    );
  }
  app.notFound(serve(undefined));
  return app;
}

function arrivalOf(c: Context, basePath: string): Arrival {
  return {
    request: c.req.raw,
    path: c.req.path.startsWith(basePath) ? c.req.path.slice(basePath.length) : '',
    params: c.req.param() as Record<string, string>,
    bindings: c.env,
  };
}

function parameters(operation: Operation): number {
  return operation.path.split('{').length - 1;
}
