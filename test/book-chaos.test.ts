import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres } from '@leeward/database/testing';
import { findRedis, forgetRedis } from '@leeward/quotes/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { startLeeward } from './support/leeward-process.ts';
import { nodeFlags } from './support/node-flags.ts';
import { workspace } from './support/running-leeward.ts';
import { testVolume } from './support/test-volume.ts';

/** A million rows in 64 parts and more, half of them started twice at once, and ten kills, with `LEEWARD_BOOK_ROWS=1000000`. */
const ROWS = Number(process.env['LEEWARD_BOOK_ROWS'] ?? 10_000);
const isLong = ROWS >= 1_000_000;
const PARTS = isLong ? 64 : 5;
const KILLS = isLong ? 10 : 1;
const WORKERS = isLong ? 3 : 2;
/** Parts that are started twice at once, at a time. */
const PAIRS_AT_ONCE = 2;

const redis = await findRedis();
const server = await findPostgres();
const queues = [
  {
    title: 'BullMQ',
    skip: 'unreachable' in redis ? redis.unreachable : undefined,
    url: (room: string) => `${'url' in redis ? redis.url : ''}/?prefix=${room}`,
  },
  {
    title: 'pg-boss',
    skip: 'unreachable' in server ? server.unreachable : undefined,
    url: (room: string) => `${'url' in server ? server.url : ''}?schema=${room}`,
  },
];

const folder = mkdtempSync(join(tmpdir(), 'leeward-book-chaos-'));
afterAll(() => rmSync(folder, { recursive: true }));
const wordsOf = (out: string) => [
  ...['book', 'run', 'book.csv', '--out', out, '--rejects', `${out}.rejects`, '--summary', `${out}.json`],
  ...['--as-of', '2026-11-20T12:00:00Z', '--parts', String(PARTS), '--reasons'],
];

/** A part of CSV is a mebibyte at least: long lines make many of few rows. */
const padding = 'x'.repeat(isLong ? 68 : Math.ceil((PARTS * 1_100_000) / ROWS));
function writeBook(): void {
  const file = [`state,policy_type,total_claims,year_built,x_note\n`];
  for (let row = 0; row < ROWS; row++) {
    const state = row % 3 === 0 ? 'fl' : row % 1000 === 7 ? 'nowhere' : 'tx';
    file.push(`${state},${row % 7 === 0 ? 'ho5' : 'ho3'},${row % 5},${1950 + (row % 70)},${padding}\n`);
  }
  writeFileSync(join(folder, 'book.csv'), file.join(''));
}

/** A worker that can be killed with nothing in between. */
function startWorker(url: string) {
  const source = join(workspace, 'packages/apps/cli/src/main.ts');
  const words = ['worker', '--books', '--queue', url, '--at-once', String(WORKERS)];
  return spawn(process.execPath, [...nodeFlags, source, ...words], { cwd: folder, stdio: 'ignore' });
}

describe('parts of a book over a queue', () => {
  let quiet: readonly Buffer[] | undefined;
  const outputsOf = (out: string) =>
    [out, `${out}.rejects`, `${out}.json`].map((name) => readFileSync(join(folder, name)));
  const quietRun = async () => {
    if (quiet) return quiet;
    writeBook();
    expect(await runWords([...wordsOf('quiet.parquet'), '--threads', '1'], { folder })).toMatchObject({ code: 0 });
    quiet = outputsOf('quiet.parquet');
    return quiet;
  };

  // One of them shows it every day; over all of them chaos kills workers as often.
  for (const { title, skip, url } of testVolume(1) > 1 || isLong ? queues : queues.slice(0, 1)) {
    it.skipIf(skip !== undefined)(
      `${title}: killed and started twice, they come to the bytes of a quiet run${skip ? ` (skipped: ${skip})` : ''}`,
      async () => {
        const wanted = await quietRun();
        const room = `leeward_test_${randomBytes(6).toString('hex')}`;
        const out = `${title}.parquet`;
        const parts = join(folder, `${out}.parts`);
        const run = runWords([...wordsOf(out), '--queue', url(room)], { folder });
        let hasEnded = false;
        void run.then(() => {
          hasEnded = true;
        });
        const workers: ReturnType<typeof startWorker>[] = [];
        let kills = 0;
        const kill = async () => {
          while (!hasEnded && kills < KILLS) {
            await sleep(5);
            // While some part is being written, and workers are there.
            if (workers.length === 0 || !existsSync(join(parts, '.working'))) continue;
            if (readdirSync(join(parts, '.working')).length === 0) continue;
            const victim = Math.floor(Math.random() * WORKERS);
            workers[victim]!.kill('SIGKILL');
            kills += 1;
            workers[victim] = startWorker(url(room));
            await sleep(500);
          }
        };
        let twice = 0;
        let planned = 0;
        /**
         * Starts parts a second time, outside the queue: more than half of many. Workers start after half of these; with few parts, after
         * the first, because they would finish before.
         */
        const startTwice = async () => {
          while (!hasEnded && !existsSync(join(parts, 'plan.json'))) await sleep(50);
          const { parts: all } = JSON.parse(readFileSync(join(parts, 'plan.json'), 'utf8')) as { parts: unknown[] };
          planned = all.length;
          const indexes = [...all.keys()].slice(0, isLong ? Math.ceil(0.65 * planned) : 1);
          const left = indexes.length - Math.ceil(planned / 2);
          const startWorkers = () => {
            if (workers.length > 0) return;
            for (let worker = 0; worker < WORKERS; worker++) workers.push(startWorker(url(room)));
          };
          const partWords = (index: number) => [
            ...['book', 'part', '--plan', join(parts, 'plan.json'), '--trust-inputs'],
            ...['--index', String(index)],
          ];
          const startPart = (index: number) => startLeeward(partWords(index), { folder }).ended;
          const runPartHere = (index: number) => runWords(partWords(index), { folder });
          const next = async (): Promise<void> => {
            const index = indexes.shift();
            if (index === undefined || hasEnded) return;
            if (isLong && indexes.length <= left) startWorkers();
            const ended = await Promise.all([startPart(index), runPartHere(index)]);
            // The run may have put the parts away meanwhile.
            for (const { code, errors } of ended) if (code !== 0) expect(errors).toMatch(/There is no file or folder/);
            if (ended.every(({ code }) => code === 0)) twice += 1;
            if (!isLong) startWorkers();
            return next();
          };
          await Promise.all(Array.from({ length: PAIRS_AT_ONCE }, next));
        };
        try {
          await Promise.all([kill(), startTwice()]);
          const { code, errors } = await run;
          expect(code, errors).toBe(0);
          console.info(`${title}: ${planned} parts, ${kills} kills, ${twice} parts started twice at once`);
          if (isLong) expect([kills, planned >= PARTS, twice >= planned / 2]).toEqual([KILLS, true, true]);
          expect(kills).toBeGreaterThan(0);
          expect(twice).toBeGreaterThan(0);
          expect(outputsOf(out).map((bytes, index) => bytes.equals(wanted[index]!))).toEqual([true, true, true]);
          expect(readdirSync(folder).filter((name) => name.startsWith('.') || name.endsWith('.parts'))).toEqual([]);
        } finally {
          for (const worker of workers) worker.kill('SIGKILL');
          if (title === 'BullMQ') await forgetRedis('url' in redis ? redis.url : '', room);
        }
      },
      isLong ? 3_600_000 : 600_000,
    );
  }
});
