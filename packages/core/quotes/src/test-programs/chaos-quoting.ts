import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isUnavailable } from '@leeward/database';
import { sql } from 'kysely';
import type { LedgerEntry } from '../carriers/sandbox/ledger.ts';
import { eventId } from '../present/event.ts';
import { createPQueueBackend } from '../queues/p-queue.ts';
import { createQuotes } from '../service/create-quotes.ts';
import { quoteMigrations } from '../store/migrations.ts';
import { exampleBody } from '../testing/example-request.ts';
import { forgetRedis } from '../testing/forget-redis.ts';
import { teamsFor } from '../testing/teams-for.ts';
import type { BackendUnderChaos } from './chaos-backends.ts';
import { createChaosCarrier } from './chaos-carrier.ts';
import { createChaosReceiver, type ReceivedEvent } from './chaos-receiver.ts';
import { type ChaosSettings, chaosCarriers, httpCarrierKey } from './chaos-settings.ts';
import { holdFile } from './hold-file.ts';
import { createTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export interface ChaosOutcome {
  readonly rates: readonly { id: string; carrierKey: string; status: string; outcome: string | null; ends: number }[];
  readonly ledger: readonly LedgerEntry[];
  readonly counts: { processing: number; success: number; error: number };
  readonly received: readonly ReceivedEvent[];
  readonly refused: Readonly<Record<string, number>>;
}

export interface WrittenEvent {
  readonly id: string;
  readonly type: string;
  readonly rateId: string | null;
  readonly outcome: string | null;
}

export type ChaosQuoting = Awaited<ReturnType<typeof createChaosQuoting>>;

/** Quotes over one queue with interruptible services, an HTTP carrier and a webhook endpoint. Workers use the returned settings. */
export async function createChaosQuoting(
  under: Omit<BackendUnderChaos, 'skip'>,
  httpCarrierModule: string,
  random: () => number,
) {
  const { backend, engine } = under;
  await using open = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'leeward-chaos-'));
  open.defer(() => rm(folder, { recursive: true, force: true }));
  const ledger = join(folder, 'calls.ndjson');
  const place = open.use(await engine.createPlace());
  const database = await place.open({ migrations: [quoteMigrations] });
  const queueName = `leeward_chaos_${process.pid}_${Math.floor(random() * 1e9)}`;
  open.defer(async () => {
    if (backend === 'pg-boss') await sql`drop schema if exists ${sql.id(queueName)} cascade`.execute(database.tables());
    if (backend === 'bullmq') await forgetRedis(under.redisUrl, queueName);
  });
  const postgres = open.use(await proxyFor(place.url));
  const redis = open.use(await proxyFor(backend === 'bullmq' ? under.redisUrl : 'sqlite:'));
  const carrier = open.use(await createChaosCarrier({ key: httpCarrierKey, ledger, random }));
  const settings: ChaosSettings = {
    ...{ backend, queueName, ledger, databaseUrl: postgres.url, redisUrl: redis.url },
    overHttp: { module: httpCarrierModule, url: carrier.url },
  };
  const carriers = await chaosCarriers(settings);
  const receiver = open.use(await createChaosReceiver(random));
  const creator = createQuotes({
    ...{ database, carriers, queue: createPQueueBackend(), teams: teamsFor(carriers) },
    allowPrivateWebhooks: true,
  });
  open.defer(() => creator.stop());
  const { secret } = await creator.webhooks.create('team-1', { url: receiver.url });
  receiver.verifyWith(secret);
  const owned = open.move();
  return {
    backend,
    settings,
    receiver,
    async createQuote(): Promise<string> {
      const quote = await patiently(() => creator.create('team-1', { ...exampleBody, form_types: ['ho3', 'ho5'] }));
      return quote.quote_request_id;
    },
    async unfinished(): Promise<number> {
      const { rows } = await sql<{
        count: number;
      }>`select count(*) as count from quote_rate where finished_at is null`.execute(database.tables());
      return rows[0]!.count;
    },
    async outage(durationMs: number): Promise<void> {
      await Promise.all([
        outage(postgres.proxy, durationMs),
        outage(redis.proxy, durationMs, () => forgetRedis(under.redisUrl, queueName)),
        place.file === undefined ? undefined : lockFile(place.file, durationMs),
      ]);
    },
    events: () => readEvents(database),
    async outcome(): Promise<ChaosOutcome> {
      return {
        ...(await readOutcome(database)),
        ledger: await readLedger(ledger),
        counts: await sumCounts(creator, database),
        received: receiver.received,
        refused: receiver.refused,
      };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function outage(
  proxy: TcpProxy | undefined,
  durationMs: number,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  if (proxy === undefined) return;
  await proxy.cut();
  await meanwhile();
  await sleep(durationMs);
  await proxy.restore();
}

async function lockFile(file: string, durationMs: number): Promise<void> {
  const release = await holdFile(file);
  await sleep(durationMs);
  release();
}

async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await sleep(100);
    }
  }
}

async function proxyFor(url: string): Promise<{ url: string; proxy: TcpProxy | undefined } & AsyncDisposable> {
  if (url.startsWith('sqlite:')) return { url, proxy: undefined, async [Symbol.asyncDispose]() {} };
  const target = new URL(url);
  const proxy = await createTcpProxy({
    host: target.hostname,
    port: Number(target.port || (target.protocol === 'redis:' ? 6379 : 5432)),
  });
  target.host = `127.0.0.1:${proxy.port}`;
  return { url: target.href, proxy, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
}

async function readOutcome(database: Database): Promise<Pick<ChaosOutcome, 'rates'>> {
  const { rows } = await sql<{ id: string; carrier_key: string; status: string; outcome: string | null; ends: number }>`
    select id, carrier_key, status, outcome,
      (select count(*) from quote_rate_event where rate_id = quote_rate.id and to_status in ('success', 'error')) as ends
    from quote_rate`.execute(database.tables());
  return { rates: rows.map(({ carrier_key: carrierKey, ...row }) => ({ ...row, carrierKey })) };
}

async function readEvents(database: Database): Promise<WrittenEvent[]> {
  const { rows } = await sql<{
    quote_id: string;
    number: number;
    type: string;
    rate_id: string | null;
    outcome: string | null;
  }>`select quote_id, number, type, rate_id, outcome from quote_event order by quote_id, number`.execute(
    database.tables(),
  );
  return rows.map(({ quote_id: quoteId, number, type, rate_id: rateId, outcome }) => ({
    ...{ id: eventId({ quoteId, number }), type, rateId, outcome },
  }));
}

async function sumCounts(
  quotes: Pick<ReturnType<typeof createQuotes>, 'status'>,
  database: Database,
): Promise<ChaosOutcome['counts']> {
  const { rows } = await sql<{ id: string }>`select id from quote_request`.execute(database.tables());
  const sum = { processing: 0, success: 0, error: 0 };
  for (const { id } of rows) {
    const status = await quotes.status('team-1', id);
    for (const key of ['processing', 'success', 'error'] as const) sum[key] += status!.counts[key];
  }
  return sum;
}

async function readLedger(path: string): Promise<LedgerEntry[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LedgerEntry);
}
