import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, testEngines } from '@leeward/database/testing';
import { findRedis, forgetRedis } from '@leeward/quotes/testing';
import { afterAll, describe, expect, it } from 'vitest';
import type { DemoKeys } from './support/demo.ts';
import { killLeftovers, type LeewardProcess } from './support/leeward-process.ts';
import { createQuoter, eventually, sandboxCalls, startQuoting, startQuotingHere } from './support/quoting-service.ts';
import type { RunningLeeward } from './support/running-leeward.ts';
import { cellsOfRow } from './support/test-volume.ts';

afterAll(killLeftovers);

const [, postgres] = await testEngines();
const server = await findPostgres();
const redis = await findRedis();
const noRedis = 'unreachable' in redis ? redis.unreachable : undefined;
const services = [
  {
    title: 'PostgreSQL and Redis',
    skip: postgres?.skip ?? noRedis,
    queueUrl: (room: string) => `${'url' in redis ? redis.url : ''}/?prefix=${room}`,
  },
  {
    title: 'PostgreSQL alone',
    skip: postgres?.skip,
    queueUrl: (room: string) => `${'url' in server ? server.url : ''}?schema=${room}`,
  },
];

/** The sandbox answers within 15 s or not at all, and a lease may be 15 s longer. */
const MAX_LEASE_MS = 30_000;
const QUOTES = 8;
/** One that takes its time, and some that answer at once. */
const carrier_keys = ['sandbox', 'bayou_mutual', 'sawpalm_home', 'sunreach_property'];

// Without Redis every day: over it, books and chaos kill workers every day.
describe.concurrent.each(cellsOfRow(services, 1, 2))(
  'quoting in several processes, on $title',
  ({ skip, queueUrl }) => {
    it.skipIf(skip !== undefined)(
      `continues when one of them is killed: every rate ends once, and no carrier is called twice${skip ? ` (skipped: ${skip})` : ''}`,
      async () => {
        await using place = await postgres!.createPlace();
        const room = `leeward_test_${randomBytes(6).toString('hex')}`;
        const dataFolder = mkdtempSync(join(tmpdir(), 'leeward-processes-'));
        const environment = {
          LEEWARD_DATA_DIR: dataFolder,
          LEEWARD_DATABASE_URL: place.url,
          LEEWARD_QUEUE_URL: queueUrl(room),
          LEEWARD_LOG_LEVEL: 'debug',
        };
        const here: RunningLeeward[] = [];
        let victim: LeewardProcess | undefined;
        const words = (command: 'serve' | 'worker') => [command, '--demo', '--allow-demo'];
        try {
          here.push(await startQuotingHere(words('serve'), { ...environment, LEEWARD_ASK_CARRIERS: 'false' }));
          const keys = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')) as DemoKeys;
          const first = createQuoter(keys.url, keys);
          // This one is a separate process, so that it can be killed; the others are not.
          const killed = await startQuoting(words('serve'), environment);
          victim = killed;
          const second = createQuoter(/is up at (http\S+)/.exec(killed.output())![1]!, keys);
          const ask = (count: number) =>
            Promise.all(
              Array.from({ length: count }, (_, index) =>
                (index % 2 ? first : second).create({ form_types: ['ho3', 'ho5'], carrier_keys }),
              ),
            );
          const made = await ask(QUOTES / 2);
          const isDone = async ({ quote_request_id: id }: (typeof made)[number]) =>
            (await first.status(id)).status === 'complete';
          const asksSandbox = (isSo: () => boolean | Promise<boolean>) =>
            eventually(
              async () => {
                if (await isSo()) return true;
                // On a busy machine all quotes may be complete before the check: then request more.
                if (!(await Promise.all(made.map(isDone))).includes(false)) made.push(...(await ask(QUOTES / 2)));
                return false;
              },
              () => 'the process is not asking the sandbox',
              20_000,
            );
          await asksSandbox(() => isAskingSandbox(killed));
          // Not before: alone it could take all there are.
          here.push(await startQuotingHere(words('worker'), environment));
          made.push(...(await ask(QUOTES / 2)));
          await asksSandbox(async () => {
            if (!isAskingSandbox(killed)) return false;
            // A halted process stops writing. All its output has arrived, and each call is still running or
            // answered.
            killed.process.kill('SIGSTOP');
            await sleep(100);
            if (isAskingSandbox(killed)) return true;
            killed.process.kill('SIGCONT');
            return false;
          });
          killed.process.kill('SIGKILL');
          const rates = made.reduce((sum, { rate_index }) => sum + rate_index.length, 0);
          const killedAt = performance.now();

          const database = await place.open();
          const tables = database.tables<QuoteTables>();
          const leases = await tables
            .selectFrom('quote_rate')
            .select('lease_until')
            .where('status', '=', 'processing')
            .execute();
          const left = leases.map(({ lease_until: until }) => until! / 1000 - Date.now());
          expect(left.length).toBeGreaterThan(0);
          expect(Math.max(...left)).toBeLessThanOrEqual(MAX_LEASE_MS);

          for (const { quote_request_id: id } of made) {
            await eventually(
              async () => (await first.status(id)).status === 'complete',
              () => `${id} is not complete`,
              90_000,
            );
          }
          const tookMs = performance.now() - killedAt;
          const ended = await Promise.all(made.map(({ quote_request_id: id }) => first.status(id)));
          const all = ended.flatMap((quote) => quote.rates);
          expect(all).toHaveLength(rates);
          for (const { counts } of ended) expect(counts.processing).toBe(0);
          const ends = await tables
            .selectFrom('quote_rate_event')
            .select('rate_id')
            .where('to_status', 'in', ['success', 'error'])
            .execute();
          expect(ends).toHaveLength(rates);
          expect(new Set(ends.map((end) => end.rate_id)).size).toBe(rates);

          const asked = Map.groupBy(sandboxCalls(dataFolder), (call) => call.rate_id);
          for (const [id, calls] of asked) expect([id, calls.length]).toEqual([id, 1]);
          const sandbox = all.filter((rate) => rate.carrier_key === 'sandbox');
          // Calls that the killed process was making, or about to make, are reported as such; all others have a
          // premium.
          const lost = sandbox.filter((rate) => rate.outcome !== 'quoted');
          expect(lost.map((rate) => rate.outcome)).toEqual(lost.map(() => 'unknown_outcome'));
          expect(sandbox.filter((rate) => !lost.includes(rate) && !asked.has(rate.id))).toEqual([]);
          expect(lost.length).toBeGreaterThan(0);
          expect(lost.length).toBeLessThan(sandbox.length);
          // A lease, a sweep, and the rest of the work; four times that on a busy machine.
          expect(tookMs).toBeLessThan(4 * (MAX_LEASE_MS + 5_000));
          // Not by the end of its leases: the others noticed that it is dead.
          expect(here.map((each) => each.output()).join('\n')).toMatch(/"leases":[1-9]\d*,"msg":"process_lost"/);
          // The process may be killed before the first of its calls ends.
          const workers = [...here, killed].filter((each) => /"msg":"(carrier_asked|rate_ended)"/.test(each.output()));
          expect(workers.length).toBeGreaterThan(1);
          console.info(
            `${rates} rates of ${QUOTES} quotes over a service that asks and is killed, one that does not, and a worker: ${lost.length} unknown, the last end ${(tookMs / 1000).toFixed(1)} s later`,
          );
          const stopped = await Promise.all([...here, killed].map((each) => each.stop()));
          expect(stopped.map(({ code }) => code)).toEqual([0, 0, null]);
        } finally {
          victim?.process.kill('SIGKILL');
          await Promise.all([...here.map((each) => each.stop()), victim?.ended]);
          await forget(room);
          rmSync(dataFolder, { recursive: true, force: true });
        }
      },
      180_000,
    );
  },
);

it('is left to workers by a service that calls no carrier, also on SQLite', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'leeward-processes-'));
  const environment = { LEEWARD_DATA_DIR: dataFolder, LEEWARD_LOG_LEVEL: 'debug' };
  const serve = await startQuotingHere(['serve', '--demo'], { ...environment, LEEWARD_ASK_CARRIERS: 'false' });
  const keys = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')) as DemoKeys;
  const quoter = createQuoter(keys.url, keys);
  const { quote_request_id: id, rate_index } = await quoter.create({ form_types: ['ho3'] });
  // Some rounds of repairs, which would send out what waits.
  await sleep(2_000);
  expect((await quoter.status(id)).counts.processing).toBe(rate_index.length);
  const worker = await startQuotingHere(['worker', '--demo'], environment);
  await eventually(
    async () => (await quoter.status(id)).status === 'complete',
    () => `${id} is not complete`,
    60_000,
  );
  expect(sandboxCalls(dataFolder)).toHaveLength(1);
  expect(serve.output()).not.toContain('"msg":"carrier_asked"');
  const ends = await Promise.all([worker.stop(), serve.stop()]);
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Returns true if, by its log, it has called the sandbox and has no answer yet. */
function isAskingSandbox({ output }: LeewardProcess): boolean {
  const lines = output()
    .split('\n')
    .filter((line) => line.includes('"carrier_key":"sandbox"'));
  const count = (what: string) => lines.filter((line) => line.includes(`"msg":"${what}"`)).length;
  return count('carrier_asked') > count('rate_ended');
}

async function forget(room: string): Promise<void> {
  await using place = await postgres!.createPlace();
  const database = await place.open();
  await database.tables().schema.dropSchema(room).ifExists().cascade().execute();
  if ('url' in redis) await forgetRedis(redis.url, room);
}

interface QuoteTables {
  quote_rate: { status: string; lease_until: number | null };
  quote_rate_event: { rate_id: string; to_status: string };
}
