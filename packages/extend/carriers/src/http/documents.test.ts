import { CarrierFault } from '@leeward/quotes';
import { exampleBody } from '@leeward/quotes/testing';
import { describe, expect, it } from 'vitest';
import { exampleCarrier } from '../testing/example-carrier.ts';
import { createBench, engines } from '../testing/quoting-bench.ts';
import { createTestServer, sendJson, type TestServer } from '../testing/test-server.ts';
import { checkHttpCarrier } from './check-http-carrier.ts';
import { createHttpCarrier } from './http-carrier.ts';

const secrets = (name: string) => `the ${name}`;
const oauth = (url: string) => ({
  type: 'oauth2_client_credentials',
  token_url: `${url}/token`,
  client_id: 'me',
  client_secret: '$' + '{CARRIER_SECRET}',
});

/** Requires its newest token for documents. */
async function withPapers(papers: (url: string) => readonly string[]) {
  let tokens = 0;
  const state = { revoked: false, headers: {} as Record<string, string>, status: 200 };
  const server = await createTestServer((sent, response) => {
    if (sent.url === '/token') {
      tokens++;
      state.revoked = false;
      return sendJson(response, 200, { access_token: `token-${tokens}`, token_type: 'Bearer', expires_in: 3600 });
    }
    if (sent.headers.authorization !== `Bearer token-${tokens}` || state.revoked) return sendJson(response, 401, {});
    if (sent.method === 'GET') {
      response.writeHead(state.status, { 'content-type': 'application/pdf', ...state.headers });
      return void response.end(`paper of ${sent.url}`);
    }
    sendJson(response, 200, {
      decision: 'approved',
      quote: { premium: '10.00' },
      papers: papers(server.url).map((href, index) => ({ label: `Paper ${index}`, href })),
    });
  });
  return { server, state };
}

function carrierOf(server: TestServer, documents: object) {
  const file = { ...exampleCarrier(server.url), auth: oauth(server.url), documents };
  const { carrier, faults } = checkHttpCarrier(file, { secrets });
  expect(faults).toEqual([]);
  return createHttpCarrier(carrier!, { secrets });
}

const context = { rateId: 'rate-1', signal: new AbortController().signal, beforeRequest: async () => {} };
const kept = (address: string) => ({ id: '1', title: 'Paper', mediaType: 'application/pdf', keep: { address } });
const codeOf = (opening: Promise<unknown>) =>
  opening.then(
    () => 'opened',
    (error: unknown) => (error instanceof CarrierFault ? error.code : String(error)),
  );
async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

describe('documents of an HTTP carrier that need credentials', () => {
  it('are fetched with its token, renewed if necessary, and their addresses stay private', async () => {
    const { server, state } = await withPapers((url) => [`${url}/papers/1`, '/papers/2']);
    await using _ = server;
    await using bench = await createBench(engines[0]!, [carrierOf(server, {})]);
    const { quote_request_id: id, rate_index } = await bench.quotes.create('team-1', {
      ...exampleBody,
      form_types: ['ho3'],
    });
    await bench.completed(id);
    const rate = rate_index[0]!.id;
    expect(JSON.stringify(await bench.quotes.rate('team-1', rate))).not.toContain('/papers/');
    for (const place of [1, 2]) {
      state.revoked = true;
      const document = (await bench.quotes.openDocument('team-1', rate, String(place)))!;
      expect(document.title).toBe(`Paper ${place - 1}`);
      expect(Buffer.from((await document.read())!).toString()).toBe(`paper of /papers/${place}`);
      expect(await document.read()).toBeUndefined();
    }
    expect(server.requests.at(-1)!.headers).toMatchObject({
      authorization: 'Bearer token-3',
      'accept-encoding': 'identity',
    });
  });

  it('are fetched only from origins of the file, without redirects', async () => {
    const { server, state } = await withPapers(() => []);
    const { server: other } = await withPapers(() => []);
    await using _ = server;
    await using __ = other;
    const carrier = carrierOf(server, {});
    const open = (address: string) => carrier.openDocument!(kept(address), context);
    const port = new URL(server.url).port;
    for (const address of [
      `${other.url}/1`,
      `//${new URL(other.url).host}/1`,
      `http://me:you@127.0.0.1:${port}/1`,
      `https://127.0.0.1:${port}/1`,
      'file:///etc/passwd',
      'http://[',
    ]) {
      expect(await codeOf(open(address)), address).toBe('document_elsewhere');
    }
    expect(other.requests).toEqual([]);
    expect(await textOf((await open('/1')).content)).toBe('paper of /1');
    state.status = 302;
    state.headers = { location: `${other.url}/1` };
    expect(await codeOf(open('/1'))).toBe('http_302');
    expect(other.requests).toEqual([]);
    state.status = 200;
    state.headers = { 'content-encoding': 'gzip' };
    expect(await codeOf(open('/1'))).toBe('encoded');
  });

  it('may be at other origins that the file names', async () => {
    const { server } = await withPapers(() => []);
    await using _ = server;
    await using other = await createTestServer((sent, response) => void response.end(sent.headers.authorization));
    const carrier = carrierOf(server, { origins: [other.url] });
    const opened = await carrier.openDocument!(kept(`${other.url}/1`), context);
    expect(await textOf(opened.content)).toBe('Bearer token-1');
  });

  it('require credentials and an answer with their addresses', () => {
    const { auth: __, ...nobody } = exampleCarrier('https://carrier.example');
    const codes = (file: object) => checkHttpCarrier(file, { secrets }).faults.map(({ path, code }) => [path, code]);
    expect(codes({ ...nobody, documents: {} })).toEqual([['/documents', 'no_credentials']]);
    const file: Record<string, unknown> = { ...exampleCarrier('https://carrier.example'), documents: {} };
    const { documents: ___, ...response } = file['response'] as Record<string, unknown>;
    expect(codes(file)).toEqual([]);
    expect(codes({ ...file, response })).toEqual([['/documents', 'no_documents']]);
  });
});
