import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { oneCarrier } from '../testing/one-carrier.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const asOf = ['--as-of', '2026-11-20T12:00:00Z'];
const csv = (from: number, to: number) =>
  `state,policy_type,total_claims,policy_id\n${Array.from({ length: to - from }, (_, index) => `${(from + index) % 3 === 0 ? 'fl' : 'tx'},ho3,${(from + index) % 5},P-${String(from + index).padStart(4, '0')}\n`).join('')}`;

function folderOfBooks() {
  const folder = temporaryFolder({ 'book.csv': csv(0, 500) });
  for (const [year, from, to] of [
    ['2025', 0, 200],
    ['2026', 200, 500],
  ] as const) {
    mkdirSync(join(folder.path, `hive/year=${year}`), { recursive: true });
    writeFileSync(join(folder.path, `hive/year=${year}/data.csv`), csv(from, to));
  }
  const at = (name: string) => join(folder.path, name);
  const run = (...words: readonly string[]) =>
    runWords(['book', 'run', ...words, ...asOf], { folder: folder.path, environment: oneCarrier });
  return { at, run, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const all = "SELECT state, policy_type, total_claims, policy_id FROM 'book.csv' ORDER BY policy_id";

describe('--sql', () => {
  it('gives the statuses of the file that it reads, with kept columns', async () => {
    using folder = folderOfBooks();
    const { at, run } = folder;
    expect(await run('book.csv', '--keep', 'policy_id', '--out', 'file.csv', '--summary', 'file.json')).toMatchObject({
      code: 0,
    });
    const wanted = [readFileSync(at('file.csv'), 'utf8'), readFileSync(at('file.json'), 'utf8')];
    const hive =
      "SELECT * EXCLUDE (year) FROM read_csv('hive/*/*.csv', hive_partitioning = true) ORDER BY policy_id -- all;";
    await (async () => {
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      await connection.run(`COPY (${all.replace('book.csv', at('book.csv'))}) TO '${at('book.parquet')}'`);
      connection.closeSync();
    })();
    for (const sql of [`${all};`, hive, "FROM 'book.parquet'"]) {
      const ended = await run('--sql', sql, '--keep', 'policy_id', '--out', 'sql.csv', '--summary', 'sql.json');
      expect([ended.code, ended.errors]).toEqual([0, expect.stringContaining('500 policies evaluated')]);
      expect([readFileSync(at('sql.csv'), 'utf8'), readFileSync(at('sql.json'), 'utf8')]).toEqual(wanted);
    }
    expect(existsSync(at('sql.csv.parts'))).toBe(false);
  });

  it('maps columns, and runs the statements before it', async () => {
    using folder = folderOfBooks();
    const { at, run } = folder;
    writeFileSync(at('columns.json'), '{"state":"st","policy_type":{"constant":"ho3"}}');
    const words = [
      '--columns',
      'columns.json',
      '--sql-setup',
      "CREATE TABLE homes AS SELECT 'tx' AS st; INSERT INTO homes VALUES ('fl');",
    ];
    expect(await run('--sql', 'FROM homes', ...words, '--out', 'out.csv')).toMatchObject({ code: 0 });
    expect(readFileSync(at('out.csv'), 'utf8').split('\n')).toHaveLength(4);
  });

  it('evaluates a slice for an array job, whose outputs are those of one run', async () => {
    using folder = folderOfBooks();
    const { at, run } = folder;
    await run('--sql', all, '--keep', 'policy_id', '--out', 'whole.csv');
    const slices = [];
    for (const slice of ['1/3', '2/3', '3/3']) {
      expect(await run('--sql', all, '--keep', 'policy_id', '--out', 'slice.csv', '--part', slice)).toMatchObject({
        code: 0,
      });
      slices.push(readFileSync(at('slice.csv'), 'utf8'));
    }
    expect(slices.map((text) => text.split('\n').length)).toEqual([168, 168, 168]);
    expect(slices.join('')).toBe(readFileSync(at('whole.csv'), 'utf8'));
    const { errors } = await run('--sql', "FROM 'book.csv'", '--out', 'slice.csv', '--part', '1/3');
    expect(errors).toContain('--sql has no order; add ORDER BY a unique column');
  });

  it('names what DuckDB refuses, and leaves no files', async () => {
    using folder = folderOfBooks();
    const { at, run } = folder;
    const errorsOf = async (...words: string[]) => (await run(...words, '--out', 'out.csv')).errors;
    expect(await errorsOf('--sql', "FROM 'gone.csv'")).toMatch(/DuckDB refuses the query: .*gone\.csv/);
    expect(await errorsOf('--sql', 'SELECT 1; SELECT 2')).toContain('--sql has 2 statements; give one SELECT');
    expect(await errorsOf('--sql', "SELECT state AS stat, policy_type FROM 'book.csv'")).toMatch(
      /The query cannot be read as a book.*"stat" is not a field/,
    );
    expect(await errorsOf()).toContain('Name the files of the book, or give a query with --sql, not both.');
    expect(await errorsOf('book.csv', '--sql', all)).toContain('not both');
    expect(readdirSync(at('.')).sort()).toEqual(['book.csv', 'hive']);
  });
});
