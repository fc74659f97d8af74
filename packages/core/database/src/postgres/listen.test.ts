import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { testEngines } from '../testing/index.ts';

const engines = await testEngines();
const channel = `leeward_test_${process.pid}`;

function createEar() {
  const heard: string[] = [];
  return {
    heard,
    onMessage: (message: string) => void heard.push(message),
    onMissed: () => void heard.push('missed'),
    async until(count: number) {
      while (heard.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
      return heard;
    },
  };
}

for (const engine of engines.filter(({ engine }) => engine === 'postgres')) {
  describe.skipIf(engine.skip !== undefined)('a notification', () => {
    it('arrives from other connections, in order, and after a reconnection', async () => {
      await using place = await engine.createPlace();
      const [speaker, hearer] = [await place.open(), await place.open()];
      const ear = createEar();
      const end = await hearer.subscribe(channel, ear);
      await speaker.notify(channel, ['a', "b'c"]);
      await speaker.notify(channel, []);
      await speaker.notify(`${channel}_other`, ['nobody’s']);
      await speaker.notify(channel, ['x'.repeat(7900)]);
      expect(await ear.until(4)).toEqual(['missed', 'a', "b'c", 'x'.repeat(7900)]);
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'leeward listens' and query like ${`%${channel}"`}`.execute(speaker.tables());
      expect((await ear.until(5)).at(-1)).toBe('missed');
      await speaker.notify(channel, ['again']);
      expect((await ear.until(6)).at(-1)).toBe('again');
      await end();
      await speaker.notify(channel, ['to nobody']);
      await end();
      expect(ear.heard).toHaveLength(6);
    });
  });
}

it('is not available for a file, whose commits are counted instead', async () => {
  const [sqlite] = engines.filter(({ engine }) => engine === 'sqlite');
  await using place = await sqlite!.createPlace();
  const database = await place.open();
  const ear = createEar();
  const end = await database.subscribe(channel, ear);
  await database.notify(channel, ['a']);
  await end();
  expect(ear.heard).toEqual([]);
});
