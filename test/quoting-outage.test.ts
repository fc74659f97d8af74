import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testEngines } from '@leeward/database/testing';
import { findRedis, forgetRedis } from '@leeward/quotes/testing';
import { expect, it } from 'vitest';
import { createTcpProxy } from '../packages/core/quotes/src/test-programs/tcp-proxy.ts';
import type { DemoKeys } from './support/demo.ts';
import { createQuoter, eventually, sandboxCalls, startQuotingHere } from './support/quoting-service.ts';

const [, postgres] = await testEngines();
const redis = await findRedis();
const skip = postgres?.skip ?? ('unreachable' in redis ? redis.unreachable : undefined);
// A whole minute: LEEWARD_OUTAGE_MS=60000
const outageMs = Number(process.env['LEEWARD_OUTAGE_MS'] ?? 3000);

it.skipIf(skip !== undefined)(
  `a service survives the loss of its database and its queue, reports it, and loses nothing${skip ? ` (skipped: ${skip})` : ''}`,
  async () => {
    await using place = await postgres!.createPlace();
    await using database = await proxied(place.url, 5432);
    await using queue = await proxied('url' in redis ? redis.url : '', 6379);
    const room = `leeward_test_${randomBytes(6).toString('hex')}`;
    const dataFolder = mkdtempSync(join(tmpdir(), 'leeward-outage-'));
    const service = await startQuotingHere(['serve', '--demo', '--allow-demo'], {
      LEEWARD_DATA_DIR: dataFolder,
      LEEWARD_DATABASE_URL: database.url,
      LEEWARD_QUEUE_URL: `${queue.url}?prefix=${room}`,
    });
    try {
      const keys = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')) as DemoKeys;
      const quoter = createQuoter(keys.url, keys);
      const before = await quoter.create({ form_types: ['ho3'] });
      await eventually(
        () => sandboxCalls(dataFolder).length === 1,
        () => 'the sandbox has not been asked',
        20_000,
      );
      // The sandbox answers while nothing can be stored.
      await Promise.all([database.proxy.cut(), queue.proxy.cut()]);
      const headers = { authorization: `Bearer ${keys.team_token}`, 'content-type': 'application/json' };
      const poll = () =>
        fetch(`${keys.url}/api/v1/quote/${before.quote_request_id}`, { method: 'POST', headers, body: '{}' });
      const away = await poll();
      expect(away.status).toBe(503);
      expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await away.json()).toMatchObject({ code: 'unavailable' });
      expect((await fetch(`${keys.url}/readyz`)).status).toBe(503);
      expect((await fetch(`${keys.url}/healthz`)).status).toBe(200);
      await sleep(outageMs);
      await Promise.all([database.proxy.restore(), queue.proxy.restore()]);

      await eventually(
        async () => (await poll()).status === 200,
        () => 'the service has not come back',
        30_000,
      );
      const after = await quoter.create({ form_types: ['ho3'] });
      for (const { quote_request_id: id } of [before, after]) {
        await eventually(
          async () => (await quoter.status(id)).status === 'complete',
          () => `${id} is not complete`,
          60_000,
        );
        const sandbox = (await quoter.status(id)).rates.filter((rate) => rate.carrier_key === 'sandbox');
        expect(sandbox.map(({ outcome, attempts }) => [outcome, attempts])).toEqual([['quoted', 1]]);
      }
      expect(sandboxCalls(dataFolder)).toHaveLength(2);
      expect((await service.stop()).code).toBe(0);
    } finally {
      await service.stop();
      const cleaning = await place.open();
      await cleaning.tables().schema.dropSchema(room).ifExists().cascade().execute();
      if ('url' in redis) await forgetRedis(redis.url, room);
      rmSync(dataFolder, { recursive: true, force: true });
    }
  },
  150_000 + 2 * outageMs,
);

async function proxied(url: string, usualPort: number) {
  const target = new URL(url);
  const proxy = await createTcpProxy({ host: target.hostname, port: Number(target.port || usualPort) });
  target.host = `127.0.0.1:${proxy.port}`;
  return { url: target.href, proxy, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
}
