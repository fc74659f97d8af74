/**
 * `npm run bench -- books [--rows N] [--long] [--json FILE]`: books of a million policies, 10 % of the optional fields
 * missing, 50 carriers, statuses written as Parquet. Reports processor seconds per million rows, next to DuckDB and
 * hyparquet reading alone and the same rules as SQL. `--long` also evaluates ten times the rows and reports the memory.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { asyncBufferFromFile, parquetRead } from 'hyparquet';
import { createCarriers, toRuleSets } from '../engine/carriers.ts';
import { toGuides } from '../engine/guides.ts';
import { median, type Row, report } from '../report.ts';
import { rulesAsSql } from './sql-rules.ts';
import { writeArrow } from './write-arrow.ts';
import { repeatBook, writeBooks, writeCarriers, writeDetailedBook } from './write-books.ts';

const args = process.argv.slice(2);
const optionOf = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const rows = Number(optionOf('--rows') ?? 1_000_000);
const rounds = Number(optionOf('--rounds') ?? 3);
const SQL_ROWS = 50_000;
const DETAILED_ROWS = 100_000;
const folder = mkdtempSync(join(tmpdir(), 'leeward-bench-books-'));
const MILLION = 1e6 / rows;

interface Judged {
  readonly rows: number;
  readonly rejected: number;
  readonly starting: number;
  readonly preparing: number;
  readonly judging: number;
  readonly memory: number;
}

const judgeBook = (path: string, out: string, carriers = join(folder, 'carriers.json')): Judged => {
  const words = [join(import.meta.dirname, 'judge-process.ts'), path, carriers, out];
  const flags = ['--disable-warning=ExperimentalWarning'];
  const { stdout, status } = spawnSync(process.execPath, [...flags, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`The book ${path} was not judged.`);
  return JSON.parse(stdout) as Judged;
};
const processorSeconds = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

try {
  const carriers = createCarriers(1);
  writeCarriers(join(folder, 'carriers.json'), toRuleSets(carriers));
  const written = await writeBooks(folder, rows);
  const arrow = join(folder, 'book.arrow');
  await writeArrow(written['parquet']!, arrow);
  const books = { parquet: written['parquet']!, arrow, csv: written['csv']!, ndjson: written['ndjson']! };
  const found: Record<string, Judged[]> = { parquet: [], arrow: [], csv: [], ndjson: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [format, path] of Object.entries(books))
      found[format]!.push(judgeBook(path, join(folder, `${format}.out.parquet`)));
  }
  const outs = Object.keys(books).map((format) => readFileSync(join(folder, `${format}.out.parquet`)));
  if (!outs.every((bytes) => bytes.equals(outs[0]!))) throw new Error('Formats were not answered alike.');
  const all = Object.values(found).flat();
  if (all.some((each) => each.rows !== rows || each.rejected > 0))
    throw new Error('Rows are missing, or were rejected.');
  const table: Row[] = Object.entries(found).map(([name, each]) => ({
    name,
    median: median(each.map(({ judging }) => judging * MILLION)),
    unit: 'CPU s/million',
  }));
  for (const [name, each] of Object.entries(found)) {
    table.push({
      name: `${name}, the process and its carriers included`,
      median: median(each.map(({ starting, preparing, judging }) => (starting + preparing + judging) * MILLION)),
      unit: 'CPU s/million',
    });
  }
  table.push(
    { name: 'before the first row: the process', median: median(all.map(({ starting }) => starting)), unit: 'CPU s' },
    {
      name: 'before the first row: carriers checked, compiled, laid out',
      median: median(all.map(({ preparing }) => preparing)),
      unit: 'CPU s',
    },
    { name: 'most memory of all these', median: Math.max(...all.map(({ memory }) => memory)), unit: 'MB' },
  );
  const guides = join(folder, 'guides.json');
  writeCarriers(guides, toGuides(carriers, 1, false));
  const detailed = judgeBook(
    writeDetailedBook(folder, Math.min(rows, DETAILED_ROWS)),
    join(folder, 'detailed.out.parquet'),
    guides,
  );
  table.push({
    name: `ndjson with losses, carriers that use lists, arithmetic and terms (${detailed.rows.toLocaleString('en-US')} rows)`,
    median: (detailed.judging * 1e6) / detailed.rows,
    unit: 'CPU s/million',
  });
  const duck = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  const vectors = async (sql: string) => {
    const result = await duck.stream(sql);
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk());
  };
  const reading =
    median([
      await processorSeconds(() => vectors(`from '${books.parquet}'`)),
      await processorSeconds(() => vectors(`from '${books.parquet}'`)),
    ]) * MILLION;
  const hyparquet =
    (await processorSeconds(async () =>
      parquetRead({ file: await asyncBufferFromFile(books.parquet), onChunk: () => {} }),
    )) * MILLION;
  const sqlRows = Math.min(rows, SQL_ROWS);
  const sql = rulesAsSql(carriers, `(from '${books.parquet}' limit ${sqlRows})`);
  const sqlSeconds = (await processorSeconds(() => vectors(sql))) * (1e6 / sqlRows);
  table.push(
    { name: 'DuckDB reading Parquet alone, vectors left as they are', median: reading, unit: 'CPU s/million' },
    { name: 'hyparquet reading Parquet alone', median: hyparquet, unit: 'CPU s/million' },
    {
      name: `the same rules as SQL in DuckDB (${sqlRows.toLocaleString('en-US')} rows)`,
      median: sqlSeconds,
      unit: 'CPU s/million',
    },
  );
  if (args.includes('--long')) {
    const long = join(folder, 'long.parquet');
    await repeatBook(books.parquet, 10, long);
    const judged = judgeBook(long, join(folder, 'long.out.parquet'));
    table.push(
      { name: `memory over ${judged.rows.toLocaleString('en-US')} rows of Parquet`, median: judged.memory, unit: 'MB' },
      { name: '… processor', median: (judged.judging * 1e6) / judged.rows, unit: 'CPU s/million' },
    );
  }
  report(
    {
      benchmark: `books of ${rows.toLocaleString('en-US')} policies`,
      rows: table,
      ratios: { 'rules as SQL': sqlSeconds / table[0]!.median },
    },
    args,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
