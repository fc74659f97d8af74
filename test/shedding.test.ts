import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { createAgency } from './support/agency.ts';
import { killLeftovers } from './support/leeward-process.ts';
import { ownCarrierKey, startOwnCarrier, writeOwnCarrier } from './support/own-carrier.ts';
import { createQuoter, startQuoting } from './support/quoting-service.ts';
import { testVolume } from './support/test-volume.ts';

afterAll(killLeftovers);

const CALLERS = 150;
const WAVES = testVolume(2);
/** A quote is stored when its turn of the event loop ends, so that of a wave so many are at work at once. */
const MAX_IN_FLIGHT = 40;
const operatorToken = 'o'.repeat(40);

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

it('an overloaded service sheds requests with 503, loses nothing, and recovers at once', async () => {
  await using carrier = await startOwnCarrier();
  const folder = mkdtempSync(join(tmpdir(), 'leeward-shedding-'));
  const carriers = join(folder, 'carriers');
  writeOwnCarrier(carriers, carrier.url, { concurrency: 64 });
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  try {
    const service = await startQuoting(['serve', '--carriers', carriers], {
      LEEWARD_DATA_DIR: join(folder, 'data'),
      LEEWARD_OPERATOR_TOKEN: operatorToken,
      LEEWARD_RATE_LIMIT: '0',
      LEEWARD_LOG_LEVEL: 'silent',
      LEEWARD_MAX_IN_FLIGHT: String(MAX_IN_FLIGHT),
      LEEWARD_MAX_DELAY_MS: '0',
    });
    const url = /http:\/\/\S+/.exec(service.output())?.[0] ?? '';
    const { teamToken, quoteRequest } = await createAgency(url, operatorToken, [ownCarrierKey]);
    const send = (path: string, body?: object, token = teamToken) =>
      new Promise<Answer>((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const method = body === undefined ? 'GET' : 'POST';
        const outgoing = request(`${url}${path}`, { method, headers, agent }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => {
            const { statusCode: status = 0, headers: fields } = response;
            resolve({ status, retryAfter: fields['retry-after'], body: text });
          });
          response.on('error', reject);
        });
        outgoing.on('error', reject);
        outgoing.end(body && JSON.stringify(body));
      });
    const create = () => send('/api/v1/quote/request', quoteRequest);

    const made: string[] = [];
    const keep = ({ body }: Answer) => made.push((JSON.parse(body) as { quote_request_id: string }).quote_request_id);
    // Open the connections before the first request.
    await Promise.all(Array.from({ length: CALLERS }, () => send('/healthz')));
    for (let wave = 0; wave < WAVES; wave++) {
      // All requests arrive before the process reads one, as when it was kept busy.
      service.process.kill('SIGSTOP');
      const asked = Array.from({ length: CALLERS }, create);
      const health = send('/healthz');
      await sleep(50);
      service.process.kill('SIGCONT');
      const answers = await Promise.all(asked);
      const turnedAway = answers.filter(({ status }) => status === 503);
      const taken = answers.filter(({ status }) => status === 200);
      expect(taken.length + turnedAway.length).toBe(CALLERS);
      expect(taken.length).toBeGreaterThanOrEqual(MAX_IN_FLIGHT);
      expect(turnedAway.length).toBeGreaterThan(0);
      for (const { retryAfter, body } of turnedAway) {
        expect([retryAfter, JSON.parse(body)]).toMatchObject(['1', { code: 'unavailable', status: 503 }]);
      }
      expect((await health).status).toBe(200);
      taken.forEach(keep);
      // No request is shed any longer.
      const next = await create();
      expect(next.status).toBe(200);
      keep(next);
    }

    // Accepted requests are stored and completed; shed ones left nothing.
    const { status } = createQuoter(url, { team_token: teamToken, producer_email: '' });
    let left: readonly string[] = made;
    // Complete quotes stay complete, so they are not polled again.
    const unfinished = async () => {
      const still: string[] = [];
      for (const id of left) if ((await status(id)).status !== 'complete') still.push(id);
      left = still;
      return left;
    };
    await expect.poll(unfinished, { timeout: 60_000, interval: 300 }).toEqual([]);
    expect(carrier.asked.size).toBe(made.length);
    const { body: metrics } = await send('/metrics', undefined, operatorToken);
    expect(metrics).toMatch(/leeward_http_problems_total\{route="\/api\/v1\/quote\/request",code="unavailable"\} \d+/);
    service.process.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  } finally {
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
});
