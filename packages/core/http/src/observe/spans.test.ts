import type { Coast } from '@leeward/coast';
import { type CarrierAdapter, type CarrierRequest, createSandboxCarrier } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { exampleFields } from '@leeward/quotes/testing';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { ask, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { recordSpans } from '../testing/record-spans.ts';
import { tracePort } from '../trace/trace-port.ts';
import { traceCarrier, traceQueue } from './trace-quotes.ts';

const path = '/v1/underwrite/home';

describe('the spans of a request', () => {
  it('are one of the server, and within it one for each thing that it waits for', async () => {
    using recorded = recordSpans();
    await ask(sampleService(), `${path}/org_acme`, { body: { state: 'tx' } });
    const server = `POST ${path}/{organization_id}`;
    expect(recorded.spans.map(({ name, parent }) => [name, parent])).toEqual([
      [server, undefined],
      ['directory.authenticate', server],
      ['organizations.catalogOf', server],
      ['underwrite.decide', server],
    ]);
    expect(recorded.spans.every(({ ended }) => ended)).toBe(true);
    expect(recorded.spans[0]).toMatchObject({
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': 'POST',
        'http.route': `${path}/{organization_id}`,
        'http.response.status_code': 200,
      },
    });
  });

  it('record that a call failed, without its message', async () => {
    using recorded = recordSpans();
    const directory = {
      authenticate: async () => {
        throw new Error('connect ECONNREFUSED postgres://leeward:hunter2@db');
      },
    };
    await ask(sampleService({ directory }), path, { body: { state: 'tx' } });
    const [server, authenticate] = recorded.spans;
    expect([server?.status, authenticate?.status]).toEqual([SpanStatusCode.ERROR, SpanStatusCode.ERROR]);
    expect(authenticate?.exceptions).toEqual([{ name: 'Error', message: 'Error' }]);
    expect(JSON.stringify(recorded.spans)).not.toContain('hunter2');
  });

  it('name the geocoder, and not the address', async () => {
    using recorded = recordSpans();
    const geocoder = {
      name: 'slow',
      geocode: async () => ({ status: 'not_found' as const, message: 'No.', code: 'no_such_address' as never }),
    };
    const leeward = sampleService({
      distance: { coast: { datasets: [{ layerNames: ['tidal'] }] } as unknown as Coast, geocoder },
    });
    const body = { address: '12 Larkspur Ave, Houston TX 77002' };
    await ask(leeward, '/v1/distance-to-coast', { token: tokens.distanceOnly, body });
    expect(recorded.spans.map(({ name }) => name)).toContain('geocoder.geocode');
    expect(JSON.stringify(recorded.spans)).not.toContain('Larkspur');
  });

  it('are in the log, so that a line leads to its trace', async () => {
    using recorded = recordSpans();
    const lines: Record<string, unknown>[] = [];
    const logger = { info: (fields: object) => lines.push({ ...fields }), error: () => {} };
    await ask(sampleService({ logger }), path, { body: { state: 'tx' } });
    expect(lines[0]).toMatchObject({ otel_trace_id: '1'.repeat(32), otel_span_id: recorded.spans[0]?.spanId });
  });
});

describe('the spans of a quote', () => {
  const request: CarrierRequest = {
    rateId: 'rate-1',
    quoteRequestId: 'quote-1',
    teamId: 'team-1',
    productCode: 'homeowners',
    formType: 'ho3',
    effectiveDate: '2026-12-01',
    producerEmail: 'agent@example.com',
    fields: exampleFields as CarrierRequest['fields'],
  };
  const context = { idempotencyKey: 'rate-1', signal: AbortSignal.timeout(10_000), deadlineMs: 5_000, attempt: 1 };

  /** One job through a queue to a carrier, enqueued by somebody. */
  async function deliver(carrier: CarrierAdapter): Promise<void> {
    const queue = traceQueue(createPQueueBackend());
    const traced = traceCarrier(carrier);
    const { promise, resolve } = Promise.withResolvers<void>();
    await queue.start([{ key: carrier.key, concurrency: 1, maxRunMs: 1000 }], async () => {
      await traced.quote(request, context).catch(() => {});
      resolve();
    });
    const asking = tracePort('quotes', {
      create: () => queue.enqueue([{ key: 'rate-1-0', queue: carrier.key }]),
    });
    await asking.create();
    await promise;
    await queue.stop({ graceMs: 1000 });
  }

  it('lead from the request to the queue, and from there to the carrier', async () => {
    using recorded = recordSpans();
    await deliver(createSandboxCarrier({ key: 'sandbox', name: 'Sandbox', latencyMs: 1 }));
    const named = (name: string) => recorded.spans.find((span) => span.name === name);
    expect(named('queue.enqueue')).toMatchObject({ parent: 'quotes.create', kind: SpanKind.PRODUCER });
    const delivery = named('queue.deliver');
    expect(delivery).toMatchObject({ kind: SpanKind.CONSUMER, attributes: { 'leeward.carrier_key': 'sandbox' } });
    expect(delivery?.links.map((link) => link.context.spanId)).toEqual([named('queue.enqueue')?.spanId]);
    expect(named('carrier.quote')).toMatchObject({
      kind: SpanKind.CLIENT,
      parent: 'queue.deliver',
      attributes: {
        'leeward.carrier_key': 'sandbox',
        'leeward.form_type': 'ho3',
        'leeward.rate_id': 'rate-1',
        'leeward.quote_request_id': 'quote-1',
        'leeward.attempt': 1,
      },
    });
    const personal = [...Object.values(exampleFields), 'agent@example.com'].filter((value) => String(value).length > 4);
    for (const value of personal) expect(JSON.stringify(recorded.spans)).not.toContain(String(value));
  });

  it('tell of a carrier that fails no more than that it does', async () => {
    using recorded = recordSpans();
    await deliver({
      key: 'broken',
      name: 'Broken',
      offers: [{ formTypes: ['ho3'] }],
      idempotent: false,
      async quote() {
        throw new Error('Dana Whitfield is unknown to us.');
      },
    });
    const call = recorded.spans.find(({ name }) => name === 'carrier.quote');
    expect(call).toMatchObject({ status: SpanStatusCode.ERROR, ended: true });
    expect(JSON.stringify(recorded.spans)).not.toContain('Dana');
  });
});

describe('a traced port', () => {
  it('behaves like the port for any kind of object', async () => {
    class Counter {
      #count = 0;
      readonly name = 'counter';
      get count() {
        return this.#count;
      }
      add(by: number) {
        this.#count += by;
        return this.#count;
      }
      async fail(): Promise<never> {
        throw new TypeError('no');
      }
    }
    const port = Object.freeze(new Counter());
    for (const isRecorded of [false, true]) {
      const record = isRecorded ? recordSpans() : undefined;
      const traced = tracePort('counter', port);
      const before = port.count;
      expect(traced.add(2)).toBe(before + 2);
      expect(traced.count).toBe(before + 2);
      expect({ ...traced }.name).toBe('counter');
      await expect(traced.fail()).rejects.toThrow(TypeError);
      expect(record?.spans.map(({ name }) => name)).toEqual(record && ['counter.add', 'counter.fail']);
      record?.[Symbol.dispose]();
    }
  });
});
