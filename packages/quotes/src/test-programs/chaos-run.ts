import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isUnavailable } from '@leeward/database';
import type { TestEngine } from '@leeward/database/testing';
import { sql } from 'kysely';
import type { LedgerEntry } from '../carriers/sandbox/ledger.ts';
import { createQuotes } from '../create-quotes.ts';
import { eventId } from '../present/event.ts';
import { createPQueueBackend } from '../queues/p-queue.ts';
import { quoteMigrations } from '../store/migrations.ts';
import { exampleBody } from '../testing/example-request.ts';
import { forgetRedis } from '../testing/forget-redis.ts';
import { teamsFor } from '../testing/teams-for.ts';
import { createChaosCarrier } from './chaos-carrier.ts';
import { createFleet } from './chaos-fleet.ts';
import { createFollowers, type Followed } from './chaos-followers.ts';
import { createChaosReceiver, type ReceiverMood, type ToldEvent } from './chaos-receiver.ts';
import {
  type ChaosBackend,
  type ChaosSettings,
  chaosCarriers,
  deadlineMs,
  httpCarrierKey,
  leaseMarginMs,
  redispatchMs,
} from './chaos-settings.ts';
import { holdFile } from './hold-file.ts';
import { createTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export interface ChaosOptions {
  readonly backend: ChaosBackend;
  readonly engine: TestEngine;
  readonly redisUrl: string;
  readonly rates: number;
  /** How long the services, and the endpoint of webhooks, are taken away, once each. */
  readonly outageMs: number;
  readonly random: () => number;
}

/** What a run has come to, to be judged by whoever asked for it. */
export interface ChaosResult {
  readonly kills: number;
  readonly pauses: number;
  readonly outages: number;
  /** Workers that ended by themselves. */
  readonly crashes: number;
  readonly rates: readonly { id: string; carrierKey: string; status: string; outcome: string | null; ends: number }[];
  readonly ledger: readonly LedgerEntry[];
  readonly counts: { processing: number; success: number; error: number };
  /** What happened, as it is written beside the rates. */
  readonly events: readonly { id: string; type: string; rateId: string | null; outcome: string | null }[];
  /** What the endpoint of webhooks took, and what it did instead of taking. */
  readonly told: readonly ToldEvent[];
  readonly refused: Readonly<Record<string, number>>;
  readonly followed: readonly Followed[];
  /** From the last end of a rate until the endpoint had been told everything. */
  readonly tellingMs: number;
  /** From the last disturbance to the last end. */
  readonly recoveryMs: number;
  readonly tookMs: number;
}

/** Of five carriers, for two form types. */
export const ratesAQuote = 10;
const moods: readonly ReceiverMood[] = ['failing', 'redirecting', 'slow', 'breaking_off', 'well'];
/** Quotes keep coming for so long, so that there is something to disturb. */
const askingMs = (rates: number) => Math.max(2500, 20 * rates);

/**
 * Quotes over three worker processes, while they are killed and paused and their services taken away; the endpoint that is
 * told of them is as unreliable, and every quote is followed.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { backend, engine, rates, random } = options;
  const folder = await mkdtemp(join(tmpdir(), 'leeward-chaos-'));
  const ledgerPath = join(folder, 'calls.ndjson');
  await using place = await engine.createPlace();
  const database = await place.open({ migrations: [quoteMigrations] });
  const queueName = `leeward_chaos_${process.pid}_${Math.floor(random() * 1e9)}`;
  await using postgres = await proxyFor(place.url);
  await using redis = await proxyFor(backend === 'bullmq' ? options.redisUrl : 'sqlite:');
  await using carrier = await createChaosCarrier({ key: httpCarrierKey, ledger: ledgerPath, random });
  const settings: Omit<ChaosSettings, 'clockOffsetMs'> = {
    backend,
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    queueName,
    ledger: ledgerPath,
    carrierUrl: carrier.url,
  };
  const fleet = createFleet(settings);
  const carriers = chaosCarriers(settings);
  await using receiver = await createChaosReceiver(random);
  await using followers = createFollowers(fleet.doors, random);
  const asking = createQuotes({
    allowPrivateWebhooks: true,
    database,
    carriers,
    queue: createPQueueBackend(),
    teams: teamsFor(carriers),
    redispatchMs,
  });
  const start = performance.now();
  let disturbedAt = start;
  let [kills, pauses, outages] = [0, 0, 0];
  try {
    const { secret } = await asking.webhooks.create('team-1', { url: receiver.url });
    receiver.verifyWith(secret);
    await fleet.started();
    const quoteCount = Math.ceil(rates / ratesAQuote);
    let allMade = false;
    const made = (async () => {
      for (let index = 0; index < quoteCount; index++) {
        const made = await patiently(() => asking.create('team-1', { ...exampleBody, form_types: ['ho3', 'ho5'] }));
        followers.add(made.quote_request_id);
        await sleep(askingMs(rates) / quoteCount);
      }
      allMade = true;
    })();
    const unfinished = async () => {
      const { rows } = await sql<{
        count: number;
      }>`select count(*) as count from quote_rate where finished_at is null`.execute(database.tables());
      return rows[0]!.count;
    };
    await sleep(500);
    // One of each at least, and more as long as there is something to disturb.
    for (let turn = 0; turn < 3 || !allMade || (await unfinished()) > rates / 5; turn++) {
      receiver.be(moods[turn % moods.length]!);
      const which = turn < 3 ? turn : Math.floor(random() * 2.4);
      if (which === 0) {
        kills++;
        await fleet.kill(random);
      } else if (which === 1) {
        pauses++;
        // Longer than a lease: another takes over, and then it comes back.
        await fleet.pause(random, deadlineMs + leaseMarginMs + 500 + random() * 500);
      } else {
        outages++;
        const durationMs = turn === 2 ? options.outageMs : Math.min(options.outageMs, 2000);
        await Promise.all([
          outage(postgres.proxy, durationMs),
          outage(redis.proxy, durationMs, () => forgetRedis(options.redisUrl, queueName)),
          place.file === undefined ? undefined : lockFile(place.file, durationMs),
          turn === 2 ? receiver.away(durationMs) : undefined,
        ]);
      }
      disturbedAt = performance.now();
      await sleep(200 + random() * 400);
    }
    await made;
    const patience = performance.now() + 120_000;
    while ((await unfinished()) > 0) {
      if (performance.now() > patience) break;
      await sleep(50);
    }
    const endedAt = performance.now();
    receiver.be('well');
    const followed = await followers.ended(60_000);
    const events = await readEvents(database);
    const untold = () => {
      const told = new Set(receiver.told.map(({ id }) => id));
      return events.some(({ id }) => !told.has(id));
    };
    const tellingPatience = performance.now() + 60_000 + 4 * options.outageMs;
    while (untold() && performance.now() < tellingPatience) await sleep(50);
    const toldAt = performance.now();
    // Whoever was late has written by now, if it could.
    await sleep(deadlineMs + leaseMarginMs);
    return {
      kills,
      pauses,
      outages,
      crashes: fleet.crashes(),
      ...(await readOutcome(database)),
      ledger: await readLedger(ledgerPath),
      counts: await sumCounts(asking, database),
      ...{ events, followed, told: receiver.told, refused: receiver.refused, tellingMs: toldAt - endedAt },
      recoveryMs: endedAt - disturbedAt,
      tookMs: endedAt - start,
    };
  } finally {
    await fleet.stop();
    await asking.stop();
    if (backend === 'pg-boss') await sql`drop schema if exists ${sql.id(queueName)} cascade`.execute(database.tables());
    if (backend === 'bullmq') await forgetRedis(options.redisUrl, queueName);
    await rm(folder, { recursive: true, force: true });
  }
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

/** A file is away when another process holds it: nobody can write. */
async function lockFile(file: string, durationMs: number): Promise<void> {
  const release = await holdFile(file);
  await sleep(durationMs);
  release();
}

/** As a caller does who was told to come back later. */
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

/** A URL that goes through a proxy; a file needs none. */
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

async function readOutcome(database: Database): Promise<Pick<ChaosResult, 'rates'>> {
  const { rows } = await sql<{ id: string; carrier_key: string; status: string; outcome: string | null; ends: number }>`
    select id, carrier_key, status, outcome,
      (select count(*) from quote_rate_event where rate_id = quote_rate.id and to_status in ('success', 'error')) as ends
    from quote_rate`.execute(database.tables());
  return { rates: rows.map(({ carrier_key: carrierKey, ...row }) => ({ ...row, carrierKey })) };
}

async function readEvents(database: Database): Promise<ChaosResult['events']> {
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
): Promise<ChaosResult['counts']> {
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
