import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { workspace } from './running-leeward.ts';

export const ownCarrierKey = 'lantern_mutual';

/** A carrier that answers over HTTP, does its work once for an idempotency key, and counts. */
export interface OwnCarrier extends AsyncDisposable {
  readonly url: string;
  /** Sets the latency of all later answers: milliseconds, or a promise to wait for. */
  takes(latency: number | Promise<void>): void;
  /** Calls that have come and are not answered. */
  atWork(): number;
  /** Number of calls by key. */
  readonly asked: ReadonlyMap<string, number>;
}

export async function startOwnCarrier(): Promise<OwnCarrier> {
  const asked = new Map<string, number>();
  let latency: number | Promise<void> = 0;
  let atWork = 0;
  const server = createServer(async (request, response) => {
    const key = String(request.headers['idempotency-key']);
    asked.set(key, (asked.get(key) ?? 0) + 1);
    atWork++;
    response.once('close', () => atWork--);
    request.resume();
    await (typeof latency === 'number' ? sleep(latency) : latency);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ decision: 'approved', premium: '1843.50' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takes(next) {
      latency = next;
    },
    atWork: () => atWork,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes a folder of carriers that holds this one alone, with the rules of an invented one. */
export function writeOwnCarrier(folder: string, url: string, limits: object): void {
  const own = join(folder, ownCarrierKey);
  mkdirSync(own, { recursive: true });
  cpSync(join(workspace, 'fixtures/carriers/sawpalm_home/rule-set.json'), join(own, 'rule-set.json'));
  const ruleSet = JSON.parse(readFileSync(join(own, 'rule-set.json'), 'utf8')) as { carrier: object };
  ruleSet.carrier = { key: ownCarrierKey, name: 'Lantern Mutual' };
  writeFileSync(join(own, 'rule-set.json'), JSON.stringify(ruleSet));
  const file = {
    format: 1,
    carrier: { key: ownCarrierKey, name: 'Lantern Mutual' },
    offers: [{ form_types: ['ho3'], states: ['fl'] }],
    idempotent: true,
    request: { method: 'POST', url: `${url}/quotes`, body: { rate: '{{rate_id}}' } },
    response: { outcome: { path: '/decision', values: { approved: 'quoted' } }, premium: '/premium' },
    limits,
  };
  writeFileSync(join(own, 'http-carrier.json'), JSON.stringify(file));
}
