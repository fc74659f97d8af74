/** Works on quotes until it is stopped, killed or paused. Argument: settings as JSON. */
import { openDatabase } from '@leeward/database';
import { createQuotes } from '../create-quotes.ts';
import type { QueueBackend } from '../ports/queue-backend.ts';
import { quoteMigrations } from '../store/migrations.ts';
import { teamsFor } from '../testing/teams-for.ts';
import { type ChaosSettings, chaosCarriers, leaseMarginMs, redispatchMs } from './chaos-settings.ts';

const settings = JSON.parse(process.argv[2] ?? '{}') as ChaosSettings;
const { backend, databaseUrl, redisUrl, queueName, clockOffsetMs } = settings;
if (clockOffsetMs !== 0) {
  const real = Date.now;
  Date.now = () => real() + clockOffsetMs;
}

async function openQueue(): Promise<QueueBackend> {
  switch (backend) {
    case 'p-queue':
      return (await import('../queues/p-queue.ts')).createPQueueBackend();
    case 'bullmq':
      return (await import('../queues/bullmq.ts')).createBullMqBackend({ url: redisUrl, prefix: queueName });
    case 'pg-boss':
      return (await import('../queues/pg-boss.ts')).createPgBossBackend({
        url: databaseUrl,
        schema: queueName,
        poolSize: 4,
      });
  }
}

/** A process manager would start it again: while a service is away it cannot begin. */
async function untilUp<Result>(open: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await open();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

const database = await untilUp(() =>
  openDatabase(databaseUrl, { migrations: [quoteMigrations], poolSize: 5, connectTimeoutMs: 3000 }),
);
const queue = await untilUp(openQueue);
const carriers = chaosCarriers(settings.ledger);
const quotes = createQuotes({
  database,
  carriers,
  queue,
  teams: teamsFor(carriers),
  leaseMarginMs,
  redispatchMs,
  sweepIntervalMs: 250,
  listener(event) {
    if (process.env.LEEWARD_CHAOS_VERBOSE === '1' && event.type === 'trouble')
      console.error(process.pid, event.where, String(event.error));
  },
});
await untilUp(() => quotes.start());
process.stdout.write('working\n');
process.once('SIGTERM', async () => {
  await quotes.stop({ graceMs: 3000 });
  await database.close();
  process.exit(0);
});
