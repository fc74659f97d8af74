import { join } from 'node:path';
import type { Case } from './hold-to.ts';
import { expectedParquet, type parquetCorpora, parquetFiles } from './parquet-files.ts';
import type { BookToRead } from './read-books.program.ts';
import { columnIds, faultOf, readBooks } from './read-books.ts';

/**
 * A case for each Parquet file of a corpus, and one for each of its columns that Arrow C++ reads. A column of a file that is damaged on
 * purpose may be refused.
 */
export async function parquetCases(corpus: (typeof parquetCorpora)[number], folder: string): Promise<Case[]> {
  const books = parquetFiles(corpus, folder).map(
    (file): BookToRead => ({ id: file, path: join(folder, file), format: 'parquet', isStream: false }),
  );
  const outcomes = await readBooks(books);
  const expected = expectedParquet();
  return books.flatMap((book): Case[] => {
    const { id } = book;
    const outcome = outcomes.get(id)!;
    const isDamaged = /^bad_data\/|-INVALID\.parquet$/.test(id);
    const refusal = 'error' in outcome ? outcome.error : undefined;
    const expectedHashes = Object.entries(expected[`${corpus}/${id}`] ?? {});
    const isRefusedWrongly = refusal !== undefined && expectedHashes.length > 0 && !isDamaged;
    const file: Case = { id, run: () => faultOf(book, outcome) ?? (isRefusedWrongly ? refusal : undefined) };
    if (!('columns' in outcome) || refusal !== undefined) return [file];
    const ids = columnIds(outcome.columns.map(({ name }) => name));
    const columns = expectedHashes.map(([name, hash]): Case => {
      const run = () => {
        const column = outcome.columns[ids.indexOf(name)];
        if (!column) return 'is missing';
        if ('error' in column) return isDamaged ? undefined : column.error;
        return column.hash === hash ? undefined : `has other values: ${column.first.join(', ').slice(0, 2000)}`;
      };
      return { id: `${id}#${name}`, run };
    });
    return [file, ...columns];
  });
}
