import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readGolden } from './arrow-golden.ts';
import { hashValues } from './hash-values.ts';
import { type Case, holdTo } from './hold-to.ts';
import { openCorpus } from './open-corpus.ts';
import { parquetCases } from './parquet-cases.ts';
import type { BookToRead } from './read-books.program.ts';
import { columnIds, faultOf, filesOf, readBooks } from './read-books.ts';

const corpus = openCorpus('arrow-testing');

/** A file is read as such and as a stream of its bytes. */
const bothWays = (folder: string, id: string): BookToRead[] => [
  { id, path: join(folder, id), format: 'arrow', isStream: false },
  { id: `${id}@stream`, path: join(folder, id), format: 'arrow', isStream: true },
];

describe.skipIf(!corpus)('arrow-testing', () => {
  const { folder, isWhole } = corpus ?? { folder: '', isWhole: false };

  it('files and streams have the values of their JSON, or are refused by name', async () => {
    const files = filesOf(folder, /^data\/arrow-ipc-stream\/integration\/.*\.(arrow_file|stream)$/);
    const books = files.flatMap((file) => bothWays(folder, file));
    const outcomes = await readBooks(books);
    const cases = books.flatMap((book): Case[] => {
      const outcome = outcomes.get(book.id)!;
      const id = book.id.replace(/^.*integration\//, '');
      const refusal = 'error' in outcome ? outcome.error : undefined;
      const file: Case = { id, run: () => faultOf(book, outcome) ?? refusal };
      if (!('columns' in outcome) || refusal !== undefined) return [file];
      const json = book.path.replace(/\.[^.]+$/, '.json.gz');
      const golden = readGolden(JSON.parse(gunzipSync(readFileSync(json)).toString('utf8')));
      const ids = columnIds(golden.map(({ name }) => name));
      const columns = golden.map(({ values, typeName }, place): Case => {
        const run = () => {
          const column = outcome.columns[place];
          if (!column) return 'is missing';
          if ('error' in column) return column.error;
          if (!values) return `is of type ${typeName}, which has no form in a request: ${column.first.join(', ')}`;
          return column.hash === hashValues(values) ? undefined : `has other values: ${column.first.join(', ')}`;
        };
        return { id: `${id}#${ids[place]}`, run };
      });
      return [file, ...columns];
    });
    expect(cases.length).toBeGreaterThan(200);
    await holdTo('arrow-testing', cases, { isWhole });
  });

  it('Parquet files have the values that Arrow C++ reads', async () => {
    await holdTo('arrow-testing-parquet', await parquetCases('arrow-testing', folder), { isWhole });
  });

  it('files of fuzzing are read or refused by name, in time and in little memory', async () => {
    const arrow = filesOf(
      folder,
      /^data\/(arrow-ipc-file|arrow-ipc-stream|arrow-ipc-tensor-stream|forward-compatibility)\/[^/]+$/,
    );
    const parquet = filesOf(folder, /^data\/parquet\/(encoding-fuzzing\/[^/]+|fuzzing\/[^/]+|timestamp\.data)$/);
    const books = [
      ...arrow.flatMap((id) => bothWays(folder, id)),
      ...parquet.map((id): BookToRead => ({ id, path: join(folder, id), format: 'parquet', isStream: false })),
    ].filter(({ id }) => !/README\.md(@stream)?$/.test(id));
    const outcomes = await readBooks(books);
    const cases = books.map((book): Case => ({ id: book.id, run: () => faultOf(book, outcomes.get(book.id)!) }));
    expect(cases.length).toBeGreaterThan(30);
    await holdTo('arrow-testing-fuzz', cases, { isWhole });
  });
});
