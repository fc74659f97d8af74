import { activeSpanContext } from '../trace/tracing.ts';
import type { Exchange, Observer } from './observer.ts';
import { RequestLine } from './request-line.ts';

/** Where lines go: pino's logger, Fastify's, or anything of the same two methods. */
export interface RequestLogger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** One line a request. Of the caller it names the token's id, never the token; of the path its template. */
export function logRequests(logger: RequestLogger): Observer {
  return () => (exchange) => {
    const fields = lineOf(exchange);
    if (exchange.status >= 500 && exchange.problem !== 'coming_soon') logger.error(fields, 'request failed');
    else logger.info(fields, 'request');
  };
}

function lineOf(exchange: Exchange): object {
  const line = new RequestLine(exchange, activeSpanContext());
  // Errors tell what they like, so a line with one is redacted as any other.
  return exchange.error === undefined ? line : { ...line, err: exchange.error };
}
