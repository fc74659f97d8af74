import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { problemOf, sampleService } from '../../../../../test/support/sample-service.ts';
import { createContentText } from '../document/content-text.ts';
import { checkBody } from '../request/check-body.ts';
import type { OpenOperation } from './operation.ts';

const greeting = z.object({ name: z.string() });
const greet: OpenOperation = {
  ...{ method: 'post', path: '/greet', operationId: 'greet', tag: 'test', access: 'anyone', summary: 'Greet' },
  requestBody: createContentText('GreetBody', greeting, 'input'),
  answers: { 200: { description: 'A greeting.', content: 'text/plain' } },
  handle: ({ json }) => ({ status: 200, text: checkBody(greeting, json).name, contentType: 'text/plain' }),
};

function service(options: Parameters<typeof sampleService>[0] = {}) {
  const routes = [{ name: 'test', description: 'Greetings.', operations: [greet] }];
  const leeward = sampleService({ routes, ...options });
  const send = (body: RequestInit['body'], type = 'application/json') => {
    const init = { method: 'POST', headers: { 'content-type': type }, body, duplex: 'half' } as RequestInit;
    const bindings = { incoming: { socket: { remoteAddress: '203.0.113.9' } } };
    return leeward.fetch(new Request('http://leeward.test/greet', init), bindings);
  };
  return { leeward, send };
}

describe('an operation for anyone with a body', () => {
  it('reads JSON without a token', async () => {
    expect(await (await service().send('{"name": "Ana"}')).text()).toBe('Ana');
  });

  it.each([
    ['another media type', '{"name": "Ana"}', 'text/plain', 415],
    ['more than 16 KiB', JSON.stringify({ name: 'a'.repeat(16_384) }), 'application/json', 413],
    ['text that is not JSON', '{', 'application/json', 400],
    ['no body', '', 'application/json', 400],
    ['faults', '{}', 'application/json', 422],
  ])('refuses %s', async (_, body, type, status) => {
    expect((await service().send(body, type)).status).toBe(status);
  });

  it('counts the address before it reads the body', async () => {
    const { send } = service({ addressRateLimit: { perMinute: 1, burst: 1 } });
    expect((await send('{"name": "Ana"}')).status).toBe(200);
    const endless = new ReadableStream({ pull: () => new Promise(() => {}) });
    expect((await send(endless)).status).toBe(429);
  });

  it('ends with the deadline if the body does not arrive, and frees its place', async () => {
    const { send } = service({ requestTimeoutMs: 100, overload: { maxInFlight: 1 } });
    const endless = () => new ReadableStream({ pull: () => new Promise(() => {}) });
    const [late, busy] = await Promise.all([send(endless()), send(endless())]);
    expect(await problemOf(late)).toMatchObject({ status: 408, code: 'request_timeout' });
    expect(busy.status).toBe(503);
    expect((await send('{"name": "Ana"}')).status).toBe(200);
  });

  it('has its body and the problems of bodies in the document', () => {
    const document = service().leeward.document() as unknown as {
      paths: Record<string, { post: { requestBody: object; responses: object; security: unknown[] } }>;
    };
    const { requestBody, responses, security } = document.paths['/greet']!.post;
    expect(security).toEqual([]);
    expect(requestBody).toMatchObject({ required: true, content: { 'application/json': {} } });
    expect(Object.keys(responses)).toEqual(['200', '400', '408', '413', '415', '422', '429', '500', '503']);
  });
});
