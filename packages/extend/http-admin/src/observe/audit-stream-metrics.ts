import type { AuditStreamStatus, AuditStreams } from '@leeward/accounts';
import { Counter, Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

/**
 * Adds the waiting entries of each stream of the audit log, their age, whether the last attempt failed, and the number of sent entries.
 *
 * @example
 * addAuditStreamMetrics(createMetrics(), createAuditStreams({ database, destinations }));
 */
export function addAuditStreamMetrics({ registry }: Metrics, streams: AuditStreams): void {
  const registers = [registry];
  const labelNames = ['destination'];
  const gauge = (name: string, help: string, measure: (status: AuditStreamStatus) => number) => {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        for (const status of await statuses()) this.set({ destination: status.name }, measure(status));
      },
    });
  };
  // One query per scrape; without the database the last values stay.
  let reading: Promise<readonly AuditStreamStatus[]> | undefined;
  const statuses = () => {
    reading ??= streams
      .statuses()
      .catch(() => [])
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  gauge(
    'leeward_audit_stream_waiting',
    'Number of entries of the audit log that were not sent yet.',
    (status) => status.waiting,
  );
  gauge(
    'leeward_audit_stream_lag_seconds',
    'Age of the oldest entry of the audit log that was not sent yet; 0 without one.',
    ({ oldestMs }) => (oldestMs ?? 0) / 1000,
  );
  gauge(
    'leeward_audit_stream_failing',
    '1 if the last attempt to send entries failed, otherwise 0.',
    ({ lastError }) => (lastError === null ? 0 : 1),
  );
  new Counter({
    name: 'leeward_audit_stream_sent_total',
    help: 'Number of entries of the audit log that this process sent; repeated ones count again.',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const [destination, count] of streams.sent) this.inc({ destination }, count);
    },
  });
}
