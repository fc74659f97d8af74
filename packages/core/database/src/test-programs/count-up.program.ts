/** At a word on standard input, adds one to a counter, many times at once. Arguments: URL, times. */
import { once } from 'node:events';
import { openDatabase } from '../index.ts';
import { type CounterTables, counterMigrations } from './counter-migrations.ts';

const [url = '', times = '0'] = process.argv.slice(2);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const database = await openDatabase(url, { migrations: [counterMigrations], poolSize: 4 });
await Promise.all(
  Array.from({ length: Number(times) }, () =>
    database.transaction<CounterTables, void>(async (tx) => {
      // Shows lost updates.
      const locked = tx.selectFrom('counter').select('value').where('id', '=', 'all');
      const { value } = await (database.engine === 'postgres' ? locked.forUpdate() : locked).executeTakeFirstOrThrow();
      await tx
        .updateTable('counter')
        .set({ value: value + 1 })
        .where('id', '=', 'all')
        .execute();
    }),
  ),
);
await database.close();
