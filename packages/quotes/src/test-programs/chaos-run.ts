import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Database, isUnavailable } from '@leeward/database';
import type { TestEngine } from '@leeward/database/testing';
import { sql } from 'kysely';
import type { LedgerEntry } from '../carriers/sandbox/ledger.ts';
import { createQuotes } from '../create-quotes.ts';
import { createPQueueBackend } from '../queues/p-queue.ts';
import { quoteMigrations } from '../store/migrations.ts';
import { exampleBody } from '../testing/example-request.ts';
import { forgetRedis } from '../testing/forget-redis.ts';
import { teamsFor } from '../testing/teams-for.ts';
import {
  type ChaosBackend,
  type ChaosSettings,
  chaosCarriers,
  deadlineMs,
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
  /** How long the services are taken away, once each. */
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
  /** From the last disturbance to the last end. */
  readonly recoveryMs: number;
  readonly tookMs: number;
}

const ratesAQuote = 6;
const workers = 3;
/** Quotes keep coming for so long, so that there is something to disturb. */
const askingMs = (rates: number) => Math.max(2500, 20 * rates);

/** Quotes over three worker processes, while they are killed and paused and their services taken away. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { backend, engine, rates, random } = options;
  const folder = await mkdtemp(join(tmpdir(), 'leeward-chaos-'));
  const ledgerPath = join(folder, 'calls.ndjson');
  await using place = await engine.createPlace();
  const database = await place.open({ migrations: [quoteMigrations] });
  const queueName = `leeward_chaos_${process.pid}_${Math.floor(random() * 1e9)}`;
  await using postgres = await proxyFor(place.url);
  await using redis = await proxyFor(backend === 'bullmq' ? options.redisUrl : 'sqlite:');
  const settings: Omit<ChaosSettings, 'clockOffsetMs'> = {
    backend,
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    queueName,
    ledger: ledgerPath,
  };
  const fleet = createFleet(settings);
  const carriers = chaosCarriers(ledgerPath);
  const asking = createQuotes({
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
    await fleet.started();
    const quoteCount = Math.ceil(rates / ratesAQuote);
    let allMade = false;
    const made = (async () => {
      for (let index = 0; index < quoteCount; index++) {
        await patiently(() => asking.create('team-1', { ...exampleBody, form_types: ['ho3', 'ho5'] }));
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

/** Worker processes, replaced when they die. Their clocks are right, two minutes ahead, and two minutes behind. */
function createFleet(settings: Omit<ChaosSettings, 'clockOffsetMs'>) {
  const program = fileURLToPath(new URL('./chaos-worker.program.ts', import.meta.url));
  const flags = ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'];
  const spawnWorker = (index: number): ChildProcess => {
    const clockOffsetMs = [0, 120_000, -120_000][index] ?? 0;
    const child = spawn(process.execPath, [...flags, program, JSON.stringify({ ...settings, clockOffsetMs })], {
      stdio: ['ignore', 'pipe', process.env.LEEWARD_CHAOS_VERBOSE === '1' ? 'inherit' : 'ignore'],
    });
    child.once('exit', () => {
      if (!dismissed.has(child)) crashes++;
    });
    return child;
  };
  /** Those that are killed or stopped on purpose. */
  const dismissed = new Set<ChildProcess>();
  let crashes = 0;
  const children = Array.from({ length: workers }, (_, index) => spawnWorker(index));
  const gone = (child: ChildProcess) =>
    new Promise<void>((resolve) =>
      child.exitCode === null && child.signalCode === null ? child.once('exit', () => resolve()) : resolve(),
    );
  return {
    crashes: () => crashes,
    async started() {
      await Promise.all(
        children.map(
          (child) =>
            new Promise<void>((resolve, reject) => {
              child.stdout?.once('data', () => resolve());
              child.once('exit', (code) => reject(new Error(`A worker ended with ${code} before it had begun.`)));
            }),
        ),
      );
    },
    async kill(random: () => number) {
      const index = Math.floor(random() * workers);
      dismissed.add(children[index]!);
      children[index]!.kill('SIGKILL');
      await gone(children[index]!);
      await sleep(100 + random() * 300);
      children[index] = spawnWorker(index);
    },
    async pause(random: () => number, durationMs: number) {
      const child = children[Math.floor(random() * workers)]!;
      child.kill('SIGSTOP');
      await sleep(durationMs);
      child.kill('SIGCONT');
    },
    async stop() {
      await Promise.all(
        children.map(async (child) => {
          dismissed.add(child);
          child.kill('SIGCONT');
          child.kill('SIGTERM');
          const timer = setTimeout(() => child.kill('SIGKILL'), 8000);
          await gone(child);
          clearTimeout(timer);
        }),
      );
    },
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
