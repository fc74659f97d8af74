/** Fills the disk, prints the error, frees space and retries. Argument: URL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable, isUnwritable, openDatabase } from '../index.ts';
import { type CounterTables, counterMigrations } from './counter-migrations.ts';

const [url = ''] = process.argv.slice(2);
const database = await openDatabase(url, { migrations: [counterMigrations] });
const marks = database.tables<CounterTables>();
const writable = () =>
  database.checkWritable().then(
    () => 'writable',
    (error: unknown) => (isUnwritable(error) ? 'unwritable' : String(error)),
  );
const before = await writable();
let write = 'never refused';
for (let index = 0; index < 10_000; index++) {
  try {
    await marks
      .insertInto('mark')
      .values({ id: `${index}${'x'.repeat(20_000)}` })
      .execute();
  } catch (error) {
    const said = [...(isUnavailable(error) ? ['unavailable'] : []), ...(isUnwritable(error) ? ['unwritable'] : [])];
    write = said.join(' and ') || String(error);
    break;
  }
}
let full = '';
for (let tries = 0; tries < 30 && full !== 'unwritable'; tries++) {
  await sleep(1001 / 10);
  full = await writable();
}
const ping = await database.ping().then(
  () => 'answers',
  (error: unknown) => String(error),
);
await new Promise<void>((done, fail) => {
  import('node:child_process').then(({ execFile }) =>
    execFile('prlimit', ['--pid', String(process.pid), '--fsize=unlimited'], (error) => (error ? fail(error) : done())),
  );
});
await sleep(1001);
const after = await writable();
process.stdout.write(JSON.stringify({ before, write, full, ping, after }));
await database.close();
