import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createAgency } from './support/agency.ts';
import { killLeftovers } from './support/leeward-process.ts';
import { ownCarrierKey, startOwnCarrier, writeOwnCarrier } from './support/own-carrier.ts';
import { createQuoter, startQuoting, startQuotingHere } from './support/quoting-service.ts';
import { testVolume } from './support/test-volume.ts';

afterAll(killLeftovers);

const isLong = testVolume(1) > 1;
const JOBS = isLong ? 100 : 40;
const REQUESTS = isLong ? 250 : 100;
const operatorToken = 'o'.repeat(40);

/** One connection with one request that is on its way before anything of its answer is read. */
class Sent {
  readonly #socket: Socket;
  #text = '';
  /** Resolves with the first bytes of the answer. */
  readonly begun: Promise<unknown>;
  readonly answered: Promise<{ readonly status: number; readonly head: string; readonly body: string }>;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1' });
    this.answered = new Promise((resolve, reject) => {
      this.#socket.setEncoding('utf8');
      this.#socket.on('data', (text: string) => {
        this.#text += text;
      });
      this.#socket.on('error', reject);
      this.#socket.on('close', () => {
        const [head = '', body = ''] = this.#text.split('\r\n\r\n');
        resolve({ status: Number(head.slice(9, 12)), head, body });
      });
    });
    this.answered.catch(() => {});
    this.begun = new Promise((resolve) => this.#socket.once('data', resolve));
  }

  connected(): Promise<void> {
    return new Promise((resolve) => this.#socket.once('connect', () => resolve()));
  }

  send(path: string, token: string, body: object): void {
    const text = JSON.stringify(body);
    const fields = [
      `POST ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(text)}`,
    ];
    this.#socket.write(`${fields.join('\r\n')}\r\n\r\n${text}`);
  }
}

it(`a service stopped among ${REQUESTS} requests and ${JOBS} running jobs answers each, and the next service finishes the jobs`, async () => {
  await using carrier = await startOwnCarrier();
  const folder = mkdtempSync(join(tmpdir(), 'leeward-stop-'));
  const carriers = join(folder, 'carriers');
  writeOwnCarrier(carriers, carrier.url, { concurrency: 400, deadline_ms: 80_000 });
  const environment = {
    LEEWARD_DATA_DIR: join(folder, 'data'),
    LEEWARD_OPERATOR_TOKEN: operatorToken,
    LEEWARD_RATE_LIMIT: '0',
    LEEWARD_LOG_LEVEL: 'silent',
    // Shedding has a separate test; here each request must get its answer.
    LEEWARD_MAX_DELAY_MS: '0',
    // Long enough for a busy machine to answer them all; it is waited out, as half of the jobs take longer.
    LEEWARD_STOP_DEADLINE_MS: '12000',
  };
  try {
    const service = await startQuoting(['serve', '--carriers', carriers], environment);
    const url = /http:\/\/\S+/.exec(service.output())?.[0] ?? '';
    const port = Number(new URL(url).port);
    const { apiKey, teamToken, quoteRequest } = await createAgency(url, operatorToken, [ownCarrierKey]);
    const quoter = createQuoter(url, { team_token: teamToken, producer_email: 'pat@palmetto.example' });

    // Half of the jobs end while the service stops, and half take longer than it waits.
    carrier.takes(90_000);
    const made: string[] = [];
    const make = async (count: number) => {
      const quotes = await Promise.all(Array.from({ length: count }, () => quoter.create(quoteRequest)));
      made.push(...quotes.map(({ quote_request_id: id }) => id));
    };
    await make(JOBS / 2);
    await expect.poll(() => carrier.atWork(), { timeout: 60_000 }).toBe(JOBS / 2);
    const stopping = Promise.withResolvers<void>();
    carrier.takes(stopping.promise);
    await make(JOBS / 2);
    await expect.poll(() => carrier.atWork(), { timeout: 60_000 }).toBe(JOBS);

    const sent = Array.from({ length: REQUESTS }, () => new Sent(port));
    await Promise.all(sent.map((each) => each.connected()));
    const home = { state: 'fl', county: 'marion', policy_type: 'ho3' };
    sent.forEach((each, index) => {
      if (index % 5 === 0) each.send('/api/v1/quote/request', teamToken, quoteRequest);
      else if (index % 5 < 3) each.send(`/api/v1/quote/${made[index % made.length]}`, teamToken, {});
      else if (index % 5 === 3) each.send('/v1/underwrite/home', apiKey, home);
      else each.send('/v1/distance-to-coast', apiKey, { lat: 25.78, lng: -80.13 });
    });
    // The first answer has come: the rest are in the middle of it, or on their way.
    await Promise.race(sent.map((each) => each.begun));
    service.process.kill('SIGTERM');
    setTimeout(stopping.resolve, 1_000);
    const answers = await Promise.all(sent.map((each) => each.answered));
    expect(answers.map(({ status }) => status)).toEqual(new Array(REQUESTS).fill(200));
    const end = await service.ended;
    expect([end.code, end.output.slice(-2000)]).toEqual([0, end.output.slice(-2000)]);
    for (const [index, { body }] of answers.entries()) {
      const answer = JSON.parse(body) as { quote_request_id?: string; status?: string };
      // The first half of the jobs takes longer than the service waits, at any time.
      if (index % 5 > 0 && index % 5 < 3 && index % JOBS < JOBS / 2) expect(answer.status).toBe('processing');
      if (index % 5 === 0) made.push(answer.quote_request_id!);
    }
    expect(new Set(made).size).toBe(JOBS + REQUESTS / 5);

    carrier.takes(5);
    const next = await startQuotingHere(['serve', '--carriers', carriers], environment);
    const nextUrl = /http:\/\/\S+/.exec(next.output())?.[0] ?? '';
    const { status } = createQuoter(nextUrl, { team_token: teamToken, producer_email: 'pat@palmetto.example' });
    let left: readonly string[] = made;
    // Complete quotes are read again below, not meanwhile.
    const unfinished = async () => {
      const found = await Promise.all(left.map(async (id) => ({ id, quote: await status(id) })));
      const still = found.filter(({ quote }) => quote.status !== 'complete');
      left = still.map(({ id }) => id);
      return still;
    };
    await expect.poll(unfinished, { timeout: 60_000, interval: 500 }).toEqual([]);
    const quotes = await Promise.all(made.map((id) => status(id)));
    for (const { status, rates } of quotes) {
      expect(status).toBe('complete');
      expect(rates).toMatchObject([{ status: 'success', premium: '1843.50', carrier: 'Lantern Mutual' }]);
    }
    expect((await next.stop()).code).toBe(0);
    // Interrupted calls were repeated, and no others.
    const calls = [...carrier.asked.values()];
    expect(calls.length).toBe(made.length);
    expect(Math.max(...calls)).toBeLessThanOrEqual(3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
