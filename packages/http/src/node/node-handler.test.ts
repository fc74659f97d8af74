import { createServer, type IncomingMessage, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { sampleService, tokens } from '../testing/sample-service.ts';
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
