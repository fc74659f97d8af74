import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ask, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import type { RequestLogger } from './log-requests.ts';

const path = '/v1/underwrite/home';

function listLogger() {
  const lines: Record<string, unknown>[] = [];
  const logger: RequestLogger = {
    info: (fields, msg) => lines.push({ level: 'info', ...fields, msg }),
    error: (fields, msg) => lines.push({ level: 'error', ...fields, msg }),
  };
  return { lines, logger };
}

describe('the log', () => {
  it('has one line per request, without data of the home', async () => {
    const { lines: entries, logger } = listLogger();
    const leeward = sampleService({ logger });
    await ask(leeward, path, {
      body: { state: 'tx', county: 'harris', address: '12 Elm Street, Houston' },
      headers: { 'x-request-id': 'one' },
    });
    await ask(leeward, '/v1/underwrite/home/org_other?token=zyxw', { body: {} });
    await ask(leeward, '/12-elm-street', { token: tokens.acme, body: {} });
    await ask(leeward, '/v1/underwrite/renters', {});
    expect(entries).toHaveLength(4);
    expect(entries[0]).toEqual({
      level: 'info',
      request_id: 'one',
      method: 'POST',
      route: path,
      status: 200,
      duration_ms: expect.any(Number),
      token_id: `acme${'0'.repeat(22)}`,
      organization_id: 'org_acme',
      msg: 'request',
    });
    expect(entries[1]).toMatchObject({ route: `${path}/{organization_id}`, status: 404, problem: 'not_found' });
    expect(entries[2]).toMatchObject({ route: 'unmatched', status: 404 });
    expect(entries[3]).toMatchObject({ level: 'info', status: 501 });
    expect(JSON.stringify(entries)).not.toMatch(/elm|harris|kkkk|zyxw|org_other/i);
  });
});

describe('the log of refused requests', () => {
  function logged(options: Parameters<typeof sampleService>[0]) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { lines, logger } = listLogger();
    return { lines, leeward: sampleService({ logger, requestTimeoutMs: null, ...options }) };
  }

  it('has the first of a token and route, and one more line a period that counts the others', async () => {
    const { lines, leeward } = logged({ rateLimit: { perMinute: 1, burst: 1 } });
    for (let count = 0; count < 8; count++) await ask(leeward, path, { body: { state: 'tx' } });
    await ask(leeward, path, { token: tokens.other, body: { state: 'tx' } });
    await ask(leeward, path, { token: tokens.other, body: { state: 'tx' } });
    expect(lines.map(({ status, msg }) => [status, msg])).toEqual([
      [200, 'request'],
      [429, 'request'],
      [200, 'request'],
      [429, 'request'],
    ]);
    vi.advanceTimersByTime(10_000);
    expect(lines.slice(4)).toEqual([
      {
        ...{ level: 'info', msg: 'requests refused', problem: 'rate_limited', status: 429 },
        ...{ route: path, token_id: `acme${'0'.repeat(22)}`, organization_id: 'org_acme' },
        ...{ refused: 6, period_ms: 10_000 },
      },
    ]);
    await ask(leeward, path, { body: { state: 'tx' } });
    expect(lines.at(-1)).toMatchObject({ status: 429, msg: 'request' });
    vi.advanceTimersByTime(10_000);
    expect(lines).toHaveLength(6);
  });

  it('counts addresses without a token together, and keeps a line for each request that failed or was answered', async () => {
    const down = () => Promise.reject(new Error('connection refused'));
    const { lines, leeward } = logged({ addressRateLimit: { perMinute: 1, burst: 1 }, readiness: { store: down } });
    for (let count = 0; count < 20; count++) {
      const address = { incoming: { socket: { remoteAddress: `203.0.113.${count % 4}` } } };
      await leeward.fetch(new Request('http://leeward.test/docs'), address);
    }
    for (let count = 0; count < 3; count++) await ask(leeward, '/readyz', { method: 'GET', token: null });
    expect(lines.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 503, 503, 503]);
    vi.advanceTimersByTime(10_000);
    expect(lines.slice(8)).toMatchObject([{ route: '/docs', refused: 15, msg: 'requests refused' }]);
  });
});
