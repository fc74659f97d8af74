import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { anyText } from '../../../../test/support/any-text.ts';
import {
  type Database,
  isForeignKeyViolation,
  isUnavailable,
  isUniqueViolation,
  type MigrationList,
  openDatabase,
  type StoredInteger,
  UnstorableValueError,
} from './index.ts';
import { type TestEngine, testEngines } from './testing/index.ts';

interface Tables {
  carrier: { id: string; name: string | null; premium_cents: StoredInteger | null };
  quote: { id: string; carrier_id: string };
}

const migrations: MigrationList = {
  name: 'test',
  migrations: [
    {
      name: 'tables',
      async up(db) {
        await db.schema
          .createTable('carrier')
          .addColumn('id', 'text', (column) => column.primaryKey())
          .addColumn('name', 'text')
          .addColumn('premium_cents', 'bigint')
          .execute();
        await db.schema
          .createTable('quote')
          .addColumn('id', 'text', (column) => column.primaryKey())
          .addColumn('carrier_id', 'text', (column) => column.notNull().references('carrier.id').onDelete('cascade'))
          .execute();
      },
    },
  ],
};

const memory: TestEngine = {
  engine: 'sqlite',
  title: 'SQLite in memory',
  skip: undefined,
  async createPlace() {
    const opened: Database[] = [];
    return {
      url: 'sqlite::memory:',
      file: undefined,
      async open(options) {
        const database = await openDatabase('sqlite::memory:', options);
        opened.push(database);
        return database;
      },
      async [Symbol.asyncDispose]() {
        for (const database of opened) await database.close();
      },
    };
  },
};

for (const engine of [memory, ...(await testEngines())]) {
  describe.skipIf(engine.skip !== undefined)(engine.title, () => {
    const withDatabase = async (work: (database: Database) => Promise<void>) => {
      await using place = await engine.createPlace();
      await work(await place.open({ migrations: [migrations] }));
    };

    it('answers a ping and returns its location', () =>
      withDatabase(async (database) => {
        await database.ping();
        expect(database.engine).toBe(engine.engine);
        expect(database.location).toMatch(/^(sqlite|postgres):/);
      }));

    it('returns integers exactly, of any size, stored or computed', () =>
      withDatabase(async (database) => {
        const db = database.tables<Tables>();
        const values = [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)];
        for (const [index, value] of values.entries()) {
          const row = { id: `c${index}`, name: null, premium_cents: value };
          expect(await db.insertInto('carrier').values(row).returningAll().executeTakeFirst()).toEqual(row);
        }
        const rows = await db.selectFrom('carrier').select('premium_cents').orderBy('id').execute();
        expect(rows.map((row) => row.premium_cents)).toEqual(values);
        const small = db.selectFrom('carrier').where('id', 'in', ['c1', 'c2']);
        expect(
          await small
            .select((eb) => [
              eb.fn.countAll().as('count'),
              eb.fn.sum('premium_cents').as('sum'),
              eb.fn.max('premium_cents').as('most'),
              eb.exists(eb.selectFrom('quote').select('id')).as('quoted'),
            ])
            .executeTakeFirst(),
        ).toEqual({ count: 2, sum: 2 ** 31 - 1, most: 2 ** 31, quoted: 0 });
      }));

    it('returns text exactly, or refuses it', () =>
      withDatabase(async (database) => {
        const db = database.tables<Tables>();
        let id = 0;
        await fc.assert(
          fc.asyncProperty(anyText(), async (name) => {
            const row = { id: `c${id++}`, name, premium_cents: null };
            const stored = db.insertInto('carrier').values(row).execute();
            if (name.includes('\0') || !name.isWellFormed()) {
              await expect(stored).rejects.toThrow(UnstorableValueError);
              return;
            }
            await stored;
            expect(await db.selectFrom('carrier').selectAll().where('name', '=', name).execute()).toContainEqual(row);
          }),
          { numRuns: 60 },
        );
      }));

    it.each([
      ['NUL', 'a\0b'],
      ['half a surrogate pair', '\ud800'],
      ['a fraction', 0.5],
      ['not a number', Number.NaN],
      ['a number too large to be exact', 2 ** 53],
      ['more than 64 bits', 2n ** 63n],
      ['truth', true],
      ['a date', new Date(0)],
      ['bytes', Buffer.from('x')],
      ['an object', {}],
    ])('refuses to store %s', (_, value) =>
      withDatabase(async (database) => {
        const stored = sql`insert into carrier (id, name) values ('x', ${value})`.execute(database.tables<Tables>());
        await expect(stored).rejects.toThrow(UnstorableValueError);
        expect(await database.tables<Tables>().selectFrom('carrier').selectAll().execute()).toEqual([]);
      }),
    );

    it('tells violations apart, without the values', () =>
      withDatabase(async (database) => {
        const db = database.tables<Tables>();
        await db.insertInto('carrier').values({ id: 'secret-value', name: null, premium_cents: null }).execute();
        const twice = db
          .insertInto('carrier')
          .values({ id: 'secret-value', name: null, premium_cents: null })
          .execute();
        const unique = await twice.catch((error: unknown) => error);
        expect(isUniqueViolation(unique)).toBe(true);
        expect(isForeignKeyViolation(unique)).toBe(false);
        expect(isUnavailable(unique)).toBe(false);
        const dangling = db.insertInto('quote').values({ id: 'q', carrier_id: 'secret-other' }).execute();
        const foreign = await dangling.catch((error: unknown) => error);
        expect(isForeignKeyViolation(foreign)).toBe(true);
        expect(isUniqueViolation(foreign)).toBe(false);
        const told = [unique, foreign].map((error) => JSON.stringify(error, Object.getOwnPropertyNames(error)));
        expect(told.join()).not.toContain('secret');
      }));

    it('keeps a transaction whole or not at all', () =>
      withDatabase(async (database) => {
        const db = database.tables<Tables>();
        const carrier = { id: 'a', name: 'Bayou Mutual', premium_cents: 1 };
        const failed = database.transaction<Tables, void>(async (tx) => {
          await tx.insertInto('carrier').values(carrier).execute();
          throw new Error('changed my mind');
        });
        await expect(failed).rejects.toThrow('changed my mind');
        expect(await db.selectFrom('carrier').selectAll().execute()).toEqual([]);
        const result = await database.transaction<Tables, string>(async (tx) => {
          await tx.insertInto('carrier').values(carrier).execute();
          await tx.insertInto('quote').values({ id: 'q', carrier_id: 'a' }).execute();
          return 'done';
        });
        expect(result).toBe('done');
        await db.deleteFrom('carrier').execute();
        expect(await db.selectFrom('quote').selectAll().execute()).toEqual([]);
      }));

    it('reports how many rows a statement changed', () =>
      withDatabase(async (database) => {
        const db = database.tables<Tables>();
        for (const id of ['a', 'b'])
          await db.insertInto('carrier').values({ id, name: null, premium_cents: 1 }).execute();
        const updated = await db.updateTable('carrier').set({ name: 'x' }).executeTakeFirst();
        expect(updated.numUpdatedRows).toBe(2n);
        const deleted = await db.deleteFrom('carrier').where('id', '=', 'none').executeTakeFirst();
        expect(deleted.numDeletedRows).toBe(0n);
      }));

    it('rolls back to a savepoint', () =>
      withDatabase(async (database) => {
        const db = database.tables<Tables>();
        const tx = await db.startTransaction().execute();
        await tx.insertInto('carrier').values({ id: 'kept', name: null, premium_cents: null }).execute();
        const inner = await tx.savepoint('before "b"').execute();
        await inner.insertInto('carrier').values({ id: 'undone', name: null, premium_cents: null }).execute();
        await inner.rollbackToSavepoint('before "b"').execute();
        await inner.releaseSavepoint('before "b"').execute();
        await tx.commit().execute();
        expect(await db.selectFrom('carrier').select('id').execute()).toEqual([{ id: 'kept' }]);
      }));

    it('loses no update among many transactions at once', () =>
      withDatabase(async (database) => {
        const db = database.tables<Tables>();
        await db.insertInto('carrier').values({ id: 'a', name: null, premium_cents: 0 }).execute();
        const locked = engine.engine === 'postgres' ? sql` for update` : sql``;
        await Promise.all(
          Array.from({ length: 50 }, () =>
            database.transaction<Tables, void>(async (tx) => {
              const read = sql<{ premium_cents: number }>`select premium_cents from carrier where id = 'a'${locked}`;
              const cents = (await read.execute(tx)).rows[0]!.premium_cents;
              await tx
                .updateTable('carrier')
                .set({ premium_cents: cents + 1 })
                .execute();
            }),
          ),
        );
        expect(await db.selectFrom('carrier').select('premium_cents').execute()).toEqual([{ premium_cents: 50 }]);
      }));

    it('waits for running queries when it closes', async () => {
      await using place = await engine.createPlace();
      const database = await place.open({ migrations: [migrations] });
      const writes = Array.from({ length: 20 }, (_, index) =>
        database.transaction<Tables, void>(async (tx) => {
          await tx
            .insertInto('carrier')
            .values({ id: `c${index}`, name: null, premium_cents: null })
            .execute();
        }),
      );
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
      await database.close();
      await Promise.all(writes);
      if (place.url === 'sqlite::memory:') return;
      const again = await place.open();
      expect(await again.tables<Tables>().selectFrom('carrier').select('id').execute()).toHaveLength(20);
    });

    it('lists its tables', () =>
      withDatabase(async (database) => {
        // Another test's schema may vanish meanwhile.
        const tables = await vi.waitFor(() => database.tables<Tables>().introspection.getTables());
        const names = tables.map((table) => table.name);
        expect(names).toEqual(expect.arrayContaining(['carrier', 'quote', 'leeward_migrations']));
      }));

    it('refuses streaming on either engine', () =>
      withDatabase(async (database) => {
        const read = async () => {
          for await (const _ of database.tables<Tables>().selectFrom('carrier').selectAll().stream());
        };
        await expect(read()).rejects.toThrow();
      }));
  });

  // Memory has one connection.
  if (engine === memory) continue;
  describe.skipIf(engine.skip !== undefined)(`${engine.title}, seen by two`, () => {
    it('shows a snapshot one moment during concurrent writes, and refuses writes in it', async () => {
      await using place = await engine.createPlace();
      const database = await place.open({ migrations: [migrations] });
      const db = database.tables<Tables>();
      await db.insertInto('carrier').values({ id: 'a', name: null, premium_cents: null }).execute();
      const seen = await database.snapshot<Tables, number[]>(async (tx) => {
        const before = await tx.selectFrom('carrier').select('id').execute();
        await db.insertInto('carrier').values({ id: 'b', name: null, premium_cents: null }).execute();
        const after = await tx.selectFrom('carrier').select('id').execute();
        return [before.length, after.length];
      });
      expect(seen).toEqual([1, 1]);
      expect(await db.selectFrom('carrier').select('id').execute()).toHaveLength(2);
      const written = database.snapshot<Tables, unknown>((tx) => tx.deleteFrom('carrier').execute());
      await expect(written).rejects.toThrow(/read-?only/);
      // More than there are connections.
      const many = Array.from({ length: 30 }, () =>
        database.snapshot<Tables, unknown[]>((tx) => tx.selectFrom('carrier').select('id').execute()),
      );
      for (const rows of await Promise.all(many)) expect(rows).toHaveLength(2);
    });

    it('shows another connection committed changes only, and all that were acknowledged', async () => {
      await using place = await engine.createPlace();
      const ours = await place.open({ migrations: [migrations] });
      const theirs = (await place.open()).tables<Tables>();
      await ours.transaction<Tables, void>(async (tx) => {
        await tx.insertInto('carrier').values({ id: 'a', name: null, premium_cents: null }).execute();
        expect(await theirs.selectFrom('carrier').selectAll().execute()).toEqual([]);
        expect(await ours.tables<Tables>().selectFrom('carrier').selectAll().execute()).toEqual([]);
      });
      expect(await theirs.selectFrom('carrier').select('id').execute()).toEqual([{ id: 'a' }]);
    });
  });
}

describe('commits', () => {
  it('of every connection are counted in a file: an equal number means equal contents', async () => {
    const [sqlite] = (await testEngines()).filter((engine) => engine.engine === 'sqlite');
    await using place = await sqlite!.createPlace();
    const ours = await place.open({ migrations: [migrations] });
    const theirs = await place.open();
    const insert = (database: Database, id: string) =>
      database.tables<Tables>().insertInto('carrier').values({ id, name: null, premium_cents: null }).execute();
    const first = ours.commits();
    await ours.tables<Tables>().selectFrom('carrier').selectAll().execute();
    expect(ours.commits()).toBe(first);
    await insert(ours, 'a');
    const second = ours.commits();
    expect(second).not.toBe(first);
    await insert(theirs, 'b');
    expect(ours.commits()).not.toBe(second);
    expect(await ours.tables<Tables>().selectFrom('carrier').select('id').execute()).toHaveLength(2);
  });

  it('are not counted in memory', async () => {
    await using database = await openDatabase('sqlite::memory:');
    expect(database.commits()).toBeUndefined();
  });
});

it('reports PostgreSQL as unavailable if nothing listens', async () => {
  const error = await openDatabase('postgres://nobody:hunter2@127.0.0.1:1/none').catch((reason: unknown) => reason);
  expect(isUnavailable(error)).toBe(true);
  expect(String(error)).not.toContain('hunter2');
});
