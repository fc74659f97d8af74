import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, DatabaseBusyError, isUnavailable, openDatabase } from '../index.ts';

interface Tables {
  mark: { id: string };
}

let folder: string;
let database: Database;
let second: Database;

const open = (options = {}) =>
  openDatabase(`sqlite:${join(folder, 'test.db')}`, {
    migrations: [
      {
        name: 'test',
        migrations: [
          {
            name: 'mark',
            async up(db) {
              await db.schema
                .createTable('mark')
                .addColumn('id', 'text', (column) => column.primaryKey())
                .execute();
            },
          },
        ],
      },
    ],
    ...options,
  });
const insert = (id: string, into = database) => into.tables<Tables>().insertInto('mark').values({ id }).execute();
const marks = async () => {
  const rows = await second.tables<Tables>().selectFrom('mark').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-writer-'));
  database = await open({ busyTimeoutMs: 30_000 });
  second = await open({ busyTimeoutMs: 30_000 });
});

afterEach(async () => {
  await database.close();
  await second.close();
  rmSync(folder, { recursive: true });
});

describe('Writer', () => {
  it('sets the pragmas that durability depends on', async () => {
    const db = database.tables<Tables>();
    // The settings of the writing connection count.
    await db.transaction().execute(async (tx) => {
      expect((await sql`pragma journal_mode`.execute(tx)).rows).toEqual([{ journal_mode: 'wal' }]);
      expect((await sql`pragma synchronous`.execute(tx)).rows).toEqual([{ synchronous: 2 }]);
      expect((await sql`pragma foreign_keys`.execute(tx)).rows).toEqual([{ foreign_keys: 1 }]);
    });
    expect(statSync(join(folder, 'test.db')).mode & 0o077).toBe(0);
  });

  it('commits many transactions of one moment together, and undoes the failed ones alone', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, (_, index) =>
        database.transaction<Tables, void>(async (tx) => {
          await tx
            .insertInto('mark')
            .values({ id: `${index}` })
            .execute();
          if (index % 3 === 1) throw new Error('no');
          if (index % 3 === 2)
            await tx
              .insertInto('mark')
              .values({ id: `${index}` })
              .execute();
        }),
      ),
    );
    const kept = outcomes.flatMap((outcome, index) => (outcome.status === 'fulfilled' ? [`${index}`] : []));
    expect(kept).toEqual(Array.from({ length: 100 }, (_, index) => `${index * 3}`));
    expect(await marks()).toEqual([...kept].sort());
  });

  it('lets single statements share a commit, and a failed one fails alone', async () => {
    await insert('twice');
    const outcomes = await Promise.allSettled([insert('a'), insert('twice'), insert('b'), insert('a')]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(await marks()).toEqual(['a', 'b', 'twice']);
  });

  it('acknowledges nothing before it is committed', async () => {
    const seen: boolean[] = [];
    const write = async (id: string) => {
      await insert(id);
      seen.push((await marks()).includes(id));
    };
    await Promise.all(Array.from({ length: 200 }, (_, index) => write(`${index}`)));
    expect(seen).toEqual(Array(200).fill(true));
  });

  it('reports a conflict only after the transaction that caused it is committed', async () => {
    const seen: string[][] = [];
    const lookAfter = (outcome: Promise<unknown>) => outcome.catch(async () => seen.push(await marks()));
    const callOff = () =>
      database.transaction<Tables, void>(async (tx) => {
        if ((await tx.selectFrom('mark').selectAll().execute()).length > 0) throw new Error('somebody was here');
      });
    await Promise.all([insert('a'), lookAfter(insert('a')), lookAfter(callOff())]);
    expect(seen).toEqual([['a'], ['a']]);
  });

  it('makes one write to disk of a group, and one each without', async () => {
    const framesOf = async (groupSize: number) => {
      const grouped = await open({ groupSize });
      await sql`pragma wal_checkpoint(truncate)`.execute(grouped.tables());
      const db = grouped.tables<Tables>();
      const ids = Array.from({ length: 50 }, (_, index) => `${groupSize}-${index}`);
      await Promise.all(ids.map((id) => db.insertInto('mark').values({ id }).execute()));
      const size = statSync(join(folder, 'test.db-wal')).size;
      await grouped.close();
      return size;
    };
    expect(await framesOf(64)).toBeLessThan((await framesOf(1)) / 5);
  });

  it('rejects all of the group when the disk is full, and continues afterwards', async () => {
    const db = database.tables<Tables>();
    await db.transaction().execute((tx) => sql`pragma max_page_count = 12`.execute(tx));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => insert(`${index}`.padEnd(1500, 'x'))),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every((outcome) => isUnavailable(outcome.reason))).toBe(true);
    // Exactly the acknowledged marks.
    expect(await marks()).toHaveLength(60 - refused.length);
    await db.transaction().execute((tx) => sql`pragma max_page_count = 100000`.execute(tx));
    await insert('after');
    expect(await marks()).toContain('after');
  });

  it('explains that a transaction waits for a query outside it', async () => {
    const impatient = await open({ busyTimeoutMs: 300 });
    const stuck = impatient.transaction<Tables, void>(async (tx) => {
      await tx.insertInto('mark').values({ id: 'outer' }).execute();
      await insert('sent round itself', impatient);
    });
    await expect(stuck).rejects.toThrow(/would wait for the transaction/);
    expect(await marks()).toEqual([]);
    await insert('next', impatient);
    expect(await marks()).toEqual(['next']);
    await impatient.close();
  });

  it('waits for another process, and gives up after the timeout', async () => {
    const held = await second.tables<Tables>().startTransaction().execute();
    await held.insertInto('mark').values({ id: 'theirs' }).execute();
    const impatient = await open({ busyTimeoutMs: 300 });
    await expect(insert('ours', impatient)).rejects.toThrow(DatabaseBusyError);
    await impatient.close();
    const patient = insert('patient');
    setTimeout(() => held.commit().execute(), 50);
    await patient;
    expect(await marks()).toEqual(['patient', 'theirs']);
  });

  it('rejects queries of a handle after its transaction ended', async () => {
    const tx = await database.tables<Tables>().startTransaction().execute();
    await tx.commit().execute();
    await expect(tx.insertInto('mark').values({ id: 'late' }).execute()).rejects.toThrow();
    expect(await marks()).toEqual([]);
  });

  it('runs statements that cannot be in a transaction', async () => {
    await insert('a');
    await sql`vacuum`.execute(database.tables());
    await sql`with x as (select 'b' as id) insert into mark select id from x`.execute(database.tables());
    expect((await sql<{ id: string }>`select id from mark`.execute(database.tables())).rows).toHaveLength(2);
  });
});
