import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openFieldKeys } from '../open-field-keys.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../test-bench.ts';
import { exampleBody, exampleFields } from '../testing/example-request.ts';
import { createFieldCipher, type FieldEncryption } from './field-cipher.ts';
import { UnreadableFieldsError } from './field-keys.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
const keyOf = (id: string, byte: number) => ({ id, key: Buffer.alloc(32, byte) });
const [first, second] = [keyOf('k_1', 1), keyOf('k-1', 2)];
const rotated: FieldEncryption = { current: second, previous: [first] };

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`Keys of quotes on ${engine.title}`, { concurrent: true }, () => {
    const carrier = () => scriptedCarrier(async () => quotedAt(1000n));
    /** Quotes, and one of each other thing that is encrypted, under a key. */
    async function filled(encryption: FieldEncryption | undefined, quotes: number) {
      const bench = await createBench(engine, [carrier()], { work: false, encryption });
      const database = await bench.place.open();
      for (let index = 0; index < quotes; index++) await bench.quotes.create('team-1', ho3);
      const cipher = createFieldCipher(encryption);
      const [rate] = (await sql<{ id: string }>`select id from quote_rate`.execute(database.tables())).rows;
      const sealed = cipher.seal({ number: 7 }, 'document d-1');
      const answer = JSON.stringify({
        documents: [{ id: 'd-1', kind: 'quote', sealed }],
        message: 'A "sealed" thing.',
      });
      const pending = cipher.seal({ keep: {}, failures: 0 }, rate!.id);
      await sql`update quote_rate set answer = ${answer}, pending = ${pending} where id = ${rate!.id}`.execute(
        database.tables(),
      );
      await bench.quotes.webhooks.create('team-1', { url: `https://example.com/${randomUUID()}` });
      const keys = (more: FieldEncryption | undefined) => openFieldKeys({ database, encryption: more });
      return { bench, database, keys, rateId: rate!.id };
    }
    const usesOf = async (keys: ReturnType<typeof openFieldKeys>) =>
      (await keys.use()).map(({ place, keyId, rows, isReadable }) => [place, keyId, rows, isReadable]);

    it('are counted by what needs them', async () => {
      const { bench, keys } = await filled({ current: first }, 3);
      await using _ = bench;
      const uses = (keyId: string | null, isReadable: boolean) => [
        ['fields', keyId, 3, isReadable],
        ['pending', keyId, 1, isReadable],
        ['documents', keyId, 1, isReadable],
        ['webhooks', keyId, 1, isReadable],
      ];
      expect(await usesOf(keys({ current: first }))).toEqual(uses('k_1', true));
      expect(await usesOf(keys(rotated))).toEqual(uses('k_1', true));
      expect(await usesOf(keys(undefined))).toEqual(uses('k_1', false));
      expect(await usesOf(keys({ current: keyOf('k_1', 9) }))).toEqual(uses('k_1', false));
    });

    it('are missed by a service that does not have them, before it does anything', async () => {
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
        // The second round knows the keys by what the first kept of them.
        await keys(rotated).check();
        await keys({ current: first, previous: [second] }).check();
      }
    });

    it('are needed no longer when all is encrypted again, a row that is not readable aside', async () => {
      const { bench, database, keys, rateId } = await filled(undefined, 130);
      await using _ = bench;
      const seen: number[] = [];
      expect(await keys({ current: first }).reencrypt((rows) => seen.push(rows))).toEqual({ rows: 133, unreadable: 0 });
      expect(seen).toEqual([100, 130, 131, 132, 133]);
      expect(await keys({ current: first }).reencrypt()).toEqual({ rows: 0, unreadable: 0 });
      expect(await keys({ current: second }).reencrypt()).toEqual({ rows: 0, unreadable: 133 });
      await keys(rotated).reencrypt();
      expect((await usesOf(keys({ current: second }))).every(([, id, , readable]) => id === 'k-1' && readable)).toBe(
        true,
      );
      await keys({ current: second }).check();
      await expect(keys({ current: first }).check()).rejects.toBeInstanceOf(UnreadableFieldsError);
      // All of it still means what it did.
      const cipher = createFieldCipher({ current: second });
      const db = database.tables();
      const { rows } = await sql<{ id: string; fields: string }>`select id, fields from quote_request`.execute(db);
      for (const { id, fields } of rows) expect(cipher.open(fields, id)).toMatchObject(exampleFields);
      const [rate] = (
        await sql<{
          answer: string;
          pending: string;
        }>`select answer, pending from quote_rate where id = ${rateId}`.execute(db)
      ).rows;
      const { documents, message } = JSON.parse(rate!.answer);
      expect(message).toBe('A "sealed" thing.');
      expect(cipher.open(documents[0].sealed, 'document d-1')).toEqual({ number: 7 });
      expect(cipher.open(rate!.pending, rateId)).toEqual({ keep: {}, failures: 0 });
    });
  });
}
