import type { GeocodeAttempt } from '@leeward/places';
import { Counter, Gauge, type Histogram, Registry } from 'prom-client';
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

/** Upper bounds in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  readonly method: string;
  readonly status: number;
  /** By bucket, the last beyond all bounds; not yet summed up. */
  readonly counts: number[];
  seconds: number;
}

/**
 * A histogram for prom-client's registry that counts by route, method and status without making a text of them each
 * time, which is most of what prom-client's own does with one.
 */
export class DurationHistogram {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly #series = new Map<string, Series[]>();

  constructor(name: string, help: string, registry: Registry) {
    this.name = name;
    this.help = help;
    // What a registry asks of a metric is its name and `get`.
    registry.registerMetric(this as unknown as Histogram);
  }

  observe(route: string, method: string, status: number, seconds: number): void {
    let ofRoute = this.#series.get(route);
    if (ofRoute === undefined) {
      ofRoute = [];
      this.#series.set(route, ofRoute);
    }
    let series = ofRoute.find((each) => each.status === status && each.method === method);
    if (series === undefined) {
      series = { method, status, counts: new Array<number>(bounds.length + 1).fill(0), seconds: 0 };
      ofRoute.push(series);
    }
    let bucket = 0;
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++;
    series.counts[bucket]!++;
    series.seconds += seconds;
  }

  reset(): void {
    this.#series.clear();
  }

  async get() {
    const values: { metricName: string; labels: Record<string, string | number>; value: number }[] = [];
    for (const [route, all] of this.#series) {
      for (const { method, status, counts, seconds } of all) {
        const labels = { method, route, status: String(status) };
        let below = 0;
        counts.forEach((count, index) => {
          below += count;
          const le = bounds[index] ?? '+Inf';
          values.push({ metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: below });
        });
        values.push({ metricName: `${this.name}_sum`, labels, value: seconds });
        values.push({ metricName: `${this.name}_count`, labels, value: below });
      }
    }
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }
}
