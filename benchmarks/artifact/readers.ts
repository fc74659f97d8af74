import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { artifactStatuses } from '@leeward/artifact';
import { findPostgres } from '@leeward/database/testing';
import { asyncBufferFromFile, parquetRead } from 'hyparquet';
import { startServer } from '../http/server-process.ts';
import type { Row } from '../report.ts';
import { AS_OF, writeBookFolder, writeRulesFolder } from './book-folder.ts';

/** Time and memory of a reader, and the number of its statuses that differ from the engine's. */
interface Measured {
  readonly rows: number;
  readonly micros: number;
  readonly memory: number;
  readonly different?: number | undefined;
}

/** A reader that cannot be measured here. */
interface Missing {
  readonly missing: string;
}

const root = join(import.meta.dirname, '../..');
const python = process.env['LEEWARD_PYTHON'] ?? join(root, '.venv/bin/python');
const MAX_SQL_ROWS = 50_000;
/** For HTTP, and for PostgreSQL, which takes a second for some hundred homes. */
const MAX_SLOW_ROWS = 2000;

/**
 * Measures each reader of an artifact on the same homes, with a tenth of the fields missing: processor time for each home
 * and peak memory, after it has opened its data. Compares all statuses with those of the engine.
 */
export async function measureReaders(
  rows: number,
  carriers: number,
): Promise<{ readonly rows: Row[]; readonly different: number }> {
  const rules = await writeRulesFolder(carriers);
  const folder = await writeBookFolder(rules, rows);
  const middle = await writeBookFolder(rules, Math.min(rows, MAX_SQL_ROWS));
  const small = await writeBookFolder(rules, Math.min(rows, MAX_SLOW_ROWS));
  try {
    const table: Row[] = [];
    let different = 0;
    const engines = new Map<string, Uint8Array>();
    const engineOf = (place: string) => {
      const codes = engines.get(place) ?? readFileSync(join(place, 'engine.codes'));
      engines.set(place, codes);
      return codes;
    };
    const add = (name: string, place: string, measured: Measured | Missing, codes?: Uint8Array) => {
      if ('missing' in measured) return console.log(`${name}: left out. ${measured.missing}`);
      const count = measured.different ?? countDifferent(codes!, engineOf(place));
      different += count;
      const homes = `${measured.rows.toLocaleString('en-US')} homes`;
      table.push(
        { name: `${name} (${homes})`, median: measured.micros / measured.rows, unit: 'CPU µs a home' },
        { name: `${name}: memory`, median: measured.memory, unit: 'MB' },
        { name: `${name}: statuses that differ from the engine`, median: count, unit: '' },
      );
    };
    const codesOf = (place: string, name: string) => readFileSync(join(place, `${name}.codes`));
    const run = (title: string, place: string, name: string, measured: Measured | Missing) =>
      add(title, place, measured, 'missing' in measured ? undefined : codesOf(place, name));
    for (const place of [folder, middle, small]) {
      const measured = node(['reader-process.ts', 'engine', place]);
      if (place === folder) run('engine, each home a request, in process', place, 'engine', measured);
    }
    add('HTTP, /v1/underwrite/home', small, ...(await overHttp(small)));
    add('leeward book run, Parquet to Parquet, the process included', folder, ...(await bookRun(folder)));
    run('TypeScript reader, columns in memory', folder, 'kernel', node(['reader-process.ts', 'kernel', folder]));
    run('Python, Arrow in memory', folder, 'python', await pythonReader('python', folder));
    run('Java, columns in memory', folder, 'java', javaReader(folder));
    run('DuckDB, SQL, a table in memory', middle, 'duckdb', await pythonReader('duckdb', middle));
    run('ClickHouse, SQL, a table in memory', middle, 'clickhouse', await pythonReader('clickhouse', middle));
    run('PostgreSQL, SQL, a temporary table', small, 'postgresql', await pythonReader('postgresql', small));
    const peer = node(['reader-process.ts', 'json-rules-engine', folder]);
    add('json-rules-engine by policy type, a few complete homes', folder, peer);
    return { rows: table, different };
  } finally {
    for (const each of [rules, folder, middle, small]) rmSync(each, { recursive: true, force: true });
  }
}

function countDifferent(codes: Uint8Array, expected: Uint8Array): number {
  const length = Math.min(codes.length, expected.length);
  let count = codes.length === expected.length ? 0 : Math.abs(codes.length - expected.length);
  for (let at = 0; at < length; at++) if (codes[at] !== expected[at]) count += 1;
  return count;
}

function node(words: readonly string[]): Measured {
  const [program = '', ...rest] = words;
  const flags = [...process.execArgv, join(import.meta.dirname, program), ...rest];
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8', maxBuffer: 1 << 28 })) as Measured;
}

async function pythonReader(name: string, folder: string): Promise<Measured | Missing> {
  const modules = { python: 'wasmtime', duckdb: 'duckdb', clickhouse: 'chdb', postgresql: 'psycopg' }[name]!;
  if (spawnSync(python, ['-c', `import pyarrow, ${modules}`]).status !== 0)
    return { missing: `${python} does not have pyarrow and ${modules}; set LEEWARD_PYTHON.` };
  const server = name === 'postgresql' ? await findPostgres() : { url: '' };
  if (!('url' in server)) return { missing: server.unreachable };
  const words = [join(import.meta.dirname, 'reader_process.py'), name, folder, server.url];
  const env = { ...process.env, PYTHONPATH: join(root, 'packages/extend/python/src'), PYTHONDONTWRITEBYTECODE: '1' };
  const { status, stdout, stderr } = spawnSync(python, words, { encoding: 'utf8', env, maxBuffer: 1 << 28 });
  if (status === 0) return JSON.parse(stdout) as Measured;
  throw new Error(stderr);
}

function javaReader(folder: string): Measured | Missing {
  if (spawnSync('javac', ['--version']).status !== 0) return { missing: 'There is no javac.' };
  const classes = join(folder, 'classes');
  mkdirSync(classes);
  const sources = globSync('packages/extend/java/src/main/java/**/*.java', { cwd: root }).map((path) =>
    join(root, path),
  );
  execFileSync('javac', ['--release', '17', '-d', classes, ...sources, join(import.meta.dirname, 'ReadHomes.java')]);
  const printed = execFileSync('java', ['-cp', classes, 'ReadHomes', folder], { encoding: 'utf8' });
  return JSON.parse(printed) as Measured;
}

/** Runs the command in a process that reports its use when it ends. */
async function bookRun(folder: string): Promise<[Measured, Uint8Array]> {
  const report = `process.on('exit', () => { const { user, system } = process.cpuUsage(); console.error('USED ' + JSON.stringify({ micros: user + system, memory: process.resourceUsage().maxRSS / 1024 })); })`;
  const out = join(folder, 'statuses.parquet');
  const words = ['book', 'run', join(folder, 'book.parquet'), '--carriers', join(folder, 'carriers')];
  const flags = [...process.execArgv, '--import', `data:text/javascript,${encodeURIComponent(report)}`];
  const program = join(root, 'packages/apps/cli/src/main.ts');
  const options = ['--out', out, '--as-of', AS_OF.toISOString()];
  const { status, stderr } = spawnSync(process.execPath, [...flags, program, ...words, ...options], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  const used = [...stderr.matchAll(/^USED (.*)$/gm)].map(([, text]) => JSON.parse(text!) as Measured);
  const keys = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as string[];
  let codes = new Uint8Array();
  let rows = 0;
  const file = await asyncBufferFromFile(out);
  await parquetRead({
    file,
    onComplete(lines) {
      rows = lines.length;
      codes = new Uint8Array(rows * keys.length);
    },
  });
  await parquetRead({
    file,
    columns: keys,
    onChunk({ columnName, columnData, rowStart }) {
      const place = keys.indexOf(columnName);
      for (let row = 0; row < columnData.length; row++)
        codes[(rowStart + row) * keys.length + place] = artifactStatuses.indexOf(
          (columnData[row] ?? 'not_offered') as never,
        );
    },
  });
  // Each thread reports the whole process; the last one is the main thread.
  return [{ ...used.at(-1)!, rows }, codes];
}

/** Requests with all carriers, one home each. */
async function overHttp(folder: string): Promise<[Measured, Uint8Array]> {
  const token = `lw_test_01jd4v3x9m8k7h2q5t6w0y1z2a_${'k'.repeat(43)}`;
  const words = [join(folder, 'carriers.json'), token];
  const server = await startServer('../artifact/http-process.ts', words, join(folder, 'http.log'));
  try {
    const lines = readFileSync(join(folder, 'book.ndjson'), 'utf8').trimEnd().split('\n');
    const keys = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')) as string[];
    const codes = new Uint8Array(lines.length * keys.length);
    const ask = async (line: string, row: number) => {
      const body = JSON.stringify({
        ...(JSON.parse(line) as object),
        as_of: AS_OF.toISOString(),
        include_declined: true,
      });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(`http://127.0.0.1:${server.port}/v1/underwrite/home`, {
        method: 'POST',
        headers,
        body,
      });
      if (response.status !== 200) throw new Error(await response.text());
      const { carriers, declined } = (await response.json()) as Record<
        string,
        { carrier_key: string; status: string }[]
      >;
      for (const { carrier_key: key, status } of [...carriers!, ...declined!])
        codes[row * keys.length + keys.indexOf(key)] = artifactStatuses.indexOf(status as never);
    };
    // Compiles, and opens a connection.
    for (const line of lines.slice(0, 200)) await ask(line, 0);
    const before = await server.cpuMicros();
    for (const [row, line] of lines.entries()) await ask(line, row);
    const micros = (await server.cpuMicros()) - before;
    return [{ rows: lines.length, micros, memory: (await server.memory()) / 2 ** 20 }, codes];
  } finally {
    server.stop();
  }
}
