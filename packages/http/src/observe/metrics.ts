import type { GeocodeAttempt } from '@leeward/places';
import { Counter, Gauge, Registry } from 'prom-client';
import { DurationHistogram } from './duration-histogram.ts';
import type { Observer } from './observer.ts';

/** Prometheus metrics of one service, in a registry of its own. Starts no timer. */
export interface Metrics {
  /** For a host's own metrics beside ours. */
  readonly registry: Registry;
  readonly observer: Observer;
  /** Counts what a geocoder did for an address. */
  countGeocode(geocoder: string, outcome: GeocodeAttempt['outcome']): void;
  /** The text that `/metrics` answers with, and its media type. */
  text(): Promise<{ readonly text: string; readonly contentType: string }>;
}

/** Labels are route templates, methods, statuses and names of geocoders: never anything that a caller wrote. */
export function createMetrics(registry: Registry = new Registry()): Metrics {
  const registers = [registry];
  const durations = new DurationHistogram(
    'leeward_http_request_duration_seconds',
    'Time from request to answer.',
    registry,
  );
  const problems = new Counter({
    name: 'leeward_http_problems_total',
    help: 'Answers that were problems, by code.',
    labelNames: ['route', 'code'],
    registers,
  });
  const geocodes = new Counter({
    name: 'leeward_geocodes_total',
    help: 'Addresses that a geocoder was asked for, by what it did.',
    labelNames: ['geocoder', 'outcome'],
    registers,
  });
  let inFlight = 0;
  new Gauge({
    name: 'leeward_http_requests_in_flight',
    help: 'Requests that are not yet answered.',
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  const ended: ReturnType<Observer> = ({ method, route, status, durationMs, problem }) => {
    inFlight--;
    durations.observe(route, knownMethod(method), status, durationMs / 1000);
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

/** A method is any word; a label must not be. */
function knownMethod(method: string): string {
  return methods.has(method) ? method : 'other';
}
