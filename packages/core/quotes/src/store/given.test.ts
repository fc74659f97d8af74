import { UnstorableValueError } from '@leeward/database';
import { testEngines } from '@leeward/database/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { given } from './given.ts';

const columns = { given_id: 'text', given_count: 'integer', given_cents: 'bigint' } as const;
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
  describe.skipIf(engine.skip !== undefined)(`rows given to a statement, on ${engine.title}`, () => {
    it('come as they went in, none or many', async () => {
      await using place = await engine.createPlace();
      await using database = await place.open();
      const read = async (rows: Parameters<typeof given<keyof typeof columns>>[2]) =>
        (await sql`with ${given({ database }, columns, rows)} select * from given`.execute(database.tables())).rows;
      expect(await read([])).toEqual([]);
      const rows = [
        ...words.map((word, index) => ({
          given_id: word,
          given_count: 3 - index,
          given_cents: BigInt(index) * 10n ** 17n,
        })),
        { given_id: null, given_count: null, given_cents: null },
      ];
      expect(await read(rows)).toEqual(
        rows.map((row) => ({
          ...row,
          given_cents:
            row.given_cents === null || row.given_cents > Number.MAX_SAFE_INTEGER
              ? row.given_cents
              : Number(row.given_cents),
        })),
      );
      const many = Array.from({ length: 5000 }, (_, index) => ({
        given_id: `rate-${index}`,
        given_count: index,
        given_cents: index * 100,
      }));
      expect(await read(many)).toEqual(many);
    });

    it('are refused where an engine would store them otherwise', async () => {
      await using place = await engine.createPlace();
      await using database = await place.open();
      for (const word of ['a\0b', 'half \ud800']) {
        const rows = [{ given_id: word, given_count: 1, given_cents: 1n }];
        expect(() => given({ database }, columns, rows)).toThrow(UnstorableValueError);
      }
    });
  });
}
