import { randomUUID } from 'node:crypto';
import type { Database } from '@leeward/database';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { eraseTeam } from '../orchestrator/eraser.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody, exampleFields } from '../testing/example-request.ts';
import { type FieldEncryption, readKeys, sealUnder } from './field-cipher.ts';
import { UnreadableFieldsError } from './field-keys.ts';
import { openFieldKeys } from './open-field-keys.ts';
import { createStoreContext } from './store-context.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
const keyOf = (id: string, byte: number) => ({ id, key: Buffer.alloc(32, byte) });
const [first, second] = [keyOf('k_1', 1), keyOf('k-1', 2)];
const rotated: FieldEncryption = { current: second, previous: [first] };

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`Keys of quotes on ${engine.title}`, { concurrent: true }, () => {
    const carrier = () => scriptedCarrier(async () => quotedAt(1000n));
    async function filled(encryption: FieldEncryption | undefined, quotes: number) {
      const bench = await createBench(engine, [carrier()], { work: false, encryption });
      const database = await bench.place.open();
      for (let index = 0; index < quotes; index++) await bench.quotes.create('team-1', ho3);
      const { cipher } = createStoreContext({ database, clock: undefined, encryption });
      const [rate] = (await sql<{ id: string }>`select id from quote_rate`.execute(database.tables())).rows;
      const sealed = await cipher.seal('team-1', { number: 7 }, 'document d-1');
      const answer = JSON.stringify({
        documents: [{ id: 'd-1', kind: 'quote', sealed }],
        message: 'A "sealed" thing.',
      });
      const pending = await cipher.seal('team-1', { keep: {}, failures: 0 }, rate!.id);
      await sql`update quote_rate set answer = ${answer}, pending = ${pending} where id = ${rate!.id}`.execute(
        database.tables(),
      );
      await bench.quotes.webhooks.create('team-1', { url: `https://example.com/${randomUUID()}` });
      const keys = (more: FieldEncryption | undefined) => openFieldKeys({ database, encryption: more });
      return { bench, database, keys, rateId: rate!.id };
    }
    const usesOf = async (keys: ReturnType<typeof openFieldKeys>) =>
      (await keys.use()).map(({ place, keyId, kind, rows, isReadable }) => [place, keyId, kind, rows, isReadable]);

    it('are counted by the rows that need them', async () => {
      const { bench, keys } = await filled({ current: first }, 3);
      await using _ = bench;
      const uses = (keyId: string | null, isReadable: boolean) => [
        ['fields', keyId, 'envelope', 3, isReadable],
        ['pending', keyId, 'envelope', 1, isReadable],
        ['documents', keyId, 'envelope', 1, isReadable],
        ['webhooks', keyId, 'envelope', 1, isReadable],
      ];
      expect(await usesOf(keys({ current: first }))).toEqual(uses('k_1', true));
      expect(await usesOf(keys(rotated))).toEqual(uses('k_1', true));
      expect(await usesOf(keys(undefined))).toEqual(uses('k_1', false));
      expect(await usesOf(keys({ current: keyOf('k_1', 9) }))).toEqual(uses('k_1', false));
    });

    it('are required by a service before it starts', async () => {
      const { bench, keys } = await filled({ current: first }, 2);
      await using _ = bench;
      const fails = async (encryption: FieldEncryption | undefined) => {
        const error = await keys(encryption)
          .check()
          .catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(UnreadableFieldsError);
        const service = await bench.join({ encryption });
        await expect(service.ready()).rejects.toThrow((error as Error).message);
        return (error as UnreadableFieldsError).message;
      };
      for (let round = 0; round < 2; round++) {
        expect(await fails(undefined)).toContain('"k_1", not configured here');
        expect(await fails({ current: second })).toContain('LEEWARD_FIELDS_PREVIOUS_KEYS');
        expect(await fails({ current: keyOf('k_1', 9) })).toContain('another key than the one configured as "k_1"');
        await keys(rotated).check();
        await keys({ current: first, previous: [second] }).check();
      }
    });

    it.each(['plain text', 'keys without data keys'])(
      'are moved from %s to envelopes, then rewrapped',
      async (from) => {
        const { bench, database, keys, rateId } = await filled(undefined, 130);
        await using _ = bench;
        const db = database.tables();
        if (from !== 'plain text') {
          const key = readKeys({ current: first }).local.get(first.id)!;
          const { rows } = await sql<{ id: string; fields: string }>`select id, fields from quote_request`.execute(db);
          for (const { id, fields } of rows) {
            const sealed = sealUnder(key, JSON.parse(fields), id);
            await sql`update quote_request set fields = ${sealed} where id = ${id}`.execute(db);
          }
          expect(await usesOf(keys({ current: first }))).toContainEqual(['fields', first.id, 'direct', 130, true]);
          expect(await usesOf(keys({ current: second }))).toContainEqual(['fields', first.id, 'direct', 130, false]);
          await expect(keys({ current: second }).check()).rejects.toThrow('"k_1", not configured here');
          const reading = await bench.join({ encryption: { current: first } });
          expect((await reading.list('team-1')).quotes[0]).toMatchObject({ insured_initials: 'DW' });
        }
        const seen: number[] = [];
        const moved = { keys: 0, rows: 133, unreadable: 0 };
        expect(await keys({ current: first }).reencrypt((rows) => seen.push(rows))).toEqual(moved);
        expect(seen).toEqual([100, 130, 131, 132, 133]);
        const none = { keys: 0, rows: 0, unreadable: 0 };
        expect(await keys({ current: first }).reencrypt()).toEqual(none);
        expect(await keys({ current: second }).reencrypt()).toEqual({ ...none, unreadable: 1 });
        const before = await sql`select fields from quote_request order by id`.execute(db);
        expect(await keys(rotated).reencrypt()).toEqual({ ...none, keys: 1 });
        expect((await sql`select fields from quote_request order by id`.execute(db)).rows).toEqual(before.rows);
        expect(await keys(rotated).rotate('team-1')).toBe(true);
        expect(await keys(rotated).reencrypt()).toEqual(moved);
        expect(await keys(rotated).rotate('team-2')).toBe(false);
        expect((await usesOf(keys({ current: second }))).map(([, ...use]) => use.toSpliced(2, 1))).toEqual(
          Array(4).fill(['k-1', 'envelope', true]),
        );
        await keys({ current: second }).check();
        await expect(keys({ current: first }).check()).rejects.toBeInstanceOf(UnreadableFieldsError);
        const { cipher } = createStoreContext({ database, clock: undefined, encryption: { current: second } });
        const { rows } = await sql<{ id: string; fields: string }>`select id, fields from quote_request`.execute(db);
        for (const { id, fields } of rows) expect(await cipher.open(fields, id)).toMatchObject(exampleFields);
        const [rate] = (
          await sql<{
            answer: string;
            pending: string;
          }>`select answer, pending from quote_rate where id = ${rateId}`.execute(db)
        ).rows;
        const { documents, message } = JSON.parse(rate!.answer);
        expect(message).toBe('A "sealed" thing.');
        expect(await cipher.open(documents[0].sealed, 'document d-1')).toEqual({ number: 7 });
        expect(await cipher.open(rate!.pending, rateId)).toEqual({ keep: {}, failures: 0 });
      },
    );

    it('re-encrypt rows that others create, change and erase at the same time', async () => {
      const seen = new Map<string, unknown>();
      const looks = new Map<string, number>();
      const waiting = scriptedCarrier(
        async ({ rateId }) => ({ outcome: 'pending', pending: { keep: { job: rateId }, pollAfterMs: 1 } }),
        {
          limits: { concurrency: 4, backoff: { initialMs: 10, maxMs: 50 } },
          openDocument: () => Promise.reject(new Error('No document is read.')),
          async resume({ rateId, quoteRequestId, fields }, { keep }) {
            if (keep['job'] !== rateId) throw new Error(`${rateId} resumes with ${JSON.stringify(keep)}`);
            const look = (looks.get(rateId) ?? 0) + 1;
            looks.set(rateId, look);
            if (look < 3) return { outcome: 'pending', pending: { keep, pollAfterMs: 1 } };
            seen.set(quoteRequestId, fields);
            return {
              ...quotedAt(1000n),
              documents: [{ title: 'Quote', mediaType: 'application/pdf', keep: { of: rateId } }],
            };
          },
        },
      );
      await using bench = await createBench(engine, [waiting], { work: false, encryption: { current: first } });
      const created: string[] = [];
      for (let index = 0; index < 30; index++)
        created.push((await bench.quotes.create('team-1', ho3)).quote_request_id);
      const erased = created.splice(0, 5);
      const service = await bench.join({ encryption: rotated });
      await service.start();
      const database = await bench.place.open();
      // Erases a quote of each batch between reading and writing.
      const disturbed = Object.create(database, {
        transaction: {
          value: async (work: never) => {
            const id = left.pop();
            if (id !== undefined) await service.erase('team-1', id);
            return database.transaction(work);
          },
        },
      }) as Database;
      const left = [...erased];
      const keys = openFieldKeys({ database: disturbed, encryption: rotated });
      const creates = (async () => {
        for (let index = 0; index < 20; index++) {
          created.push((await service.create('team-1', ho3)).quote_request_id);
          const again = await service.requote('team-1', created[index]!, { fields: { dwelling_a: 400_000 } });
          created.push(again!.quote_request_id);
        }
      })();
      let isBusy = true;
      const encrypts = (async () => {
        let round = 0;
        do {
          if (round++ === 0) await keys.rotate('team-1');
          expect(await keys.reencrypt()).toMatchObject({ unreadable: 0 });
          await new Promise(setImmediate);
        } while (isBusy || left.length > 0);
      })();
      await creates;
      for (const id of created) await bench.completed(id, 60_000);
      isBusy = false;
      await encrypts;
      await keys.reencrypt();

      const only = openFieldKeys({ database, encryption: { current: second } });
      await only.check();
      expect(await usesOf(only)).toEqual([
        ['fields', 'k-1', 'envelope', created.length, true],
        ['documents', 'k-1', 'envelope', created.length, true],
      ]);
      const { rows } = await sql<{ id: string }>`
        select id from quote_request where erased_at is not null and fields is null`.execute(database.tables());
      expect(rows.map(({ id }) => id).toSorted()).toEqual(erased.toSorted());
      expect(created.filter((id) => !seen.has(id))).toEqual([]);
      const answers = await sql<{ answer: string }>`
        select answer from quote_rate where outcome = 'quoted' and answer is not null`.execute(database.tables());
      const { cipher } = createStoreContext({ database, clock: undefined, encryption: { current: second } });
      for (const { answer } of answers.rows) {
        const { documents } = JSON.parse(answer);
        expect(await cipher.open(documents[0].sealed, `document ${documents[0].id}`)).toMatchObject({
          keep: { of: expect.any(String) },
        });
      }
      expect(answers.rows).toHaveLength(created.length);
    });

    it('of an erased team leave its values unreadable, also in a backup of the data', async () => {
      const { bench, database, keys } = await filled({ current: first }, 3);
      await using _ = bench;
      const db = database.tables();
      const { rows: backup } = await sql<{ id: string; fields: string }>`select id, fields from quote_request`.execute(
        db,
      );
      expect(await eraseTeam({ database, teamId: 'team-1' })).toBe(3);
      expect(await usesOf(keys({ current: first }))).toEqual([]);
      for (const { id, fields } of backup) {
        await sql`update quote_request set fields = ${fields}, erased_at = null where id = ${id}`.execute(db);
      }
      expect(await usesOf(keys({ current: first }))).toEqual([['fields', null, 'erased', 3, false]]);
      expect(await keys({ current: first }).reencrypt()).toEqual({ keys: 0, rows: 0, unreadable: 0 });
      const service = await bench.join({ encryption: { current: first } });
      await service.ready();
      expect((await service.list('team-1')).quotes.map((quote) => quote.insured_initials)).toEqual([null, null, null]);
      const insured = { insured_email: exampleFields['insured_email'] };
      expect(await service.eraseInsured('team-1', insured)).toEqual({ erased: [], unreadable: 0 });
      await service.create('team-1', ho3);
      expect((await service.list('team-1')).quotes[0]).toMatchObject({ insured_initials: 'DW' });
    });

    it('that are lost can be erased with only the data that needs them', async () => {
      const { bench, database, keys, rateId } = await filled({ current: first }, 130);
      await using _ = bench;
      const service = await bench.join({ encryption: { current: second } });
      await expect(service.create('team-1', ho3)).rejects.toThrow('"k_1", which is not configured');
      const db = database.tables();
      const { rows: others } = await sql<{ id: string; quote_id: string }>`
        select id, quote_id from quote_rate
        where id <> ${rateId} and quote_id in (select id from quote_request where fields like 'aes-256-gcm.@%') limit 1`.execute(
        db,
      );
      const documents = others[0]!;
      await sql`update quote_rate set answer = (select answer from quote_rate where id = ${rateId}) where id = ${documents.id}`.execute(
        db,
      );
      const { rows: pending } = await sql<{
        quote_id: string;
      }>`select quote_id from quote_rate where id = ${rateId}`.execute(db);
      const readable = [documents.quote_id, pending[0]!.quote_id];
      for (const id of readable) {
        const fields = sealUnder(readKeys({ current: second }).local.get(second.id)!, exampleFields, id);
        await sql`update quote_request set fields = ${fields} where id = ${id}`.execute(db);
      }
      const left = keys({ current: second });
      await expect(keys(rotated).erase('k_1')).rejects.toThrow('"k_1" is configured');
      expect(await usesOf(keys(rotated))).toContainEqual(['fields', 'k_1', 'envelope', 128, true]);
      await expect(service.ready()).rejects.toThrow('leeward keys erase KEY_ID');

      const named: string[] = [];
      const done = await left.erase('k_1', async (quotes) => {
        for (const { quoteId, teamId } of quotes) named.push(`${teamId} ${quoteId}`);
      });
      expect(done).toEqual({ quotes: 128, rates: 2, webhooks: 1 });
      expect(new Set(named).size).toBe(128);
      await service.ready();
      expect(await usesOf(left)).toEqual([
        ['fields', 'k-1', 'direct', 2, true],
        ['webhooks', 'k-1', 'envelope', 1, true],
      ]);
      expect(await left.erase('k_1')).toEqual({ quotes: 0, rates: 0, webhooks: 0 });
      const { rows } = await sql<{ id: string; answer: string; wake_at: number | null }>`
        select id, answer, wake_at from quote_rate where id in (${rateId}, ${documents.id})`.execute(db);
      const answers = new Map(rows.map(({ id, answer, wake_at }) => [id, { answer: JSON.parse(answer), wake_at }]));
      expect(answers.get(documents.id)?.answer).toEqual({ message: 'A "sealed" thing.' });
      expect(answers.get(rateId)).toMatchObject({ answer: { error: { code: 'erased' } }, wake_at: null });
      const remaining = await sql<{ id: string }>`select id from quote_request where erased_at is null`.execute(db);
      expect(remaining.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(readable));
      expect(await service.webhooks.list('team-1')).toMatchObject([
        { state: 'disabled', disabled_reason: expect.stringContaining('rotate the secret') },
      ]);
    });
  });
}
