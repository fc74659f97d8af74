import type { CarrierExchange } from '@leeward/quotes';
import { exampleBody, exampleCall, exampleRequest } from '@leeward/quotes/testing';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { exampleCarrier } from '../testing/example-carrier.ts';
import { createBench, engines } from '../testing/quoting-bench.ts';
import { createTestServer, sendJson } from '../testing/test-server.ts';
import { checkHttpCarrier } from './check-http-carrier.ts';
import { createHttpCarrier } from './http-carrier.ts';
import { type AnswerToReplay, replayHttpCarrier } from './replay.ts';

const quoted = { decision: 'APPROVED', quote: { id: 7, premium: '1843.50' } };
const described = (file: unknown, secrets: (name: string) => string | undefined) => {
  const { carrier, faults } = checkHttpCarrier(file, { secrets });
  expect(faults).toEqual([]);
  return carrier!;
};
const replayed = (exchange: CarrierExchange): AnswerToReplay => ({
  purpose: exchange.purpose as 'quote',
  url: exchange.url,
  status: exchange.status!,
  headers: exchange.answerHeaders!,
  body: exchange.answerBody!,
});

describe('exchanges of an HTTP carrier', () => {
  it('have every request of a call, and the result where it was read', async () => {
    let requests = 0;
    await using server = await createTestServer(({ url }, response) => {
      if (url === '/session') return sendJson(response, 200, { token: 'session-token-1' });
      if (url === '/jobs/1') return sendJson(response, 200, quoted);
      if (url.startsWith('/quotes/')) return sendJson(response, 404, {});
      requests++;
      if (requests === 1) return sendJson(response, 503, { message: 'busy' }, { 'retry-after': '1' });
      return sendJson(response, 202, {}, { location: '/jobs/1' });
    });
    const file = {
      ...exampleCarrier(server.url),
      steps: [
        {
          id: 'session',
          request: { method: 'POST', url: `${server.url}/session`, body: {} },
          take: { token: { path: '/token' } },
          idempotent: true,
          cache_seconds: 60,
        },
      ],
      job: { poll: {} },
    };
    const secrets = () => 'the-carrier-token';
    const carrier = described(file, secrets);
    const adapter = createHttpCarrier(carrier, { secrets });
    const exchanges: CarrierExchange[] = [];
    const context = { ...exampleCall, recordExchange: (each: CarrierExchange) => void exchanges.push(each) };
    await expect(adapter.quote(exampleRequest, context)).rejects.toThrow('503');
    const answer = await adapter.quote(exampleRequest, context);
    await adapter.lookup!(exampleRequest, context);
    await adapter.resume!(exampleRequest, { ...context, keep: answer.pending!.keep!, failures: 0 });
    expect(exchanges.map(({ purpose, status, reading }) => [purpose, status, reading])).toEqual([
      ['step', 200, undefined],
      ['quote', 503, { outcome: 'refused', code: 'http_503' }],
      ['quote', 202, { outcome: 'pending' }],
      ['lookup', 404, { outcome: 'absent' }],
      ['poll', 200, { outcome: 'quoted', premiumCents: 184_350n }],
    ]);
    const [, , third] = exchanges;
    expect(third).toMatchObject({ method: 'POST', url: `${server.url}/quotes?form=ho3` });
    expect(third?.requestHeaders).toMatchObject({ authorization: 'Bearer the-carrier-token' });
    expect(third?.secrets).toEqual(expect.arrayContaining(['the-carrier-token', 'session-token-1']));
    for (const exchange of exchanges.filter(({ purpose }) => purpose !== 'step')) {
      expect(replayHttpCarrier(carrier, replayed(exchange))).toEqual(exchange.reading);
    }
    const edited = { ...carrier, response: { ...carrier.response, premium: '/quote/id' } };
    expect(replayHttpCarrier(edited, replayed(exchanges.at(-1)!))).toEqual({ outcome: 'quoted', premiumCents: 700n });
    expect(replayHttpCarrier({ ...edited, statuses: { '202': 'declined' } }, replayed(third!))).toEqual({
      outcome: 'pending',
    });
  });

  it('have the failure of a lost answer, and are optional', async () => {
    await using server = await createTestServer((_, __, socket) => void socket.destroy());
    const secrets = () => 'the-carrier-token';
    const adapter = createHttpCarrier(described(exampleCarrier(server.url), secrets), { secrets });
    const exchanges: CarrierExchange[] = [];
    const recordExchange = (each: CarrierExchange) => void exchanges.push(each);
    await expect(adapter.quote(exampleRequest, { ...exampleCall, recordExchange })).rejects.toThrow('broke');
    expect(exchanges).toMatchObject([
      { status: undefined, failure: 'connection_lost', reading: { outcome: 'lost', code: 'connection_lost' } },
    ]);
    await expect(adapter.quote(exampleRequest, exampleCall)).rejects.toThrow('broke');
    expect(exchanges).toHaveLength(1);
  });
});

const printable = fc.string({
  minLength: 10,
  maxLength: 30,
  unit: fc.constantFrom(...'abcXYZ0189!"#$%&\'()*+,-./:;<=>?@[]^_{|}~'),
});
const kinds = ['bearer', 'basic', 'header', 'oauth2_client_credentials'] as const;

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`stored exchanges, on ${engine.title}`, () => {
    it.each(kinds)('contain no secret of a carrier with %s, even if the carrier repeats it', async (type) => {
      const [token, name, password, other] = fc.sample(printable, { numRuns: 4, seed: kinds.indexOf(type) + 1 });
      const values: Record<string, string> = { TOKEN: token!, NAME: name!, PASSWORD: password!, OTHER: other! };
      const secret = (key: string) => `\${${key}}`;
      await using server = await createTestServer(({ url, headers, body }, response) => {
        if (url === '/token') return sendJson(response, 200, { access_token: 'access-token-of-the-service' });
        if (url === '/session') return sendJson(response, 200, { ticket: 'ticket-of-the-session' });
        const echo = [
          url,
          ...Object.values(headers),
          body,
          decodeURIComponent(url),
          token,
          encodeURIComponent(password!),
        ];
        sendJson(response, 200, { ...quoted, echo });
      });
      const example = exampleCarrier(server.url);
      const auth = {
        bearer: { type, token: secret('TOKEN') },
        basic: { type, username: secret('NAME'), password: secret('PASSWORD') },
        header: { type, name: 'X-Own', value: `Own ${secret('TOKEN')}` },
        oauth2_client_credentials: {
          ...{ type, token_url: `${server.url}/token`, client_id: secret('NAME'), client_secret: secret('PASSWORD') },
        },
      }[type];
      const request = {
        ...(example['request'] as object),
        url: `${server.url}/quotes?account=${secret('OTHER').replace('OTHER', 'ACCOUNT')}`,
        headers: { 'X-Trace': secret('ACCOUNT'), 'X-Session': '{{steps.session.ticket}}' },
      };
      values['ACCOUNT'] = 'account-of-the-carrier';
      const steps = [
        {
          id: 'session',
          request: { method: 'POST', url: `${server.url}/session`, body: {} },
          take: { ticket: { path: '/ticket' } },
          idempotent: true,
          cache_seconds: 60,
        },
      ];
      const secrets = (key: string) => values[key];
      const adapter = createHttpCarrier(described({ ...example, auth, request, steps }, secrets), { secrets });
      await using bench = await createBench(engine, [adapter]);
      const { quote_request_id: id } = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
      const { rates } = await bench.completed(id);
      expect(rates[0]).toMatchObject({ outcome: 'quoted', premium: '1843.50' });
      const { exchanges } = await vi.waitFor(async () => {
        const page = await bench.quotes.exchanges({ rateId: rates[0]!.id, includeMessages: true });
        expect(page?.exchanges).toHaveLength(2);
        return page!;
      });
      // Without encryption, the database has the same text.
      const text = JSON.stringify(exchanges).replaceAll('\\"', '"').replaceAll('\\\\', '\\');
      expect(text).toContain('[redacted]');
      const named = {
        bearer: ['TOKEN'],
        basic: ['NAME', 'PASSWORD'],
        header: ['TOKEN'],
        oauth2_client_credentials: [],
      }[type];
      const hidden = [...named.map((key) => values[key]!), 'account-of-the-carrier', 'ticket-of-the-session'];
      if (type === 'basic') hidden.push(Buffer.from(`${name}:${password}`).toString('base64'));
      if (type === 'oauth2_client_credentials') hidden.push('access-token-of-the-service', password!);
      for (const value of hidden) {
        for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) {
          expect(text).not.toContain(form);
        }
      }
    });
  });
}
