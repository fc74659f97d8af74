import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMetrics, createQuoteMetrics } from '@leeward/http-admin';
import { describe, expect, it } from 'vitest';
import { loadOwnAdapters } from '../packages/apps/cli/src/carriers/own-adapters.ts';
import { startMetricsServer } from '../packages/apps/cli/src/serve/start-metrics-server.ts';
import { startExample } from './support/example-host.ts';
import { quoteFields as fields } from './support/journey.ts';
import { workspace } from './support/running-leeward.ts';

const token = `lw_test_01jd4v3x9m8k7h2q5t6w0y1z2a_${'k'.repeat(43)}`;
const secret = 'of-the-lamp';
const verdictSource = async () => ({ status: 'eligible' as const, reasons: [], missingFields: [] });

/** Starts a carrier that accepts submissions and works on them until the test sets their premium. */
async function startCarrier() {
  const submissions = new Map<string, { id: string; state: string; premium?: string }>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const id = request.method === 'POST' ? `S-${submissions.size + 1}` : request.url!.split('/').at(-1)!;
      if (request.method === 'POST') submissions.set(id, { id, state: 'working' });
      response.end(JSON.stringify(submissions.get(id)));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, submissions, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('an example that mounts quoting with a custom adapter', () => {
  it('waits for the carrier, and ends by its signed callback', async () => {
    const carrier = await startCarrier();
    const more = { HARBOR_LAMP_URL: carrier.url, HARBOR_LAMP_SECRET: secret };
    const host = await startExample('quoting/start.ts', token, more);
    try {
      const post = async (path: string, body: unknown) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const response = await fetch(`${host.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        return (await response.json()) as Record<string, never> & { rates: Record<string, string>[] };
      };
      const created = await post('/api/v1/quote/request', {
        product_code: 'homeowners',
        assigned_producer_email: 'agent@example.com',
        form_types: ['ho3'],
        fields,
      });
      const path = `/api/v1/quote/${created['quote_request_id']}`;
      while (carrier.submissions.size === 0) await sleep(20);
      // By then the answer "working" is written down.
      const callback = async (id: string, sign = secret) => {
        const body = JSON.stringify({ id: 'S-1' });
        const time = String(Date.now());
        const signature = createHmac('sha256', sign).update(`${id}.${time}.${body}`).digest('base64');
        const headers = { 'x-lamp-id': id, 'x-lamp-time': time, 'x-lamp-signature': signature };
        return (await fetch(`${host.url}/carrier/v1/callback/harbor_lamp`, { method: 'POST', headers, body })).status;
      };
      expect(await callback('c0', 'forged')).toBe(403);
      carrier.submissions.set('S-1', { id: 'S-1', state: 'priced', premium: '1843.50' });
      let status = 404;
      for (let tries = 0; tries < 200 && status === 404; tries++) {
        status = await callback('c1');
        if (status === 404) await sleep(50);
      }
      expect(status).toBe(200);
      expect(await callback('c1')).toBe(409);
      let quote = await post(path, { include_rates: true });
      for (let tries = 0; tries < 200 && quote['status'] !== 'complete'; tries++) {
        await sleep(50);
        quote = await post(path, { include_rates: true });
      }
      expect(quote.rates[0]).toMatchObject({ status: 'success', premium: '1843.50', carrier: 'Harbor Lamp Mutual' });
      expect(await callback('c2')).toBe(409);
    } finally {
      await host.stop();
      carrier.server.close();
    }
  });
});

describe('--adapters', () => {
  const folder = join(workspace, 'examples/quoting');
  it('loads a TypeScript file', async () => {
    const loaded = await loadOwnAdapters([join(folder, 'harbor-lamp.ts')], { folder, verdictSource, reservedKeys: [] });
    expect(loaded.map(({ key }) => key)).toEqual(['harbor_lamp']);
    expect(loaded[0]!.resume).toBeTypeOf('function');
  });

  it.each([
    ['harbor-lamp.ts', ['harbor_lamp'], /harbor-lamp\.ts: the carrier harbor_lamp already has another adapter/],
    ['nobody.ts', [], /nobody\.ts cannot be loaded/],
    ['../insurance.ts', [], /insurance\.ts exports no carrier adapters: write "export default \[adapter\]"/],
  ])('says what is wrong with %s', async (file, taken, message) => {
    await expect(loadOwnAdapters([join(folder, file)], { folder, verdictSource, reservedKeys: taken })).rejects.toThrow(
      message,
    );
  });
});

it('the dashboard queries exactly the existing metrics', async () => {
  const metrics = createMetrics();
  const nothing = async () => [];
  createQuoteMetrics(metrics, { backlog: nothing, failures: nothing, quotas: nothing, carrierCooldowns: nothing });
  const all = await metrics.registry.getMetricsAsJSON();
  const named = all.map(({ name }) => name).filter((name) => name.startsWith('leeward_quote_'));
  const dashboard = readFileSync(join(workspace, 'deploy/grafana/quotes.json'), 'utf8');
  const asked = new Set(
    [...dashboard.matchAll(/leeward_quote_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, '')),
  );
  expect([...asked].sort()).toEqual([...named].sort());
});

describe('the port of a worker', () => {
  it('serves health, readiness and quote metrics, and nothing else', async () => {
    const metrics = createMetrics();
    const backlog = async () => [{ carrierKey: 'bayou_mutual', waiting: 7, oldestWaitMs: 1500 }];
    const { listener } = createQuoteMetrics(metrics, {
      backlog,
      failures: async () => [{ carrierKey: 'bayou_mutual', outcome: 'timed_out', count: 3 }],
      quotas: async () => [{ carrierKey: 'bayou_mutual', per: 'day', requests: 5000, used: 4000 }],
      carrierCooldowns: async () => [
        { carrierKey: 'bayou_mutual', remainingMs: undefined },
        { carrierKey: 'lantern_mutual', remainingMs: 500 },
      ],
    });
    const rate = { rateId: 'r', quoteId: 'q', carrierKey: 'bayou_mutual', formType: 'ho3' } as const;
    listener({ type: 'carrier_asked', ...rate, attempt: 1 });
    listener({ type: 'rate_ended', ...rate, outcome: 'quoted', attempts: 1, tookMs: 700 });
    listener({ type: 'carrier_given_up', carrierKey: 'bayou_mutual' });
    let isUp = true;
    const isReady = async () => {
      if (!isUp) throw new Error('postgres://10.0.0.1 is away');
    };
    const server = await startMetricsServer({ metrics, isReady }, '127.0.0.1', 0);
    try {
      const get = async (path: string) => {
        const response = await fetch(`${server.url}${path}`);
        return { status: response.status, text: await response.text() };
      };
      expect(await get('/healthz')).toEqual({ status: 200, text: 'ok\n' });
      expect((await get('/readyz')).status).toBe(200);
      isUp = false;
      expect(await get('/readyz')).toEqual({ status: 503, text: 'not ready\n' });
      expect((await get('/healthz')).status).toBe(200);
      expect((await get('/v1/admin')).status).toBe(404);
      const { text } = await get('/metrics');
      for (const line of [
        'leeward_quote_rates_waiting{carrier_key="bayou_mutual"} 7',
        'leeward_quote_oldest_wait_seconds{carrier_key="bayou_mutual"} 1.5',
        'leeward_quote_carrier_calls_total{carrier_key="bayou_mutual"} 1',
        'leeward_quote_rates_ended_total{carrier_key="bayou_mutual",outcome="quoted"} 1',
        'leeward_quote_carrier_given_up{carrier_key="bayou_mutual"} 1',
        'leeward_quote_rates_in_trouble{carrier_key="bayou_mutual",outcome="timed_out"} 3',
        'leeward_quote_carrier_paused{carrier_key="bayou_mutual",why="operator"} 1',
        'leeward_quote_carrier_paused{carrier_key="lantern_mutual",why="carrier"} 1',
        'leeward_quote_quota_requests{carrier_key="bayou_mutual",per="day"} 5000',
        'leeward_quote_quota_used{carrier_key="bayou_mutual",per="day"} 4000',
        'leeward_quote_rate_duration_seconds_bucket{le="1",carrier_key="bayou_mutual"} 1',
      ]) {
        expect(text).toContain(line);
      }
    } finally {
      await server.stop(0);
    }
  });
});
