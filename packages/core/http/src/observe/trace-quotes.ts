import type { CarrierAdapter, CarrierRequest, Delivery, JobRef, QueueBackend } from '@leeward/quotes';
import { type SpanContext, SpanKind } from '@opentelemetry/api';
import { tracePort } from '../trace/trace-port.ts';
import { activeSpanContext, inSpan } from '../trace/tracing.ts';

/** Maximum number of remembered spans. */
const MAX_REMEMBERED = 10_000;

/**
 * Traces calls of a carrier as client spans, without the home.
 *
 * @example
 * createQuotes({ database, teams, queue: traceQueue(queue), carriers: carriers.map(traceCarrier) });
 */
export function traceCarrier(carrier: CarrierAdapter): CarrierAdapter {
  return tracePort('carrier', carrier, (method, [request, context]) => {
    // Callbacks do not know their rate yet.
    if (context === undefined) {
      return { kind: SpanKind.SERVER, attributes: { 'leeward.carrier_key': carrier.key } };
    }
    if (method === 'openDocument') {
      const { rateId } = context as { rateId: string };
      return { kind: SpanKind.CLIENT, attributes: { 'leeward.carrier_key': carrier.key, 'leeward.rate_id': rateId } };
    }
    const { rateId, quoteRequestId, formType } = request as CarrierRequest;
    const { attempt } = context as { attempt: number };
    return {
      kind: SpanKind.CLIENT,
      attributes: {
        'leeward.carrier_key': carrier.key,
        'leeward.form_type': formType,
        'leeward.rate_id': rateId,
        'leeward.quote_request_id': quoteRequestId,
        'leeward.attempt': attempt,
      },
    };
  });
}

/**
 * Traces deliveries of a queue as consumer spans, linked to the enqueuing span of this process.
 *
 * @example
 * createQuotes({ database, teams, queue: traceQueue(queue), carriers: carriers.map(traceCarrier) });
 */
export function traceQueue(queue: QueueBackend): QueueBackend {
  const enqueuedBy = new Map<string, SpanContext>();
  const nameOf = ({ queue: name, key }: JobRef) => `${name} ${key}`;
  const remember = (jobs: readonly JobRef[]) => {
    const by = activeSpanContext();
    if (by === undefined) return;
    if (enqueuedBy.size > MAX_REMEMBERED) enqueuedBy.clear();
    for (const job of jobs) enqueuedBy.set(nameOf(job), by);
  };
  const traced: QueueBackend = {
    caps: queue.caps,
    start: (carrierQueues, handler) =>
      queue.start(carrierQueues, (delivery: Delivery) => {
        const by = enqueuedBy.get(nameOf(delivery));
        enqueuedBy.delete(nameOf(delivery));
        const text = { kind: SpanKind.CONSUMER, attributes: { 'leeward.carrier_key': delivery.queue } };
        return inSpan('queue.deliver', () => handler(delivery), by ? { ...text, links: [{ context: by }] } : text);
      }),
    enqueue(jobs) {
      const text = { kind: SpanKind.PRODUCER, attributes: { 'leeward.jobs': jobs.length } };
      return inSpan(
        'queue.enqueue',
        () => {
          remember(jobs);
          return queue.enqueue(jobs);
        },
        text,
      );
    },
    stop: (options) => queue.stop(options),
  };
  const { ping } = queue;
  return ping === undefined ? traced : { ...traced, ping: () => ping.call(queue) };
}
