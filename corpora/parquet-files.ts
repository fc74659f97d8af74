import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from './read-books.ts';

/** Hash of the values of each column that Arrow C++ reads. */
export type ExpectedParquet = Readonly<Record<string, string>>;

export const parquetCorpora = ['parquet-testing', 'arrow-testing'] as const;

/** The Parquet files of a corpus, without those of fuzzing. */
export function parquetFiles(corpus: (typeof parquetCorpora)[number], folder: string): string[] {
  const pattern =
    corpus === 'parquet-testing'
      ? /^(data|bad_data|shredded_variant)\/.*\.parquet(\.encrypted)?$/
      : /^data\/parquet\/.*\.parquet$/;
  return filesOf(folder, pattern);
}

/** The expected values of all Parquet files, by corpus and path. */
export function expectedParquet(): Readonly<Record<string, ExpectedParquet>> {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'expected/parquet.json'), 'utf8'));
}
