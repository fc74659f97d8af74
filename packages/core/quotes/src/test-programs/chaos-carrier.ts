import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openLedger } from '../carriers/sandbox/ledger.ts';

const WORK_MS = 700;

/**
 * Answers later over HTTP and requires a token. Refuses some requests, breaks connections before and after its work, and repeats its
 * work.
 */
export async function createChaosCarrier({
  key,
  ledger: path,
  random,
}: {
  readonly key: string;
  readonly ledger: string;
  readonly random: () => number;
}): Promise<{ readonly url: string } & AsyncDisposable> {
  const ledger = openLedger(path);
  const jobs = new Map<string, { readonly doneAt: number; readonly number: string }>();
  const token = randomUUID();

  const accept = async (request: IncomingMessage, response: ServerResponse) => {
    const draw = random();
    if (draw < 0.02) return void response.writeHead(503, { 'retry-after': '1' }).end();
    if (draw < 0.05) return void request.socket.destroy();
    const body = JSON.parse(await text(request)) as { readonly rate: string; readonly form: string };
    const job = randomUUID();
    jobs.set(job, { doneAt: performance.now() + WORK_MS, number: `HTTP-${job.slice(0, 8)}` });
    await ledger.append({
      at: new Date().toISOString(),
      call: 'accepted',
      carrier_key: key,
      rate_id: body.rate,
      idempotency_key: String(request.headers['idempotency-key']),
      form_type: body.form,
      answer: draw < 0.1 ? 'broken_off' : 'sent',
    });
    if (draw < 0.08) return void request.socket.destroy();
    if (draw < 0.1) return void response.writeHead(500).end();
    response.writeHead(202, { location: `/jobs/${job}` }).end();
  };
  const answerPoll = (request: IncomingMessage, response: ServerResponse) => {
    const draw = random();
    if (draw < 0.05) return void request.socket.destroy();
    if (draw < 0.1) return void response.writeHead(500).end();
    const job = jobs.get(request.url!.slice('/jobs/'.length));
    if (job === undefined) return void response.writeHead(404).end();
    const isDone = performance.now() >= job.doneAt;
    const answer = isDone ? { state: 'done', premium: '1843.50', number: job.number } : { state: 'working' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  };
  const server = createServer((request, response) => {
    if (request.url === '/token') {
      const granted = { access_token: token, token_type: 'Bearer', expires_in: 3600 };
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(granted));
    }
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    if (request.method === 'POST') void accept(request, response).catch(() => response.destroy());
    else answerPoll(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
