import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
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
  'a %s that is stopped lets carriers answer that were asked, asks no more, and leaves the rest to the next',
  async (command) => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'leeward-stop-'));
    // On SQLite: the worker works on what the service has put into the same file.
    const environment = { LEEWARD_DATA_DIR: dataFolder, LEEWARD_LOG_LEVEL: 'debug' };
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
      // What the service does not begin any more, the worker takes over. Nobody waits for the service to end: on a machine with much
      // to do the worker could be done with all by then, and leave nothing.
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
    // Of up to eight that were under way nobody knows what became of them, and nobody asks again.
    const unknown = outcomes['unknown_outcome']?.length ?? 0;
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(8);
    expect(outcomes['quoted']?.length).toBe(all - unknown);
    const ledger = sandboxCalls(dataFolder);
    expect([ledger.length, new Set(ledger.map((call) => call.rate_id)).size]).toEqual([all, all]);
    await stop(next);
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
});
