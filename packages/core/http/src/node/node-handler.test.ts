import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createNodeHandler } from './node-handler.ts';

const handler = createNodeHandler(sampleService());
let server: Server | undefined;
afterEach(() => server?.close());

/** Reads the body first, as a host's parser does. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function listen(listener: typeof handler): Promise<string> {
  server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function underwrite(url: string, body = '{"state": "tx", "policy_type": "ho3"}') {
  const headers = { authorization: `Bearer ${tokens.acme}`, 'content-type': 'application/json', connection: 'close' };
  const response = await fetch(`${url}/v1/underwrite/home`, { method: 'POST', headers, body });
  return { status: response.status, json: (await response.json()) as { home: object; code: string } };
}

describe('createNodeHandler', () => {
  it('serves node:http and leaves the global objects alone', async () => {
    const before = [globalThis.Request, globalThis.Response];
    const { status, json } = await underwrite(await listen(handler));
    expect(status).toBe(200);
    expect(json.home).toEqual({ state: 'tx', policy_type: 'ho3' });
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });

  it.each([
    [100_000, 'gzip, br', 'gzip'],
    [100_000, 'gzip;q=0', undefined],
    [100_000, '', undefined],
    [100, 'gzip', undefined],
  ])('sends %i characters to a client that accepts "%s" as %s', async (length, accepted, encoding) => {
    const text = JSON.stringify('ü'.repeat(length));
    const answer = { status: 200, headers: { 'content-type': 'application/json' }, text };
    const url = await listen(createNodeHandler({ answer: () => Promise.resolve(answer) }));
    const [response] = (await once(
      send(url, { headers: { 'accept-encoding': accepted, connection: 'close' } }).end(),
      'response',
    )) as [IncomingMessage];
    const body = await bodyOf(response);
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(Number(response.headers['content-length'])).toBe(body.byteLength);
    expect((encoding ? gunzipSync(body) : body).toString()).toBe(text);
  });

  it('takes the raw body where a parser kept it', async () => {
    const url = await listen(async (request, response) => {
      Object.assign(request, { rawBody: await bodyOf(request), body: {} });
      await handler(request, response);
    });
    expect(await underwrite(url)).toMatchObject({ status: 200, json: { home: { state: 'tx' } } });
    expect(await underwrite(url, '{')).toMatchObject({ status: 400, json: { code: 'malformed_json' } });
  });

  it('writes a parsed body back where the parser kept nothing else', async () => {
    const url = await listen(async (request, response) => {
      Object.assign(request, { body: JSON.parse((await bodyOf(request)).toString()) });
      await handler(request, response);
    });
    expect(await underwrite(url)).toMatchObject({ status: 200, json: { home: { state: 'tx', policy_type: 'ho3' } } });
  });

  it.each([
    ['text', (bytes: Buffer) => bytes.toString()],
    ['bytes', (bytes: Buffer) => bytes],
  ])('takes a body that a parser left as %s', async (_, left) => {
    const url = await listen(async (request, response) => {
      Object.assign(request, { body: left(await bodyOf(request)) });
      await handler(request, response);
    });
    expect(await underwrite(url)).toMatchObject({ status: 200, json: { home: { state: 'tx' } } });
  });

  it('holds a parsed body to the same limit', async () => {
    const url = await listen(async (request, response) => {
      await bodyOf(request);
      Object.assign(request, { rawBody: Buffer.alloc(300 * 1024) });
      await handler(request, response);
    });
    expect(await underwrite(url)).toMatchObject({ status: 413 });
  });

  it('answers HEAD without a body, and with its length', async () => {
    const url = await listen(handler);
    const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => fetch(`${url}/healthz`, { method })));
    expect(head?.headers.get('content-length')).toBe(get?.headers.get('content-length'));
    expect([(await get?.text())?.length, await head?.text()]).toEqual([15, '']);
  });

  it('ignores a request that the host has answered meanwhile', async () => {
    const url = await listen(async (request, response) => {
      response.writeHead(202).end('taken care of');
      await handler(request, response);
    });
    const response = await fetch(`${url}/healthz`);
    expect([response.status, await response.text()]).toEqual([202, 'taken care of']);
  });

  it('gives operations a web request, and aborts them when the caller goes', async () => {
    const { promise: seen, resolve: see } = Promise.withResolvers<Request>();
    const { promise: gone, resolve: go } = Promise.withResolvers<void>();
    const leeward = sampleService({
      routes: [
        {
          name: 'slow',
          description: 'Slow.',
          operations: [
            {
              method: 'get',
              path: '/slow/{thing}',
              operationId: 'slow',
              tag: 'slow',
              summary: 'Waits',
              access: 'anyone',
              answers: {},
              async handle({ request, signal }) {
                signal.addEventListener('abort', () => go());
                see(request);
                await gone;
                throw new Error('nobody hears of this');
              },
            },
          ],
        },
      ],
    });
    const url = await listen(createNodeHandler(leeward));
    const caller = new AbortController();
    const answer = fetch(`${url}/slow/a%20b?c=d`, { headers: { 'x-note': 'e' }, signal: caller.signal }).catch(
      () => {},
    );
    const request = await seen;
    expect(request).toMatchObject({ method: 'GET', url: `${url}/slow/a%20b?c=d` });
    expect(request.headers.get('x-note')).toBe('e');
    caller.abort();
    await Promise.all([gone, answer]);
  });

  it('does not wait for ever for a body that breaks off', async () => {
    let inFlight = 0;
    const observer = () => {
      inFlight++;
      return () => inFlight--;
    };
    const url = await listen(createNodeHandler(sampleService({ observers: [observer] })));
    const { port } = new URL(url);
    const head = `POST /v1/underwrite/home HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tokens.acme}\r\ncontent-type: application/json\r\n`;
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${head}content-length: 100\r\n\r\n{"state":`);
    await expect.poll(() => inFlight).toBe(1);
    socket.destroy();
    await expect.poll(() => inFlight).toBe(0);
  });

  it.each([
    ['that is declared', 10_000_000, false],
    ['that is declared, and longer than anything', 20_000_000, false],
    ['that comes in chunks', 10_000_000, true],
  ])(
    'answers who sends a body that is too large, %s, before its connection is closed',
    async (_, length, isChunked) => {
      const url = await listen(handler);
      const authorization = `Bearer ${tokens.acme}`;
      const headers = { authorization, 'content-type': 'application/json' };
      const bytes = new Uint8Array(length).fill(120);
      // Over and over: what is lost with a reset is lost now and then.
      for (let time = 0; time < testVolume(2); time++) {
        const init = { method: 'POST', headers, body: isChunked ? new Blob([bytes]).stream() : bytes, duplex: 'half' };
        const response = await fetch(`${url}/v1/underwrite/home`, init as RequestInit);
        expect(response.status).toBe(413);
        expect(await response.json()).toMatchObject({ code: 'body_too_large' });
        expect((await underwrite(url)).status).toBe(200);
      }
    },
  );

  it('answers who writes all of a large body before reading anything', async () => {
    const url = await listen(handler);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const length = 10_000_000;
    const head = `POST /v1/underwrite/home HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${tokens.acme}\r\ncontent-type: application/json\r\nconnection: close\r\n`;
    socket.pause();
    socket.write(`${head}content-length: ${length}\r\n\r\n`);
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.write('x'.repeat(length), () => resolve());
    });
    let answer = '';
    for await (const text of socket) answer += text;
    expect(answer).toContain('HTTP/1.1 413');
  });

  it('drains at most a megabyte of an unread body', async () => {
    const url = await listen(handler);
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /v1/underwrite/home HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let sent = 0;
    while (!socket.destroyed && sent < 1_000) {
      sent++;
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
    }
    expect(answer).toContain('HTTP/1.1 401');
    expect(sent).toBeLessThan(200);
  });

  it('refuses a chunked body that is too long while it comes', async () => {
    const url = await listen(handler);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${tokens.acme}`,
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      };
      const request = send(`${url}/v1/underwrite/home`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
        request.destroy();
      });
      request.on('error', reject);
      for (let chunk = 0; chunk < 10; chunk++) request.write('x'.repeat(64 * 1024));
    });
    expect(status).toBe(413);
  });
});
