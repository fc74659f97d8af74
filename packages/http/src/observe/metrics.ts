import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from '../operation/exchange.ts';

/** Prometheus metrics of one service, in a registry of its own. Starts no timer. */
export interface Metrics {
  /** For a host's own metrics beside ours. */
  readonly registry: Registry;
  readonly observer: Observer;
  /** The text that `/metrics` answers with, and its media type. */
  text(): Promise<{ readonly text: string; readonly contentType: string }>;
}

/** Labels are route templates, methods and statuses: never anything that a caller wrote. */
export function createMetrics(registry: Registry = new Registry()): Metrics {
  const registers = [registry];
  const durations = new Histogram({
    name: 'leeward_http_request_duration_seconds',
    help: 'Time from request to answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const problems = new Counter({
    name: 'leeward_http_problems_total',
    help: 'Answers that were problems, by code.',
    labelNames: ['route', 'code'],
    registers,
  });
  const inFlight = new Gauge({
    name: 'leeward_http_requests_in_flight',
    help: 'Requests that are not yet answered.',
    registers,
  });
  return {
    registry,
    observer: () => {
      inFlight.inc();
      return ({ method, route, status, durationMs, problem }) => {
        inFlight.dec();
        durations.observe({ method: knownMethod(method), route, status: String(status) }, durationMs / 1000);
        if (problem !== undefined) problems.inc({ route, code: problem });
      };
    },
    text: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A method is any word; a label must not be. */
function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}
