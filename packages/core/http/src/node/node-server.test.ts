import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { problemSchema } from '../problem/problem-document.ts';
import { createNodeServer } from './node-server.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(options: Parameters<typeof createNodeServer>[1] = {}): Promise<number> {
  const server = createNodeServer(sampleService(), options);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Sends raw bytes, and reads until the server closes. */
function send(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    socket.on('error', reject).on('close', () => resolve(text));
  });
}

function problemIn(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/^content-type: application\/problem\+json$/m);
  expect(head).toMatch(/^x-content-type-options: nosniff$/m);
  const problem = problemSchema.strict().parse(JSON.parse(body));
  expect(head).toContain(`x-request-id: ${problem.request_id}`);
  expect(Number(head.slice(9, 12))).toBe(problem.status);
  return problem;
}

describe('what Node would answer itself', () => {
  const post = 'POST /v1/underwrite/home HTTP/1.1\r\n';
  const close = 'connection: close\r\n';
  it.each([
    ['no HTTP', 'hello\r\n\r\n', 'malformed_request', 400],
    ['two lengths', `${post}host: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n`, 'malformed_request', 400],
    ['no Host', `${post}${close}\r\n`, 'malformed_request', 400],
    ['two Hosts', `${post}host: a.example\r\nhost: b.example\r\n${close}\r\n`, 'malformed_request', 400],
    ['the same Host twice', `${post}Host: a.example\r\nHOST: a.example\r\n${close}\r\n`, 'malformed_request', 400],
    ['a Host with a path', `${post}host: a.example/b\r\n${close}\r\n`, 'malformed_request', 400],
    ['a Host with a user', `${post}host: a@b.example\r\n${close}\r\n`, 'malformed_request', 400],
    ['an empty Host', `${post}host:\r\n${close}\r\n`, 'malformed_request', 400],
    ['a Host with a port of six digits', `${post}host: a.example:123456\r\n${close}\r\n`, 'malformed_request', 400],
    ['a Host with a port over 65535', `${post}host: a.example:65536\r\n${close}\r\n`, 'malformed_request', 400],
    [
      'two Hosts on a path that is not served',
      `GET /nowhere HTTP/1.1\r\nhost: a\r\nhost: b\r\n${close}\r\n`,
      'malformed_request',
      400,
    ],
    ['an expectation', `${post}host: x\r\n${close}expect: a-miracle\r\n\r\n`, 'expectation_failed', 417],
    ['large header fields', `${post}host: x\r\nx-large: ${'x'.repeat(40_000)}\r\n\r\n`, 'headers_too_large', 431],
    [
      'large chunk extensions',
      `${post}host: x\r\nauthorization: Bearer ${tokens.acme}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
      'body_too_large',
      413,
    ],
  ])('is a problem: %s', async (_, bytes, code, status) => {
    expect(problemIn(await send(await listen(), bytes))).toMatchObject({ code, status });
  });

  it('is a problem: a head that does not come to its end', async () => {
    const port = await listen({ headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 });
    expect(problemIn(await send(port, `${post}host: x\r\n`))).toMatchObject({ code: 'request_timeout', status: 408 });
  });

  it.each([
    'example.com',
    'EXAMPLE.com:443',
    '10.0.0.5:3000',
    '[::1]:3000',
    '[2001:db8::1]',
    'my_service:80',
    'a.example:',
  ])('takes the Host %s', async (host) => {
    const answer = await send(await listen(), `GET /healthz HTTP/1.1\r\nhost: ${host}\r\n${close}\r\n`);
    expect(answer).toContain('{"status":"ok"}');
  });

  it('goes on as before for what can be read', async () => {
    const port = await listen();
    const body = '{"state": "tx"}';
    const answer = await send(
      port,
      `${post}host: x\r\n${close}authorization: Bearer ${tokens.acme}\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    expect(await send(port, 'GET /healthz HTTP/1.0\r\n\r\n')).toContain('{"status":"ok"}');
  });
});
