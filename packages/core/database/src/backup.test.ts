import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backUpDatabase, type Database, openDatabase, restoreDatabase } from './index.ts';
import { type CounterTables, counterMigrations } from './test-programs/counter-migrations.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-backup-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const migrations = [counterMigrations];
const urlOf = (file: string) => `sqlite:${join(folder, file)}`;
const open = (file: string) => openDatabase(urlOf(file), { migrations });

async function mark(database: Database, id: string): Promise<void> {
  await database.tables<CounterTables>().insertInto('mark').values({ id }).execute();
}

async function marksOf(file: string): Promise<string[]> {
  await using database = await open(file);
  const rows = await database.tables<CounterTables>().selectFrom('mark').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

it('backs up what is still in the log, which a copy of the file lacks', async () => {
  await using database = await open('service.sqlite');
  for (let index = 10; index < 30; index++) await mark(database, String(index));
  copyFileSync(join(folder, 'service.sqlite'), join(folder, 'copy.sqlite'));
  const copied = new DatabaseSync(join(folder, 'copy.sqlite'));
  expect(copied.prepare('select count(*) as tables from sqlite_master').get()).toEqual({ tables: 0 });
  copied.close();

  const { bytes } = await backUpDatabase(urlOf('service.sqlite'), join(folder, 'made/backup.sqlite'));
  expect(statSync(join(folder, 'made/backup.sqlite'))).toMatchObject({ size: bytes, mode: 0o100600 });
  await restoreDatabase(urlOf('restored.sqlite'), join(folder, 'made/backup.sqlite'), { migrations });
  expect(await marksOf('restored.sqlite')).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 10)));
  expect(readdirSync(join(folder, 'made'))).toEqual(['backup.sqlite']);
});

it('backs up one moment under load: everything acknowledged before, nothing torn', async () => {
  await using database = await open('service.sqlite');
  // A torn backup would have one of them.
  const acknowledged: number[] = [];
  let isWriting = true;
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let index = writer; isWriting; index += 8) {
      await database.transaction<CounterTables, void>(async (tx) => {
        await tx
          .insertInto('mark')
          .values({ id: `${index} a` })
          .execute();
        await tx
          .insertInto('mark')
          .values({ id: `${index} b` })
          .execute();
      });
      acknowledged.push(index);
    }
  });
  await expect.poll(() => acknowledged.length).toBeGreaterThan(100);
  const before = [...acknowledged];
  await backUpDatabase(urlOf('service.sqlite'), join(folder, 'backup.sqlite'));
  isWriting = false;
  await Promise.all(writers);

  await restoreDatabase(urlOf('restored.sqlite'), join(folder, 'backup.sqlite'), { migrations });
  const marks = new Set(await marksOf('restored.sqlite'));
  expect(before.filter((index) => !marks.has(`${index} a`))).toEqual([]);
  for (const id of marks) expect(marks.has(id.endsWith('a') ? id.replace('a', 'b') : id.replace('b', 'a'))).toBe(true);
});

it('replaces a database only with a place for the old one, and only when it is not in use', async () => {
  const backup = join(folder, 'backup.sqlite');
  {
    await using database = await open('service.sqlite');
    await mark(database, 'old');
    await backUpDatabase(urlOf('service.sqlite'), backup);
    await mark(database, 'new');
    const restoring = { migrations, moveOldTo: join(folder, 'aside.sqlite') };
    await expect(restoreDatabase(urlOf('service.sqlite'), backup, restoring)).rejects.toThrow(/is in use. Stop every/);
    expect(existsSync(restoring.moveOldTo)).toBe(false);
  }
  await expect(restoreDatabase(urlOf('service.sqlite'), backup, { migrations })).rejects.toThrow(/already/);
  expect(await marksOf('service.sqlite')).toEqual(['new', 'old']);

  await restoreDatabase(urlOf('service.sqlite'), backup, { migrations, moveOldTo: join(folder, 'aside.sqlite') });
  expect(await marksOf('service.sqlite')).toEqual(['old']);
  expect(await marksOf('aside.sqlite')).toEqual(['new', 'old']);
});

it('refuses an incomplete backup, and leaves the database unchanged', async () => {
  {
    await using database = await open('service.sqlite');
    await mark(database, 'kept');
  }
  const restore = (file: string) =>
    restoreDatabase(urlOf('service.sqlite'), join(folder, file), {
      migrations,
      moveOldTo: join(folder, 'aside.sqlite'),
    });
  await backUpDatabase(urlOf('service.sqlite'), join(folder, 'backup.sqlite'));

  writeFileSync(join(folder, 'text.sqlite'), 'This is a letter.');
  await expect(restore('text.sqlite')).rejects.toThrow(/text.sqlite is not a complete SQLite database/);
  const other = new DatabaseSync(join(folder, 'other.sqlite'));
  other.exec('create table apples (id integer)');
  other.close();
  await expect(restore('other.sqlite')).rejects.toThrow(/other.sqlite is a database, but not a backup of Leeward/);
  await expect(restore('nowhere.sqlite')).rejects.toThrow(/ENOENT.*nowhere.sqlite/);
  const newer = { ...counterMigrations, migrations: counterMigrations.migrations.slice(0, 1) };
  await expect(
    restoreDatabase(urlOf('service.sqlite'), join(folder, 'backup.sqlite'), {
      migrations: [newer],
      moveOldTo: join(folder, 'aside.sqlite'),
    }),
  ).rejects.toThrow(/opened by another version/);

  expect(await marksOf('service.sqlite')).toEqual(['kept']);
  expect(readdirSync(folder).filter((name) => name.includes('partial') || name.includes('aside'))).toEqual([]);
});

it('refuses a file that exists, a database that does not, memory and PostgreSQL', async () => {
  writeFileSync(join(folder, 'taken'), '');
  await (await open('service.sqlite')).close();
  await expect(backUpDatabase(urlOf('service.sqlite'), join(folder, 'taken'))).rejects.toThrow(
    /taken exists; name a new/,
  );
  await expect(backUpDatabase(urlOf('none.sqlite'), join(folder, 'b'))).rejects.toThrow(/no database .*none.sqlite/);
  await expect(backUpDatabase('sqlite::memory:', join(folder, 'b'))).rejects.toThrow(/in memory/);
  await expect(backUpDatabase('postgres://h/d', join(folder, 'b'))).rejects.toThrow(/pg_dump --format=custom/);
  await expect(restoreDatabase('postgres://h/d', join(folder, 'b'), { migrations })).rejects.toThrow(/pg_restore/);
  expect(existsSync(join(folder, 'none.sqlite'))).toBe(false);
});
