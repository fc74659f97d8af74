import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DuckDBConnection } from '@duckdb/node-api';
import { writeFinalFile } from '@leeward/books';
import { CommandError } from '../command-error.ts';

/** A query whose rows are a book. */
export interface BookQuery {
  /** One SELECT for DuckDB. */
  readonly sql: string;
  /** Statements that run before it, such as CREATE SECRET. */
  readonly setup: string | undefined;
  /** The slice of an array job. */
  readonly share: { readonly index: number; readonly count: number } | undefined;
}

/** The rows of a query in a Parquet file. */
export interface QueriedBook {
  readonly file: string;
  /** Rows of the query before those of the file. */
  readonly rowsBefore: number;
}

/**
 * Writes the rows of a query to a Parquet file in the folder of a run, from which threads evaluate its parts. A stopped run of the same
 * query continues with its file.
 *
 * @param folder The folder of the run.
 * @param from The folder of the user, for relative paths of the query.
 * @throws {CommandError} if DuckDB is not installed or refuses the query, or if the folder has the rows of another query.
 */
export async function queryBook(query: BookQuery, folder: string, from: string): Promise<QueriedBook> {
  const [file, record] = [join(folder, 'query.parquet'), join(folder, 'query.json')];
  const text = `${JSON.stringify(query)}\n`;
  if (existsSync(record) && readFileSync(record, 'utf8') !== text)
    throw new CommandError(
      `${folder} was begun with another query: go on as it was begun, or begin anew with --restart.`,
    );
  const duckDb = await loadDuckDb(from);
  const instance = await duckDb.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`SET file_search_path = ${quote(from)}`);
    if (query.setup !== undefined) await connection.run(query.setup);
    const sql = await oneQuery(query.sql, connection);
    const { rowsBefore, limit } = await rangeOf(query, sql, connection);
    if (!existsSync(file)) {
      mkdirSync(folder, { recursive: true });
      const partial = `${file}.unfinished`;
      await connection.run(`COPY (FROM (${sql}\n)${limit}) TO ${quote(partial)} (FORMAT parquet)`);
      writeFinalFile(record, text);
      renameSync(partial, file);
    }
    return { file, rowsBefore };
  } catch (error) {
    if (!existsSync(file)) rmSync(folder, { recursive: true, force: true });
    if (error instanceof CommandError) throw error;
    throw new CommandError(`DuckDB refuses the query: ${(error as Error).message}`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Loads DuckDB from the packages of the command, else from those of the user's folder. */
async function loadDuckDb(from: string): Promise<typeof import('@duckdb/node-api')> {
  const name = '@duckdb/node-api';
  try {
    return await import(name);
  } catch {}
  try {
    return await import(pathToFileURL(createRequire(join(from, 'package.json')).resolve(name)).href);
  } catch {
    throw new CommandError(`--sql reads rows with DuckDB, which is not installed: npm install ${name}`);
  }
}

async function oneQuery(sql: string, connection: DuckDBConnection): Promise<string> {
  const { count } = await connection.extractStatements(sql);
  if (count !== 1)
    throw new CommandError(`--sql has ${count} statements; give one SELECT, and other statements with --sql-setup.`);
  return sql.replace(/;\s*$/, '');
}

/** The rows of a slice. Each slice runs the query, so the query must have an order. */
async function rangeOf({ share }: BookQuery, sql: string, connection: DuckDBConnection) {
  if (!share) return { rowsBefore: 0, limit: '' };
  if (!/\border\s+by\b/i.test(sql))
    throw new CommandError(
      '--part evaluates a slice of the rows, and --sql has no order; add ORDER BY a unique column.',
    );
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM (${sql}\n)`);
  const rows = Number(counted.getRows()[0]![0]);
  const [begin, end] = [share.index - 1, share.index].map((index) => Math.floor((rows * index) / share.count));
  return { rowsBefore: begin!, limit: ` LIMIT ${end! - begin!} OFFSET ${begin!}` };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
