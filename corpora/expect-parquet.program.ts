/**
 * Writes `expected/parquet.json`: the values of all Parquet files of the corpora as Arrow C++ reads them, as hashes. Needs pyarrow:
 * `LEEWARD_CORPORA=DIR node corpora/expect-parquet.program.ts .venv/bin/python`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashValues } from './hash-values.ts';
import { openCorpus } from './open-corpus.ts';
import { type ExpectedParquet, parquetCorpora, parquetFiles } from './parquet-files.ts';
import { columnIds } from './read-books.ts';

interface ReadByArrow {
  readonly error?: string;
  readonly columns?: readonly { readonly name: string; readonly values?: readonly unknown[] | null }[];
}

const expected: Record<string, ExpectedParquet> = {};
for (const corpus of parquetCorpora) {
  const { folder } = openCorpus(corpus)!;
  // Two texts of 1 GB: not for a test.
  const files = parquetFiles(corpus, folder).filter((file) => !file.endsWith('large_string_map.brotli.parquet'));
  const script = join(import.meta.dirname, 'parquet_values.py');
  const paths = files.map((file) => join(folder, file));
  const out = execFileSync(process.argv[2]!, [script, ...paths], { encoding: 'utf8', maxBuffer: 2 ** 30 });
  for (const [index, line] of out.trim().split('\n').entries()) {
    const { columns = [] } = JSON.parse(line) as ReadByArrow;
    const ids = columnIds(columns.map(({ name }) => name));
    const read = columns.flatMap(({ values }, place) => (values ? [[ids[place]!, hashValues(values)]] : []));
    expected[`${corpus}/${files[index]!}`] = Object.fromEntries(read);
  }
}
mkdirSync(join(import.meta.dirname, 'expected'), { recursive: true });
writeFileSync(join(import.meta.dirname, 'expected/parquet.json'), `${JSON.stringify(expected, null, 2)}\n`);
