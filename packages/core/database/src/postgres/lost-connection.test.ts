import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { isUnavailable } from '../index.ts';
import { testEngines } from '../testing/index.ts';

const [, postgres] = await testEngines();

describe.skipIf(postgres?.skip !== undefined)(`a connection that is lost, on ${postgres?.title}`, () => {
  // An error without a listener would end the process.
  it.each(['between two statements', 'during a statement'])(
    '%s fails its transaction, and nothing else',
    async (when) => {
      await using place = await postgres!.createPlace();
      const database = await place.open();
      const other = await place.open();
      const failed = database.transaction<object, void>(async (tx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
        const end = () => sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(other.tables());
        if (when === 'during a statement') {
          const ended = new Promise((resolve) => setTimeout(resolve, 50)).then(end);
          await Promise.all([sql`select pg_sleep(30)`.execute(tx), ended]);
        } else {
          await end();
          // The pool notices the loss before the next query.
          await new Promise((resolve) => setTimeout(resolve, 100));
          await sql`select 1`.execute(tx);
        }
      });
      const error = await failed.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect([error, isUnavailable(error)]).toEqual([expect.any(Error), true]);
      await database.transaction<object, void>(async (tx) => void (await sql`select 1`.execute(tx)));
      await database.ping();
    },
  );
});
