import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';

/** A request as Express leaves it: perhaps with its body read and parsed already. */
type HostRequest = IncomingMessage & { body?: unknown; rawBody?: unknown };

/** What `createLeeward` gives, or anything of the same shape. */
export interface Fetches {
  fetch(request: Request, bindings?: object): Promise<Response>;
}

/**
 * A handler for `node:http`, Express, Fastify's `raw` and their like. Replaces no global object. Behind a parser
 * that has read the body already (`express.json()`), it takes `rawBody` where the host kept it, else writes
 * the parsed body back to JSON.
 */
export function createNodeHandler(
  leeward: Fetches,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const listener = getRequestListener((request, bindings) => leeward.fetch(request, bindings), {
    overrideGlobalObjects: false,
  });
  return (request, response) => {
    const host = request as HostRequest;
    if (host.rawBody === undefined && host.body !== undefined && request.readableEnded) {
      host.rawBody = Buffer.from(JSON.stringify(host.body));
    }
    return listener(request, response);
  };
}
