import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../index.ts';
import { type CounterTables, counterMigrations } from '../test-programs/counter-migrations.ts';

const MARKS = 200;
const FRAME_HEADER_BYTES = 24;
const LOG_HEADER_BYTES = 32;
const PAGE_BYTES = 4096;
const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-damage-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Database and log after a crash. */
async function leftBehind(): Promise<string> {
  const file = join(folder, 'whole.db');
  const database = await openDatabase(`sqlite:${file}`, { migrations: [counterMigrations] });
  for (let index = 0; index < MARKS; index++) {
    await database
      .tables<CounterTables>()
      .insertInto('mark')
      .values({ id: String(index).padStart(4, '0') })
      .execute();
  }
  const copy = join(folder, 'left.db');
  copyFileSync(file, copy);
  copyFileSync(`${file}-wal`, `${copy}-wal`);
  await database.close();
  return copy;
}

async function marksOf(file: string): Promise<string[]> {
  const database = await openDatabase(`sqlite:${file}`, { migrations: [counterMigrations] });
  const rows = await database.tables<CounterTables>().selectFrom('mark').select('id').orderBy('id').execute();
  await database.close();
  return rows.map((row) => row.id);
}

it('a whole log loses nothing', async () => {
  expect(await marksOf(await leftBehind())).toHaveLength(MARKS);
});

it('a damaged log silently loses the commits after the damage, and keeps those before it', async () => {
  const file = await leftBehind();
  const log = `${file}-wal`;
  const frames = Math.floor((readFileSync(log).length - LOG_HEADER_BYTES) / FRAME_BYTES);
  const handle = openSync(log, 'r+');
  writeSync(handle, Buffer.from([0xff]), 0, 1, LOG_HEADER_BYTES + Math.floor(frames / 2) * FRAME_BYTES + 2000);
  closeSync(handle);
  const left = await marksOf(file);
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(MARKS);
  expect(left).toEqual(Array.from({ length: left.length }, (_, index) => String(index).padStart(4, '0')));
});

it('a missing log loses all commits that were not written back', async () => {
  const file = await leftBehind();
  writeFileSync(`${file}-wal`, '');
  expect((await marksOf(file)).length).toBeLessThan(MARKS);
});

it('refuses a file that is not a database', async () => {
  const file = await leftBehind();
  const bytes = readFileSync(file);
  bytes.fill(0xff, 0, 100);
  writeFileSync(file, bytes);
  writeFileSync(`${file}-wal`, '');
  await expect(marksOf(file)).rejects.toThrow(/not a database|malformed|encrypted/);
});
