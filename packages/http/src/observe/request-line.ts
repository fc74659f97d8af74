import type { Exchange } from '../operation/exchange.ts';

/** The fields of a request's log line. Made of ids, templates and numbers alone, so nothing in it has to be redacted. */
export class RequestLine {
  readonly request_id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly duration_ms: number;

  constructor({ requestId, method, route, status, durationMs }: Exchange) {
    this.request_id = requestId;
    this.method = method;
    this.route = route;
    this.status = status;
    this.duration_ms = Math.round(durationMs * 1000) / 1000;
  }
}
