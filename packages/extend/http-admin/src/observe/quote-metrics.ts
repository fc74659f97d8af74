import type { QuoteListener, Quotes } from '@leeward/quotes';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** In seconds. */
const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Counts events of quotes by carrier. Labels never contain text of a caller or a carrier.
 *
 * @param quotes Read with the metrics. If the store is unavailable, the last values stay.
 *
 * @returns a listener for `createQuotes`
 *
 * @example
 * const { listener } = createQuoteMetrics(metrics, quotes);
 */
export function createQuoteMetrics(
  { registry }: Metrics,
  quotes: Pick<Quotes, 'backlog' | 'failures' | 'quotas' | 'carrierCooldowns'>,
): { readonly listener: QuoteListener } {
  addStoreGauges(registry, quotes);
  return { listener: countEvents(registry) };
}

const labelNames = ['carrier_key'] as const;

function countEvents(registry: Metrics['registry']): QuoteListener {
  const registers = [registry];
  const calls = new Counter({
    name: 'leeward_quote_carrier_calls_total',
    help: 'Number of calls to a carrier for a rate.',
    labelNames,
    registers,
  });
  const ended = new Counter({
    name: 'leeward_quote_rates_ended_total',
    help: 'Number of finished rates, by outcome.',
    labelNames: ['carrier_key', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'leeward_quote_rate_duration_seconds',
    help: 'Time from the claim of a rate to its outcome.',
    labelNames,
    buckets: bounds,
    registers,
  });
  const requeued = new Counter({
    name: 'leeward_quote_rates_requeued_total',
    help: 'Number of rates that were queued again for another attempt.',
    labelNames,
    registers,
  });
  const pending = new Counter({
    name: 'leeward_quote_looks_total',
    help: 'Number of pending answers of a carrier: of its first answer and of each poll.',
    labelNames,
    registers,
  });
  const callbacks = new Counter({
    name: 'leeward_quote_callbacks_total',
    help: 'Number of carrier callbacks, by result.',
    labelNames: ['carrier_key', 'fate'],
    registers,
  });
  const documents = new Counter({
    name: 'leeward_quote_documents_total',
    help: 'Number of document requests, by result.',
    labelNames: ['carrier_key', 'fate'],
    registers,
  });
  const givenUp = new Gauge({
    name: 'leeward_quote_carrier_given_up',
    help: '1 while this process does not call a carrier because it kept failing.',
    labelNames,
    registers,
  });
  const retriedFailures = new Counter({
    name: 'leeward_quote_troubles_total',
    help: 'Number of failures of the quote store, the queue or an adapter that were retried.',
    registers,
  });
  const closures = new Counter({
    name: 'leeward_quote_closures_total',
    help: 'Number of carriers that storms or other events closed or reopened for an open quote.',
    labelNames: ['change'],
    registers,
  });
  return (event) => {
    if (event.type === 'failure') return retriedFailures.inc();
    if (event.type === 'closures_checked') {
      closures.inc({ change: 'closed' }, event.closed);
      return closures.inc({ change: 'reopened' }, event.reopened);
    }
    if (!('carrierKey' in event)) return;
    const carrier = { carrier_key: event.carrierKey };
    switch (event.type) {
      case 'carrier_asked':
        return calls.inc(carrier);
      case 'rate_requeued':
        return requeued.inc(carrier);
      case 'rate_pending':
        return pending.inc(carrier);
      case 'callback':
        return callbacks.inc({ ...carrier, fate: event.fate });
      case 'document':
        return documents.inc({ ...carrier, fate: event.fate });
      case 'carrier_given_up':
        return givenUp.set(carrier, 1);
      case 'carrier_back':
        return givenUp.set(carrier, 0);
      case 'rate_ended':
        ended.inc({ ...carrier, outcome: event.outcome });
        seconds.observe(carrier, event.tookMs / 1000);
    }
  };
}

function addStoreGauges(
  registry: Metrics['registry'],
  quotes: Pick<Quotes, 'backlog' | 'failures' | 'quotas' | 'carrierCooldowns'>,
): void {
  const registers = [registry];
  const readGauge = <Row extends { readonly carrierKey: string }>(
    name: string,
    help: string,
    read: () => Promise<readonly Row[]>,
    amountOf: (row: Row) => number,
    labelsOf: (row: Row) => Readonly<Record<string, string>> = () => ({}),
    more: readonly string[] = [],
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [...labelNames, ...more],
      registers,
      async collect() {
        const rows = await read().catch(() => undefined);
        if (rows === undefined) return;
        this.reset();
        for (const each of rows) this.set({ carrier_key: each.carrierKey, ...labelsOf(each) }, amountOf(each));
      },
    });
  // Two gauges share one read.
  const backlog = atOnce(() => quotes.backlog());
  const quotas = atOnce(() => quotes.quotas());
  readGauge(
    'leeward_quote_rates_waiting',
    'Number of rates that wait for a carrier, in all processes.',
    backlog,
    (row) => row.waiting,
  );
  readGauge(
    'leeward_quote_oldest_wait_seconds',
    'Maximum time that a rate has been waiting, in seconds, in all processes.',
    backlog,
    (row) => row.oldestWaitMs / 1000,
  );
  readGauge(
    'leeward_quote_rates_in_trouble',
    'Number of rates that failed in the last day and were not retried, in all processes.',
    () => quotes.failures(),
    (row) => row.count,
    ({ outcome }) => ({ outcome }),
    ['outcome'],
  );
  readGauge(
    'leeward_quote_carrier_paused',
    '1 while no process calls a carrier: an operator paused it, or it asked for a cooldown.',
    () => quotes.carrierCooldowns(),
    () => 1,
    ({ remainingMs }) => ({ why: remainingMs === undefined ? 'operator' : 'carrier' }),
    ['why'],
  );
  readGauge(
    'leeward_quote_quota_requests',
    'Maximum number of requests that a carrier accepts in an hour, a day or a month.',
    quotas,
    (row) => row.requests,
    ({ per }) => ({ per }),
    ['per'],
  );
  readGauge(
    'leeward_quote_quota_used',
    'Number of requests of a quota that all processes have used in the current window.',
    quotas,
    (row) => row.used,
    ({ per }) => ({ per }),
    ['per'],
  );
}

function atOnce<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let reading: Promise<Result> | undefined;
  return () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
