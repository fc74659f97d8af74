import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody, exampleFields } from '../testing/example-request.ts';
import { eraseTeam } from './eraser.ts';
import { openErasures } from './erasures.ts';

const encryption = { current: { id: 'k1', key: Buffer.alloc(32, 1) } };

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`the list of erasures on ${engine.title}`, { concurrent: true }, () => {
    it('of an insured ends early when its caller is gone, and goes on when it is repeated', async () => {
      await using bench = await createBench(engine, [scriptedCarrier(async () => quotedAt(1000n))], { work: false });
      const { quotes } = bench;
      for (let count = 0; count < 25; count++) await quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
      const insured = { insured_email: exampleFields.insured_email };
      const { erased } = await quotes.eraseInsured('team-1', insured, { pause: async () => false });
      expect(erased).toHaveLength(20);
      expect((await quotes.eraseInsured('team-1', insured)).erased).toHaveLength(5);
    });

    it.each([[encryption], [undefined]])('erases again after a restore, and keeps newer quotes (%o)', async (keys) => {
      const carrier = scriptedCarrier(async () => quotedAt(1000n));
      await using bench = await createBench(engine, [carrier], { work: false, encryption: keys });
      const { quotes } = bench;
      const database = await bench.place.open();
      const db = database.tables();
      const create = async (email: string) => {
        const fields = { ...exampleFields, insured_email: email };
        return (await quotes.create('team-1', { ...exampleBody, form_types: ['ho3'], fields })).quote_request_id;
      };
      const [person, single, other] = [
        await create('gone@example.com'),
        await create('one@example.com'),
        await create('two@example.com'),
      ];
      const { rows: backup } = await sql<{ id: string; fields: string }>`select id, fields from quote_request`.execute(
        db,
      );
      const insured = { insured_email: ' GONE@example.com' };
      expect(await quotes.eraseInsured('team-1', insured)).toMatchObject({ erased: [person] });
      await quotes.erase('team-1', single!);
      const erasures = await openErasures({ database, encryption: keys }).list();
      expect(erasures.map(({ kind }) => kind).toSorted()).toEqual(['insured', 'quote']);
      expect(JSON.stringify(erasures)).not.toMatch(/gone/i);
      const newer = await create('gone@example.com');

      const restore = async () => {
        for (const { id, fields } of backup) {
          await sql`update quote_request set fields = ${fields}, erased_at = null where id = ${id}`.execute(db);
        }
        await sql`delete from quote_erasure`.execute(db);
      };
      const left = async () =>
        (await sql<{ id: string }>`select id from quote_request where erased_at is null`.execute(db)).rows.map(
          ({ id }) => id,
        );
      await restore();
      const replay = () => openErasures({ database, encryption: keys }).replay(erasures);
      expect(await replay()).toEqual({ quotes: 2, unreadable: 0 });
      expect((await left()).toSorted()).toEqual([other, newer].toSorted());
      expect(await replay()).toEqual({ quotes: 0, unreadable: 0 });
      expect(await openErasures({ database, encryption: keys }).list()).toHaveLength(2);

      await eraseTeam({ database, teamId: 'team-1' });
      const all = await openErasures({ database, encryption: keys }).list();
      const afterwards = await create('new@example.com');
      await restore();
      expect(await openErasures({ database, encryption: keys }).replay(all)).toEqual({ quotes: 3, unreadable: 0 });
      expect(await left()).toEqual([afterwards]);
    });
  });
}
