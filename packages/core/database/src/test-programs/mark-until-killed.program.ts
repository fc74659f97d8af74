/** Writes marks and prints acknowledged ones, until it is killed. Argument: URL. */
import { writeSync } from 'node:fs';
import { openDatabase } from '../index.ts';
import { type CounterTables, counterMigrations } from './counter-migrations.ts';

const [url = ''] = process.argv.slice(2);
const database = await openDatabase(url, { migrations: [counterMigrations] });
const lane = async (name: number) => {
  for (let index = 0; ; index++) {
    const id = `${process.pid}-${name}-${index}`;
    await database.transaction<CounterTables, void>(async (tx) => {
      await tx
        .insertInto('mark')
        .values({ id: `${id}-a` })
        .execute();
      await tx
        .insertInto('mark')
        .values({ id: `${id}-b` })
        .execute();
    });
    writeSync(1, `${id}\n`);
  }
};
await Promise.all(Array.from({ length: 20 }, (_, name) => lane(name)));
