import { trace } from '@opentelemetry/api';
import type { Exchange, Observer } from '../operation/exchange.ts';

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

function lineOf(exchange: Exchange): Record<string, unknown> {
  const { caller, problem, error } = exchange;
  const span = trace.getActiveSpan()?.spanContext();
  return {
    request_id: exchange.requestId,
    method: exchange.method,
    route: exchange.route,
    status: exchange.status,
    duration_ms: Math.round(exchange.durationMs * 1000) / 1000,
    ...(caller === undefined ? {} : { token_id: caller.tokenId, organization_id: caller.organizationId }),
    ...(problem === undefined ? {} : { problem }),
    ...(span === undefined ? {} : { otel_trace_id: span.traceId, otel_span_id: span.spanId }),
    ...(error === undefined ? {} : { err: error }),
  };
}
