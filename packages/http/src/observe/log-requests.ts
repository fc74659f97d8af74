import { trace } from '@opentelemetry/api';
import type { Exchange, Observer } from '../operation/exchange.ts';
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
  const { caller, problem, error } = exchange;
  const line = new RequestLine(exchange);
  const span = trace.getActiveSpan()?.spanContext();
  if (caller !== undefined) Object.assign(line, { token_id: caller.tokenId, organization_id: caller.organizationId });
  if (problem !== undefined) Object.assign(line, { problem });
  if (span !== undefined) Object.assign(line, { otel_trace_id: span.traceId, otel_span_id: span.spanId });
  // Errors tell what they like, so a line with one is redacted as any other.
  return error === undefined ? line : { ...line, err: error };
}
