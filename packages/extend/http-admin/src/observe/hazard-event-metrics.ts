import type { HazardEventFeed } from '@leeward/http';
import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

/**
 * Adds the number of hazard events that decisions use, whether they are known, and their age.
 *
 * @example
 * addHazardEventMetrics(createMetrics(), hazardEvents);
 */
export function addHazardEventMetrics({ registry }: Metrics, feed: HazardEventFeed): void {
  const registers = [registry];
  new Gauge({
    name: 'leeward_hazard_events',
    help: 'Number of storms and other events that decisions use; 0 also if they are unknown.',
    registers,
    collect() {
      this.set(feed.latest.events?.length ?? 0);
    },
  });
  new Gauge({
    name: 'leeward_hazard_events_known',
    help: '1 if the events are known, 0 if a source is unavailable.',
    registers,
    collect() {
      this.set(feed.latest.events === undefined ? 0 : 1);
    },
  });
  new Gauge({
    name: 'leeward_hazard_events_age_seconds',
    help: 'Time since the events were last confirmed by all sources.',
    registers,
    collect() {
      const { asOfMs } = feed.latest;
      this.set(asOfMs === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Date.now() - asOfMs) / 1000);
    },
  });
}
