import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellOf, openBook } from '@leeward/books';
import { openRows } from '@leeward/rows';
import { describe, it } from 'vitest';
import { type Case, holdTo } from './hold-to.ts';
import { openCorpus } from './open-corpus.ts';

const corpus = openCorpus('csv-spectrum');

type Row = Readonly<Record<string, unknown>>;

function casesOf(read: (path: string) => Promise<readonly Row[]>): Case[] {
  const folder = join(corpus!.folder, 'csvs');
  return readdirSync(folder).map((file) => ({
    id: file,
    async run() {
      const expected = readFileSync(join(corpus!.folder, 'json', file.replace(/csv$/, 'json')), 'utf8');
      const [actual, wanted] = [await read(join(folder, file)), JSON.parse(expected)].map((rows) =>
        JSON.stringify(rows),
      );
      return actual === wanted ? undefined : `is ${actual}, not ${wanted}`;
    },
  }));
}

describe.skipIf(!corpus)('csv-spectrum', () => {
  it('holds for rows of CSV', async () => {
    const read = async (path: string): Promise<readonly Row[]> => {
      const file = await openRows(path);
      if (file.format !== 'csv') throw new Error('The file is read as NDJSON.');
      const rows: Row[] = [];
      for await (const { cells, fault } of file.rows) {
        if (cells === undefined) throw new Error(fault.message);
        rows.push(Object.fromEntries(file.columns.map((name, index) => [name, cells[index]])));
      }
      return rows;
    };
    await holdTo('csv-spectrum', casesOf(read), corpus!);
  });

  it('holds for books of CSV', async () => {
    const read = async (path: string): Promise<readonly Row[]> => {
      const book = await openBook(path, { name: 'book' });
      const rows: Row[] = [];
      for await (const { names, columns, rows: count, unread } of book.batches()) {
        if (unread[0]) throw new Error(unread[0].message);
        for (let row = 0; row < count; row++) {
          rows.push(Object.fromEntries(names.map((name, index) => [name, cellOf(columns[index], row) ?? ''])));
        }
      }
      await book.close();
      return rows;
    };
    await holdTo('csv-spectrum-books', casesOf(read), corpus!);
  });
});
