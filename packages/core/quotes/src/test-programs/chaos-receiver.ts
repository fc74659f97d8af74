import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

export type ReceiverMood = 'well' | 'failing' | 'redirecting' | 'slow' | 'breaking_off';

export interface ReceivedEvent {
  readonly id: string;
  readonly body: string;
  readonly isSigned: boolean;
}

/** An endpoint whose mood changes and that can be closed. */
export interface ChaosReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly ReceivedEvent[];
  readonly refused: Readonly<Record<string, number>>;
  verifyWith(secret: string): void;
  be(mood: ReceiverMood): void;
  away(durationMs: number): Promise<void>;
}

export async function createChaosReceiver(random: () => number): Promise<ChaosReceiver> {
  const received: ReceivedEvent[] = [];
  const refused: Record<string, number> = {};
  let mood: ReceiverMood = 'well';
  let webhook: Webhook | undefined;
  let redirected = 0;

  const isSigned = (body: string, headers: IncomingMessage['headers']) => {
    try {
      webhook?.verify(body, headers as Record<string, string>);
      return webhook !== undefined;
    } catch {
      return false;
    }
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (request.url !== '/hook') redirected++;
    const refuse = (status: number, headers = {}) => {
      refused[mood] = (refused[mood] ?? 0) + 1;
      response.writeHead(status, headers).end();
    };
    if (mood === 'failing') return refuse(500);
    if (mood === 'redirecting') return refuse(307, { location: '/elsewhere' });
    if (mood === 'slow') await sleep(300 + random() * 300);
    received.push({ id: String(request.headers['webhook-id']), body, isSigned: isSigned(body, request.headers) });
    if (mood === 'breaking_off' && random() < 0.5) return void response.destroy();
    response.writeHead(204).end();
  };
  const listen = async (port: number): Promise<Server> => {
    const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const close = async (server: Server) => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  let server: Server | undefined = await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    get refused() {
      return { ...refused, ...(redirected > 0 && { followed: redirected }) };
    },
    verifyWith(secret) {
      webhook = new Webhook(secret);
    },
    be(next) {
      mood = next;
    },
    async away(durationMs) {
      if (server === undefined) return;
      const open = server;
      server = undefined;
      await close(open);
      await sleep(durationMs);
      server = await listen(port);
    },
    async [Symbol.asyncDispose]() {
      if (server !== undefined) await close(server);
    },
  };
}
