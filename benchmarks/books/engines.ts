/**
 * `node benchmarks/books/engines.ts [--rows N]`: `leeward book filter` inside engines and schedulers that companies
 * use, and slices of an array job under Slurm. Each must give the same answers in the same order as one filter. Missing
 * programs are reported and skipped: in-process ClickHouse needs `npm install --no-save chdb`; GNU parallel and Slurm
 * (`sbatch`, one running node) come from the system.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { createCarriers, toRuleSets } from '../engine/carriers.ts';
import { writeBooks } from './write-books.ts';

const args = process.argv.slice(2);
const rows = Number(args.includes('--rows') ? args[args.indexOf('--rows') + 1] : 50_000);
const folder = mkdtempSync(join(tmpdir(), 'leeward-engines-'));
const leeward = join(import.meta.dirname, '../../packages/apps/cli/bin/leeward.js');
const carriers = join(folder, 'carriers');
const words = ['--carriers', carriers, '--as-of', '2026-11-20T12:00:00Z'];
const command = (...more: string[]) =>
  [process.execPath, leeward, 'book', ...more, ...words].map((word) => `'${word}'`).join(' ');

interface ClickHouse {
  query(sql: string, format: string): string;
  close(): void;
}

function openClickHouse(path: string): ClickHouse | undefined {
  try {
    const { Session } = createRequire(import.meta.url)('chdb') as { Session: new (path: string) => ClickHouse };
    return new Session(path);
  } catch {
    return undefined;
  }
}

const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
let failed = 0;

/** Compares the lines of an engine with those of one filter, without row numbers. */
function tell(name: string, found: readonly string[], wanted: readonly string[]): void {
  const at = wanted.findIndex((line, index) => line !== found[index]);
  const isSame = at < 0 && found.length === wanted.length;
  if (!isSame) failed += 1;
  console.log(
    isSame
      ? `${name}: ${found.length.toLocaleString('en-US')} rows, the same answers in the same order.`
      : `${name}: ${found.length} rows for ${wanted.length}; row ${at + 1} is ${found[at]} and not ${wanted[at]}.`,
  );
}
const linesOf = (text: string) => text.trimEnd().split('\n');
const withoutNumber = (line: string) => line.slice(line.indexOf(',') + 1);

try {
  mkdirSync(carriers);
  const files = toRuleSets(createCarriers(1)).slice(0, 8) as { carrier: { key: string } }[];
  for (const file of files) writeFileSync(join(carriers, `${file.carrier.key}.json`), JSON.stringify(file));
  const book = await writeBooks(folder, rows);
  const wantedCsv = execFileSync('sh', ['-c', `${command('filter', '--format', 'csv')} < '${book['csv']}'`], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const [head = '', ...lines] = linesOf(wantedCsv);
  const keys = head.split(',').slice(1);
  const wanted = lines.map(withoutNumber);

  const clickHouse = openClickHouse(join(folder, 'clickhouse'));
  if (clickHouse) {
    const script = join(folder, 'clickhouse/user_scripts/leeward-filter');
    mkdirSync(join(script, '..'), { recursive: true });
    writeFileSync(script, `#!/bin/sh\nexec ${command('filter', '--format', 'arrow')}\n`);
    chmodSync(script, 0o755);
    const columns = ['row Int64', ...keys.map((key) => `${key} Nullable(String)`)].join(', ');
    const found = clickHouse.query(
      `select ${keys.join(', ')} from executable('leeward-filter', ArrowStream, '${columns}', (select * from file('${book['parquet']}') settings max_threads = 1), settings command_read_timeout = 120000, command_write_timeout = 120000) settings max_threads = 1, output_format_arrow_compression_method = 'none', output_format_arrow_string_as_string = 1, output_format_arrow_low_cardinality_as_dictionary = 1`,
      'TSV',
    );
    const version = clickHouse.query('select version()', 'TSV').trim();
    clickHouse.close();
    tell(
      `ClickHouse ${version}, executable()`,
      linesOf(found).map((line) => line.replaceAll('\\N', '').replaceAll('\t', ',')),
      wanted,
    );
  } else console.log('ClickHouse: not run; it needs npm install --no-save chdb.');

  const duck = await (await DuckDBInstance.create()).connect();
  const pipe = join(folder, 'rows.csv');
  execFileSync('mkfifo', [pipe]);
  const answers = join(folder, 'duckdb.csv');
  const filter = spawn('sh', ['-c', `${command('filter', '--format', 'csv')} < '${pipe}' > '${answers}'`], {
    stdio: 'inherit',
  });
  const ended = new Promise((resolve) => filter.on('exit', resolve));
  await duck.run('set preserve_insertion_order = true');
  await duck.run(`copy (from '${book['parquet']}') to '${pipe}' (format csv, header)`);
  await ended;
  const joined = await duck.runAndReadAll(
    `select ${keys.map((key) => `s.${key}`).join(', ')} from '${book['parquet']}' b positional join read_csv('${answers}') s`,
  );
  const version = (await duck.runAndReadAll('select version()')).getRows()[0]![0];
  tell(
    `DuckDB ${String(version)}, copied into the filter and joined`,
    joined.getRows().map((row) => row.map((cell) => cell ?? '').join(',')),
    wanted,
  );

  if (isThere('parallel')) {
    const filtered = execFileSync(
      'sh',
      [
        '-c',
        `parallel --will-cite --pipe --block 2M -j 2 -k "${command('filter', '--format', 'ndjson')}" < '${book['ndjson']}'`,
      ],
      { encoding: 'utf8', maxBuffer: 1 << 30 },
    );
    const found = linesOf(filtered).map((line) => {
      const { statuses } = JSON.parse(line) as { statuses?: Record<string, string> };
      return keys.map((key) => statuses?.[key] ?? '').join(',');
    });
    tell('GNU parallel, blocks of 2 MB on two processes', found, wanted);
  } else console.log('GNU parallel: not run; install parallel.');

  if (isThere('sbatch') && spawnSync('sinfo', ['-h'], { timeout: 10_000 }).status === 0) {
    const slice = `--part $SLURM_ARRAY_TASK_ID/4 --out '${folder}'/slice-$SLURM_ARRAY_TASK_ID.csv`;
    const task = `${command('run', book['parquet']!)} ${slice}`;
    const batch = ['--wait', '--quiet', '--array=1-4', `--output=${folder}/slurm-%a.txt`, '--wrap', task];
    execFileSync('sbatch', batch, { stdio: 'inherit' });
    const slices = [1, 2, 3, 4].map((slice) => readFileSync(join(folder, `slice-${slice}.csv`), 'utf8')).join('');
    tell('Slurm, an array of 4 slices', linesOf(slices).slice(1), lines);
  } else console.log('Slurm: not run; it needs sbatch and a node that runs.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
