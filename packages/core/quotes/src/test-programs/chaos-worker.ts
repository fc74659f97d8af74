import type { Database } from '@leeward/database';
import type { QueueBackend } from '../ports/queue-backend.ts';
import { createQuotes } from '../service/create-quotes.ts';
import type { Quotes } from '../service/quotes.ts';
import { teamsFor } from '../testing/teams-for.ts';
import { type ChaosSettings, chaosCarriers, LEASE_MARGIN_MS } from './chaos-settings.ts';

type QueueSettings = Pick<ChaosSettings, 'backend' | 'databaseUrl' | 'redisUrl' | 'queueName'>;

export async function openChaosQueue(settings: QueueSettings): Promise<QueueBackend> {
  const { backend, databaseUrl, redisUrl, queueName } = settings;
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

export async function createChaosWorker(
  settings: Pick<ChaosSettings, 'ledger' | 'overHttp'>,
  database: Database,
  queue: QueueBackend,
): Promise<Quotes> {
  const carriers = await chaosCarriers(settings);
  return createQuotes({
    database,
    carriers,
    queue,
    teams: teamsFor(carriers),
    leaseMarginMs: LEASE_MARGIN_MS,
    sweepIntervalMs: 250,
    allowPrivateWebhooks: true,
    listener(event) {
      if (process.env.LEEWARD_CHAOS_VERBOSE === '1' && event.type === 'failure')
        console.error(process.pid, event.where, String(event.error));
    },
  });
}
