import type { Observer, RouteGroup } from '@leeward/http';
import { type GeocodeAttempt, type Geocoder, GeocoderUnavailableError } from '@leeward/places';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of one service. */
export interface Metrics {
  /** For further metrics of the host. */
  readonly registry: Registry;
  /** For `observers` of `createLeeward`. */
  readonly observer: Observer;
  countGeocode(geocoder: string, outcome: GeocodeAttempt['outcome']): void;
  /** The text format of Prometheus. */
  text(): Promise<{ readonly text: string; readonly contentType: string }>;
}

/**
 * Counts requests, problems and calls of geocoders. Labels never contain text of a caller. Starts no timer.
 *
 * @example
 * const metrics = createMetrics();
 * createLeeward({ directory, observers: [metrics.observer], routes: [metricsRoutes(metrics)] });
 */
export function createMetrics(registry: Registry = new Registry()): Metrics {
  const registers = [registry];
  const durations = new Histogram({
    name: 'leeward_http_request_duration_seconds',
    help: 'Time from request to answer.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  });
  const problems = new Counter({
    name: 'leeward_http_problems_total',
    help: 'Number of problem answers, by code.',
    labelNames: ['route', 'code'],
    registers,
  });
  const geocodes = new Counter({
    name: 'leeward_geocodes_total',
    help: 'Number of calls to a geocoder, by result.',
    labelNames: ['geocoder', 'outcome'],
    registers,
  });
  let inFlight = 0;
  new Gauge({
    name: 'leeward_http_requests_in_flight',
    help: 'Number of requests in progress.',
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  const ended: ReturnType<Observer> = ({ method, route, status, durationMs, problem }) => {
    inFlight--;
    durations.observe({ method: knownMethod(method), route, status: String(status) }, durationMs / 1000);
    if (problem !== undefined) problems.inc({ route, code: problem });
  };
  return {
    registry,
    observer: () => {
      inFlight++;
      return ended;
    },
    countGeocode: (geocoder, outcome) => geocodes.inc({ geocoder, outcome }),
    text: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Callers can send any method. */
function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}

/** In seconds. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts calls of a geocoder, or of each in a chain.
 *
 * @example
 * const geocoder = countGeocodes(createCensusGeocoder(), metrics);
 * createLeeward({ directory, distance: { coast, geocoder } });
 */
export function countGeocodes(geocoder: Geocoder, metrics: Metrics): Geocoder {
  return {
    name: geocoder.name,
    async geocode(address, options) {
      try {
        const answer = await geocoder.geocode(address, options);
        const attempts = answer.attempts ?? [{ geocoder: geocoder.name, outcome: answer.status }];
        for (const attempt of attempts) metrics.countGeocode(attempt.geocoder, attempt.outcome);
        return answer;
      } catch (error) {
        if (error instanceof GeocoderUnavailableError) {
          const attempts = error.attempts ?? [{ geocoder: error.geocoder, outcome: 'unavailable' as const }];
          for (const attempt of attempts) metrics.countGeocode(attempt.geocoder, attempt.outcome);
        }
        throw error;
      }
    },
  };
}

/**
 * `GET /metrics`, for the operator's token.
 *
 * @example
 * createLeeward({ directory, observers: [metrics.observer], routes: [metricsRoutes(metrics)] });
 */
export function metricsRoutes(metrics: Metrics): RouteGroup {
  const tag = 'operation';
  return {
    name: tag,
    description: 'Health, readiness, metrics and this document.',
    operations: [
      {
        method: 'get',
        path: '/metrics',
        operationId: 'metrics',
        tag,
        access: 'operator',
        summary: 'Read metrics for Prometheus',
        description: 'A service can serve them on a separate port too.',
        answers: { 200: { description: 'Text exposition format.', content: 'text/plain', examples } },
        handle: async () => ({ status: 200, ...(await metrics.text()) }),
      },
    ],
  };
}

const examples = {
  example: {
    summary: 'Read a metric',
    value:
      '# HELP leeward_http_requests_in_flight Number of requests in progress.\n# TYPE leeward_http_requests_in_flight gauge\nleeward_http_requests_in_flight 1\n',
  },
};
