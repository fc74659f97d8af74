import type { MigrationList } from '../index.ts';

export interface CounterTables {
  counter: { id: string; value: number };
  mark: { id: string };
}

/** Not idempotent, and slow. */
export const counterMigrations: MigrationList = {
  name: 'counter',
  migrations: [
    {
      name: 'counter',
      async up(db) {
        await db.schema
          .createTable('counter')
          .addColumn('id', 'text', (column) => column.primaryKey())
          .addColumn('value', 'bigint', (column) => column.notNull())
          .execute();
        await new Promise((resolve) => setTimeout(resolve, 100));
        await db.insertInto('counter').values({ id: 'all', value: 0 }).execute();
      },
    },
    {
      name: 'marks',
      async up(db) {
        await db.schema
          .createTable('mark')
          .addColumn('id', 'text', (column) => column.primaryKey())
          .execute();
      },
    },
  ],
};
