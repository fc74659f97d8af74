import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedis, forgetRedis } from '@leeward/quotes/testing';
import { afterAll, expect, it } from 'vitest';
import { createTcpProxy } from '../packages/core/quotes/src/test-programs/tcp-proxy.ts';
import type { DemoKeys } from './support/demo.ts';
import { killLeftovers } from './support/leeward-process.ts';
import { createQuoter, eventually, sandboxCalls, startQuoting, startQuotingHere } from './support/quoting-service.ts';
import type { RunningLeeward } from './support/running-leeward.ts';

afterAll(killLeftovers);

async function stop(leeward: RunningLeeward): Promise<void> {
  const { code, output } = await leeward.stop();
  expect([code, output.slice(-2000)]).toEqual([0, output.slice(-2000)]);
}

it.concurrent.each(['serve', 'worker'] as const)(
  'a %s that is stopped finishes running calls, begins no others, and leaves them to the next process',
  async (command) => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'leeward-stop-'));
    // On SQLite: the worker works on what the service has put into the same file. It finds it without a queue, too.
    const queue = command === 'worker' ? { LEEWARD_QUEUE_URL: 'none' } : {};
    const environment = { LEEWARD_DATA_DIR: dataFolder, LEEWARD_LOG_LEVEL: 'debug', ...queue };
    try {
      const service = await startQuotingHere(['serve', '--demo'], environment);
      let keys = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')) as DemoKeys;
      const quoter = createQuoter(keys.url, keys);
      let stopped = service;
      if (command === 'worker') stopped = await startQuotingHere(['worker', '--demo'], environment);
      const made: { quote_request_id: string }[] = [];
      const left = () => 2 * made.length - sandboxCalls(dataFolder).length;
      const asked = () => stopped.output().match(/"carrier_key":"sandbox".*"msg":"carrier_asked"/g)?.length ?? 0;
      const create = () => quoter.create({ form_types: ['ho3', 'ho5'], carrier_keys: ['sandbox'] });
      // Far more than the sandbox works on at once; a busy machine may be done with most of it before it looks.
      do {
        made.push(...(await Promise.all(Array.from({ length: 14 }, create))));
      } while (left() < 14);
      // The worker takes over what the service no longer begins. Do not wait for the service to end: on a busy machine
      // the worker could finish everything by then.
      const leaving = command === 'worker' ? stop(service) : undefined;
      await eventually(
        () => asked() >= 2,
        () => `it has asked the sandbox ${asked()} times`,
        20_000,
      );
      await Promise.all([stop(stopped), leaving]);
      const all = 2 * made.length;
      expect(sandboxCalls(dataFolder).length).toBeLessThan(all);

      const next = await startQuotingHere(['serve', '--demo'], environment);
      keys = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')) as DemoKeys;
      const { status } = createQuoter(keys.url, keys);
      for (const { quote_request_id: id } of made) {
        await eventually(
          async () => (await status(id)).status === 'complete',
          () => `${id} is not complete`,
          30_000,
        );
        const { rates } = await status(id);
        const sandbox = rates.filter((rate) => rate.carrier_key === 'sandbox');
        expect(sandbox.map(({ outcome, attempts }) => [outcome, attempts])).toEqual(sandbox.map(() => ['quoted', 1]));
      }
      const ledger = sandboxCalls(dataFolder);
      expect(ledger.length).toBe(all);
      expect(new Set(ledger.map((call) => call.rate_id)).size).toBe(all);
      await stop(next);
    } finally {
      rmSync(dataFolder, { recursive: true, force: true });
    }
  },
);

it.concurrent('a service that is killed and started again ends every rate once, within a lease', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'leeward-kill-'));
  const environment = { LEEWARD_DATA_DIR: dataFolder };
  try {
    const service = await startQuoting(['serve', '--demo'], environment);
    let keys = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')) as DemoKeys;
    const { create } = createQuoter(keys.url, keys);
    // One that takes its time, and one that answers at once.
    const carrier_keys = ['sandbox', 'sawpalm_home'];
    const made = await Promise.all(
      Array.from({ length: 14 }, () => create({ form_types: ['ho3', 'ho5'], carrier_keys })),
    );
    const all = 2 * made.length;
    // So many at once, and far more to come: however late this process looks, some are under way.
    await eventually(
      () => sandboxCalls(dataFolder).length >= 8,
      () => `the sandbox has had ${sandboxCalls(dataFolder).length} calls`,
      20_000,
    );
    service.process.kill('SIGKILL');
    await service.ended;
    const killedAt = performance.now();

    const next = await startQuotingHere(['serve', '--demo'], environment);
    keys = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')) as DemoKeys;
    const { status } = createQuoter(keys.url, keys);
    for (const { quote_request_id: id } of made) {
      await eventually(
        async () => (await status(id)).status === 'complete',
        () => `${id} is not complete`,
        60_000,
      );
    }
    // A lease of 30 s, a sweep, and the rest of the work; twice that on a busy machine.
    expect(performance.now() - killedAt).toBeLessThan(70_000);
    const quotes = await Promise.all(made.map(({ quote_request_id: id }) => status(id)));
    const sandbox = quotes.flatMap(({ rates }) => rates.filter((rate) => rate.carrier_key === 'sandbox'));
    const outcomes = Object.groupBy(sandbox, (rate) => rate.outcome ?? '');
    // For up to eight running calls the outcome is unknown, and they are not repeated.
    const unknown = outcomes['unknown_outcome']?.length ?? 0;
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(8);
    expect(outcomes['quoted']?.length).toBe(all - unknown);
    // No rate was called twice. A process may end between its claim of a rate and the call, whose outcome is then unknown.
    const calls = sandboxCalls(dataFolder).map((call) => call.rate_id);
    const called = new Set(calls);
    expect(calls.length).toBe(called.size);
    const uncalled = sandbox.filter((rate) => !called.has(rate.id));
    expect(uncalled.map((rate) => rate.outcome)).toEqual(uncalled.map(() => 'unknown_outcome'));
    expect(called.size).toBe(all - uncalled.length);
    await stop(next);
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
});

const redis = await findRedis();

it.concurrent.each([
  { command: 'serve', when: 'before', code: 0 },
  { command: 'worker', when: 'before', code: 0 },
  { command: 'serve', when: 'while', code: undefined },
] as const)(
  `a $command whose Redis goes away $when it stops ends all the same`,
  async ({ command, when, code }) => {
    if ('unreachable' in redis) return expect(process.env['LEEWARD_REQUIRE_SERVICES']).not.toBe('1');
    const dataFolder = mkdtempSync(join(tmpdir(), 'leeward-stop-'));
    const prefix = `leeward_test_${randomBytes(6).toString('hex')}`;
    const { hostname: host, port } = new URL(redis.url);
    await using proxy = await createTcpProxy({ host, port: Number(port || 6379) });
    const environment = {
      LEEWARD_DATA_DIR: dataFolder,
      LEEWARD_QUEUE_URL: `redis://127.0.0.1:${proxy.port}/?prefix=${prefix}`,
      LEEWARD_STOP_DEADLINE_MS: '4000',
    };
    const stopped = await startQuoting([command, '--demo'], environment);
    try {
      if (when === 'before') {
        await proxy.cut();
        await eventually(
          () => stopped.output().includes('ECONNREFUSED'),
          () => 'it has not noticed',
          20_000,
        );
        stopped.process.kill('SIGTERM');
      } else {
        const keys = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')) as DemoKeys;
        await createQuoter(keys.url, keys).create({ form_types: ['ho3'], carrier_keys: ['sandbox'] });
        await eventually(
          () => sandboxCalls(dataFolder).length > 0,
          () => 'not asked',
          20_000,
        );
        stopped.process.kill('SIGTERM');
        await eventually(
          async () => !(await fetch(`${keys.url}/healthz`).catch(() => undefined)),
          () => 'it still takes requests in',
          20_000,
        );
        await proxy.cut();
      }
      const ended = await stopped.ended;
      if (code === undefined) expect([0, 1]).toContain(ended.code);
      else expect(ended.code).toBe(code);
    } finally {
      stopped.process.kill('SIGKILL');
      await forgetRedis(redis.url, prefix);
      rmSync(dataFolder, { recursive: true, force: true });
    }
  },
  60_000,
);
