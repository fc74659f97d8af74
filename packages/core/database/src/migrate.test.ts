import { describe, expect, it } from 'vitest';
import { cellsOfRow } from '../../../../test/support/test-volume.ts';
import { type Database, type Migration, MigrationError, type MigrationList } from './index.ts';
import { runTogether, startProgram } from './test-programs/run-program.ts';
import { testEngines } from './testing/index.ts';

const table = (name: string): Migration => ({
  name,
  async up(db) {
    await db.schema.createTable(name).addColumn('id', 'text').execute();
  },
});
const list = (name: string, ...migrations: Migration[]): MigrationList => ({ name, migrations });
const exists = (database: Database, name: string) =>
  database
    .tables<Record<string, { id: string }>>()
    .selectFrom(name)
    .select('id')
    .execute()
    .then(
      () => true,
      () => false,
    );

/** Delays before a process is killed, after its first marks, in ms. */
const killDelays = [0, 25];

for (const [index, engine] of (await testEngines()).entries()) {
  describe.skipIf(engine.skip !== undefined)(`migrate on ${engine.title}`, () => {
    it('applies each step of each list once, in order', async () => {
      await using place = await engine.createPlace();
      const database = await place.open();
      const accounts = list('accounts', table('a1'), table('a2'));
      const quotes = list('quotes', table('q1'));
      expect(await database.migrate([accounts])).toEqual(['accounts/a1', 'accounts/a2']);
      expect(await database.migrate([accounts, quotes])).toEqual(['quotes/q1']);
      expect(await database.migrate([quotes, accounts])).toEqual([]);
      expect(await database.migrate([list('accounts', table('a1'), table('a2'), table('a3'))])).toEqual([
        'accounts/a3',
      ]);
      for (const name of ['a1', 'a2', 'a3', 'q1']) expect(await exists(database, name)).toBe(true);
    });

    it('undoes everything when a step fails', async () => {
      await using place = await engine.createPlace();
      const database = await place.open();
      const broken: Migration = {
        name: 'broken',
        async up(db) {
          await db.schema.createTable('half').addColumn('id', 'text').execute();
          throw new Error('out of luck');
        },
      };
      await expect(database.migrate([list('x', table('first'), broken)])).rejects.toThrow('out of luck');
      expect(await exists(database, 'first')).toBe(false);
      expect(await exists(database, 'half')).toBe(false);
      expect(await database.migrate([list('x', table('first'))])).toEqual(['x/first']);
    });

    it('refuses a database of a newer program, and one whose steps are others', async () => {
      await using place = await engine.createPlace();
      const database = await place.open();
      await database.migrate([list('x', table('one'), table('two'))]);
      await expect(database.migrate([list('x', table('one'))])).rejects.toThrow(
        /"x\/two", which this program does not know/,
      );
      await expect(database.migrate([list('x', table('one'), table('other'))])).rejects.toThrow(MigrationError);
      await expect(place.open({ migrations: [list('x', table('one'))] })).rejects.toThrow(MigrationError);
      await expect(database.migrate([list('x'), list('x')])).rejects.toThrow(TypeError);
    });

    it('is done by one of several processes that start at once, and their writes do not collide', async () => {
      await using place = await engine.createPlace();
      await runTogether('count-up', [place.url, '75'], 2);
      const db = (await place.open()).tables<{ counter: { value: number } }>();
      expect(await db.selectFrom('counter').select('value').execute()).toEqual([{ value: 150 }]);
    });

    it('keeps what was acknowledged when the process is killed, and no half of a transaction', async () => {
      await using place = await engine.createPlace();
      const acknowledged: string[] = [];
      const delays = cellsOfRow(killDelays, index, 2);
      for (const delay of delays) {
        const child = startProgram('mark-until-killed', [place.url]);
        let printed = '';
        let isEnding = false;
        await new Promise<void>((resolve) => {
          child.stdout?.on('data', (chunk) => {
            printed += chunk;
            if (isEnding || printed.split('\n').length <= 12) return;
            isEnding = true;
            setTimeout(() => child.kill('SIGKILL'), delay);
          });
          child.on('close', () => resolve());
        });
        expect(child.signalCode).toBe('SIGKILL');
        acknowledged.push(...printed.split('\n').slice(0, -1));
      }
      expect(acknowledged.length).toBeGreaterThan(10 * delays.length);
      const db = (await place.open()).tables<{ mark: { id: string } }>();
      const present = new Set((await db.selectFrom('mark').select('id').execute()).map((row) => row.id));
      const lost = acknowledged.filter((id) => !present.has(`${id}-a`) || !present.has(`${id}-b`));
      expect(lost).toEqual([]);
      const halves = [...present].filter((id) => !present.has(id.replace(/[ab]$/, (end) => (end === 'a' ? 'b' : 'a'))));
      expect(halves).toEqual([]);
    });
  });
}
