import type { SpanContext } from '@opentelemetry/api';
import type { Exchange } from './observer.ts';

/** Needs no redaction. */
export class RequestLine {
  readonly request_id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;
  readonly token_id: string | undefined;
  readonly organization_id: string | null | undefined;
  readonly problem: string | undefined;
  readonly otel_trace_id: string | undefined;
  readonly otel_span_id: string | undefined;

  constructor({ requestId, method, route, status, durationMs, caller, problem }: Exchange, span?: SpanContext) {
    this.request_id = requestId;
    this.method = method;
    this.route = route;
    this.status = status;
    this.duration_ms = Math.round(durationMs * 1000) / 1000;
    this.token_id = caller?.tokenId;
    this.organization_id = caller?.organizationId;
    this.problem = problem;
    this.otel_trace_id = span?.traceId;
    this.otel_span_id = span?.spanId;
  }
}
