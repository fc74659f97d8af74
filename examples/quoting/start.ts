// Quoting in your own server with a custom carrier adapter: plain node:http, SQLite, no external queue.
import type { AddressInfo } from 'node:net';
import { openDatabase } from '@leeward/database';
import { createKeyHolder, createLeeward } from '@leeward/http';
import { createNodeServer } from '@leeward/http/node';
import { createQuotes, quoteMigrations } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { createHarborLamp } from './harbor-lamp.ts';

const token = process.env['LEEWARD_KEY'] ?? '';
const carriers = [
  createHarborLamp({
    url: process.env['HARBOR_LAMP_URL'] ?? 'http://127.0.0.1:4010',
    secret: process.env['HARBOR_LAMP_SECRET'] ?? '',
  }),
];
const quotes = createQuotes({
  database: await openDatabase(process.env['DATABASE_URL'] ?? 'sqlite::memory:', { migrations: [quoteMigrations] }),
  queue: createPQueueBackend(),
  carriers,
  // Replace with your store of agencies and appointments.
  teams: {
    hasProducer: async (_, email) => email === 'agent@example.com',
    appointments: async () => carriers.map(({ key }) => ({ carrierKey: key })),
  },
});
await quotes.start();
const leeward = createLeeward({
  directory: createKeyHolder([{ token, scopes: ['quote'], organizationId: 'org_acme', teamId: 'team-1' }]),
  quoting: { quotes },
});
const server = createNodeServer(leeward);
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.log(`Listening at http://127.0.0.1:${(server.address() as AddressInfo).port}.`);
});
process.once('SIGTERM', async () => {
  server.close();
  await quotes.stop();
  process.exit(0);
});
