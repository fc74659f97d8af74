/** Works on some queues and sends their events until stopped, killed or paused. Argument: settings as JSON. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '@leeward/database';
import { quoteMigrations } from '../store/migrations.ts';
import { HEARTBEAT_MS } from './chaos-followers.ts';
import type { ChaosOrders, ChaosSettings } from './chaos-settings.ts';
import { createChaosWorker, openChaosQueue } from './chaos-worker.ts';

const { queues, clockOffsetMs } = JSON.parse(process.argv[2] ?? '{}') as ChaosOrders;
if (clockOffsetMs !== 0) {
  const real = Date.now;
  Date.now = () => real() + clockOffsetMs;
}

async function untilUp<Result>(open: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await open();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function start(settings: ChaosSettings) {
  const database = await untilUp(() =>
    openDatabase(settings.databaseUrl, { migrations: [quoteMigrations], poolSize: 5, connectTimeoutMs: 3000 }),
  );
  const queue = await untilUp(() => openChaosQueue(settings));
  const quotes = await createChaosWorker(settings, database, queue);
  await untilUp(() => quotes.start());
  return { database, quotes };
}

const services = new Map(
  await Promise.all(queues.map(async (settings) => [settings.queueName, await start(settings)] as const)),
);

/** Events after a position, one per line; an empty line as heartbeat. */
async function sendEvents(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, queueName = '', quoteId = '', after] = /^\/(.+)\/(.+)\?after=(.*)$/.exec(request.url ?? '') ?? [];
  const events = await services.get(queueName)?.quotes.events('team-1', quoteId, { after });
  if (events === undefined) return void response.writeHead(404).end();
  const beat = setInterval(() => response.write('\n'), HEARTBEAT_MS);
  response.once('close', () => {
    clearInterval(beat);
    events.end();
  });
  for (let event = await events.next(); event !== undefined; event = await events.next()) {
    response.write(`${JSON.stringify(event)}\n`);
    if (event.message.type === 'quote.completed') break;
  }
  response.end();
}
const server = createServer((request, response) => void sendEvents(request, response).catch(() => response.destroy()));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`working ${(server.address() as AddressInfo).port}\n`);
process.once('SIGTERM', async () => {
  server.close();
  await Promise.all(
    [...services.values()].map(async ({ quotes, database }) => {
      await quotes.stop({ graceMs: 3000 });
      await database.close();
    }),
  );
  process.exit(0);
});
