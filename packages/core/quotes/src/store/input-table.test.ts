import { UnstorableValueError } from '@leeward/database';
import { testEngines } from '@leeward/database/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { inputTable } from './input-table.ts';

const columns = { input_id: 'text', input_count: 'integer', input_cents: 'bigint' } as const;
const words = [
  'plain',
  '',
  'null',
  'NULL',
  '"quoted"',
  "it's",
  'back\\slash',
  '{a,b}',
  'a, b',
  ' spaces ',
  'ü 𝒳',
  '\n\t$1',
];

for (const engine of await testEngines()) {
  describe.skipIf(engine.skip !== undefined)(`input rows of a statement, on ${engine.title}`, () => {
    it('are read back unchanged, for any number of rows', async () => {
      await using place = await engine.createPlace();
      await using database = await place.open();
      const read = async (rows: Parameters<typeof inputTable<keyof typeof columns>>[2]) =>
        (await sql`with ${inputTable({ database }, columns, rows)} select * from input`.execute(database.tables()))
          .rows;
      expect(await read([])).toEqual([]);
      const rows = [
        ...words.map((word, index) => ({
          input_id: word,
          input_count: 3 - index,
          input_cents: BigInt(index) * 10n ** 17n,
        })),
        { input_id: null, input_count: null, input_cents: null },
      ];
      expect(await read(rows)).toEqual(
        rows.map((row) => ({
          ...row,
          input_cents:
            row.input_cents === null || row.input_cents > Number.MAX_SAFE_INTEGER
              ? row.input_cents
              : Number(row.input_cents),
        })),
      );
      const many = Array.from({ length: 5000 }, (_, index) => ({
        input_id: `rate-${index}`,
        input_count: index,
        input_cents: index * 100,
      }));
      expect(await read(many)).toEqual(many);
    });

    it('are rejected if an engine would store them differently', async () => {
      await using place = await engine.createPlace();
      await using database = await place.open();
      for (const word of ['a\0b', 'half \ud800']) {
        const rows = [{ input_id: word, input_count: 1, input_cents: 1n }];
        expect(() => inputTable({ database }, columns, rows)).toThrow(UnstorableValueError);
      }
    });
  });
}
