import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { writeBooks } from '../books/write-books.ts';
import type { Row } from '../report.ts';
import { AS_OF, writeRulesFolder } from './book-folder.ts';

const root = join(import.meta.dirname, '../..');
const python = process.env['LEEWARD_PYTHON'] ?? join(root, '.venv/bin/python');
/** Homes are generated once, and repeated with other policy numbers. */
const MAX_DIFFERENT_HOMES = 1_000_000;

/**
 * Times whole commands on all cores, Parquet to Parquet with a policy number: `leeward book run`, Spark and Ray on one machine. Includes the
 * start of each engine. Compares each status of Spark and Ray with that of `book run`.
 */
export async function measureWholeBooks(
  rows: number,
  carriers: number,
): Promise<{ readonly rows: Row[]; readonly different: number }> {
  const folder = await writeRulesFolder(carriers);
  try {
    const duck = await (await DuckDBInstance.create()).connect();
    const { parquet } = await writeBooks(folder, Math.min(rows, MAX_DIFFERENT_HOMES));
    const times = Math.ceil(rows / MAX_DIFFERENT_HOMES);
    const book = join(folder, 'numbered.parquet');
    await duck.run(
      `copy (select row_number() over () as policy_id, b.* from '${parquet}' b, range(${times}) limit ${rows}) to '${book}' (format parquet, row_group_size 122880)`,
    );
    const outOf = (name: string) => join(folder, `${name}.out.parquet`);
    const program = [...process.execArgv, join(root, 'packages/apps/cli/src/main.ts')];
    const options = ['--carriers', join(folder, 'carriers'), '--as-of', AS_OF.toISOString(), '--keep', 'policy_id'];
    const table = [
      time('leeward book run', process.execPath, [
        ...program,
        'book',
        'run',
        book,
        '--out',
        outOf('leeward'),
        ...options,
      ]),
    ];
    const keys = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as string[];
    let different = 0;
    for (const [name, title, modules] of [
      ['spark', 'Spark, local[*]', 'pyspark'],
      ['ray', 'Ray, one node', 'ray'],
    ] as const) {
      if (spawnSync(python, ['-c', `import pyarrow, wasmtime, ${modules}`]).status !== 0) {
        console.log(`${title}: left out. ${python} does not have ${modules}; set LEEWARD_PYTHON.`);
        continue;
      }
      table.push(time(title, python, [join(import.meta.dirname, 'whole_book.py'), name, folder, book, outOf(name)]));
      const sums = keys.map(
        (key) => `count(*) filter (coalesce(a."${key}", 'not_offered') <> coalesce(b."${key}", 'not_offered'))`,
      );
      const result = await duck.runAndReadAll(
        `select count(*), ${sums.join(' + ')} from '${outOf('leeward')}' a join '${outOf(name)}/*.parquet' b using (policy_id)`,
      );
      const [joined, unlike] = result.getRows()[0]!.map(Number);
      different += unlike! + Math.abs(rows - joined!) * keys.length;
      table.push({
        name: `${title}: statuses that differ, of ${(rows * keys.length).toLocaleString('en-US')}`,
        median: unlike!,
        unit: '',
      });
    }
    duck.closeSync();
    return { rows: table, different };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function time(title: string, command: string, words: readonly string[]): Row {
  const env = { ...process.env, PYTHONPATH: join(root, 'packages/extend/python/src'), PYSPARK_PYTHON: python };
  const from = performance.now();
  const { status, stderr } = spawnSync(command, words, { encoding: 'utf8', env, maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`${title}: ${stderr}`);
  return { name: `${title}, seconds with its start`, median: (performance.now() - from) / 1000, unit: 's' };
}
