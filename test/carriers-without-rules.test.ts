import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadOwnQueue } from '../packages/apps/cli/src/quotes/own-queue.ts';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { createAgency } from './support/agency.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import { workspace } from './support/running-leeward.ts';

const operatorToken = 'o'.repeat(40);
const modules = {
  'adapters.ts': `export default [{
    key: 'tin_roof', name: 'Tin Roof', offers: [{ formTypes: ['ho3'], states: ['fl'] }], idempotent: true,
    quote: async () => ({ outcome: 'quoted', premiumCents: 111100n }),
  }];`,
  'queue.ts': `import { createPQueueBackend } from ${JSON.stringify(join(workspace, 'packages/core/quotes/src/queues/p-queue.ts'))};
  export default () => {
    const queue = createPQueueBackend();
    return { ...queue, enqueue: (jobs) => { globalThis.ownQueueJobs = (globalThis.ownQueueJobs ?? 0) + jobs.length; return queue.enqueue(jobs); } };
  };`,
  'empty.ts': 'export default [];',
  'half.ts': `export default { caps: { durable: false, distributed: false }, start() {} };`,
  'away.ts': `export default { caps: { durable: false, distributed: false }, start() {},
    enqueue() {}, async stop() {}, async ping() { throw new Error('no broker at 10.0.0.9'); } };`,
};

let folder: string;
let carrier: Awaited<ReturnType<typeof startCarrier>>;

/** A carrier over HTTP that quotes everything. */
async function startCarrier() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"premium":"2222.00"}'));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-ruleless-'));
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text);
  carrier = await startCarrier();
  mkdirSync(join(folder, 'carriers'));
  cpSync(join(workspace, 'fixtures/carriers/sawpalm_home'), join(folder, 'carriers/sawpalm_home'), { recursive: true });
  mkdirSync(join(folder, 'carriers/lantern'));
  const file = {
    format: 1,
    carrier: { key: 'lantern_mutual', name: 'Lantern Mutual' },
    offers: [{ form_types: ['ho3'] }],
    idempotent: true,
    request: { method: 'POST', url: carrier.url, body: {} },
    response: { premium: '/premium' },
  };
  writeFileSync(join(folder, 'carriers/lantern/http-carrier.json'), JSON.stringify(file));
});
afterAll(() => {
  carrier.server.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({
  LEEWARD_CARRIERS: join(folder, 'carriers'),
  LEEWARD_ADAPTERS: join(folder, 'adapters.ts'),
  LEEWARD_DATA_DIR: join(folder, 'data'),
  LEEWARD_OPERATOR_TOKEN: operatorToken,
  LEEWARD_QUEUE: 'queue.ts',
  PORT: '0',
});

describe('carriers without a rule set', () => {
  it('are appointed, logged and called, by file and by adapter, over a custom queue', async () => {
    const leeward = runLeewardHere(['serve'], { environment: environment(), folder });
    try {
      await leeward.says('Leeward is up at');
      const url = /http:\/\/\S+/.exec(leeward.output())![0];
      const { teamToken, quoteRequest } = await createAgency(url, operatorToken, [
        'sawpalm_home',
        'lantern_mutual',
        'tin_roof',
      ]);
      const post = async (path: string, body: unknown) => {
        const headers = { authorization: `Bearer ${teamToken}`, 'content-type': 'application/json' };
        const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        return (await response.json()) as { quote_request_id: string; status: string; rates: Record<string, string>[] };
      };
      const created = await post('/api/v1/quote/request', quoteRequest);
      let quote = created;
      for (let tries = 0; tries < 600 && quote.status !== 'complete'; tries++) {
        await sleep(50);
        quote = await post(`/api/v1/quote/${created.quote_request_id}`, { include_rates: true });
      }
      const premiums = Object.fromEntries(quote.rates.map((rate) => [rate['carrier_key'], rate['premium']]));
      expect(premiums).toEqual({ sawpalm_home: '1729.86', lantern_mutual: '2222.00', tin_roof: '1111.00' });
      expect((globalThis as { ownQueueJobs?: number }).ownQueueJobs).toBe(3);
    } finally {
      await leeward.stop();
    }
  });

  it('are appointed on the command line', async () => {
    const terminal = { environment: environment(), folder };
    const made = await runWords(['organization', 'create', 'Agency', '--json'], terminal);
    const { organization_id: id } = JSON.parse(made.output) as { organization_id: string };
    for (const key of ['tin_roof', 'lantern_mutual']) {
      expect(await runWords(['appointment', 'add', key, '--organization', id, '--json'], terminal)).toMatchObject({
        code: 0,
      });
    }
    const unknown = await runWords(['appointment', 'add', 'nobody', '--organization', id, '--json'], terminal);
    expect(unknown.code).toBe(1);
  });
});

describe('LEEWARD_QUEUE', () => {
  it.each([
    ['nowhere.ts', /^nowhere\.ts cannot be loaded/],
    ['empty.ts', /^empty\.ts exports no queue: it has no caps, an object\. Write "export default queue"/],
    ['half.ts', /^half\.ts exports no queue: it has no enqueue/],
    ['away.ts', /^The queue of away\.ts cannot be used: no broker/],
  ])('names what is wrong with %s', async (file, message) => {
    await expect(loadOwnQueue(join(folder, file), folder)).rejects.toThrow(message);
  });

  it('is refused together with LEEWARD_QUEUE_URL', async () => {
    const both = { ...environment(), LEEWARD_QUEUE_URL: 'redis://127.0.0.1' };
    const ended = await runWords(['serve'], { environment: both, folder });
    expect(ended).toMatchObject({ code: 2, errors: expect.stringContaining('LEEWARD_QUEUE and LEEWARD_QUEUE_URL') });
  });
});
