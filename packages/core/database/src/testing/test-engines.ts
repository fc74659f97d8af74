import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import type { Pool, QueryResult } from 'pg';
import type { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { Engine, MigrationTables } from '../migration.ts';
import { type OpenDatabaseOptions, openDatabase } from '../open-database.ts';
import { findPostgres } from './postgres-server.ts';

/** A new file or schema. Disposal removes it. */
export interface TestPlace extends AsyncDisposable {
  /** Opens the place, also from other processes. */
  readonly url: string;
  /** On SQLite. */
  readonly file: string | undefined;
  /** Closed with the place. */
  open(options?: OpenDatabaseOptions): Promise<Database>;
}

/** A database engine, or why it is skipped. */
export interface TestEngine {
  readonly engine: Engine;
  /** With the reason of a skip. */
  readonly title: string;
  readonly skip: string | undefined;
  createPlace(): Promise<TestPlace>;
}

/**
 * Both engines. PostgreSQL is skipped if unavailable.
 *
 * @throws If it is unavailable and LEEWARD_REQUIRE_SERVICES is 1.
 *
 * @example
 * for (const engine of await testEngines()) describe.skipIf(engine.skip !== undefined)(engine.title, () => {});
 */
export async function testEngines(): Promise<TestEngine[]> {
  const server = await findPostgres();
  if ('unreachable' in server && process.env.LEEWARD_REQUIRE_SERVICES === '1') {
    throw new Error(`LEEWARD_REQUIRE_SERVICES is 1, but ${server.unreachable}.`);
  }
  const skip = 'unreachable' in server ? server.unreachable : undefined;
  return [
    { engine: 'sqlite', title: 'SQLite', skip: undefined, createPlace: createFilePlace },
    {
      engine: 'postgres',
      title: skip === undefined ? 'PostgreSQL' : `PostgreSQL (skipped: ${skip})`,
      skip,
      createPlace: () => createSchemaPlace('url' in server ? server.url : ''),
    },
  ];
}

async function createFilePlace(): Promise<TestPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'leeward-test-'));
  const file = join(folder, 'test.db');
  const prepare = async (lists: MigrationLists) => {
    const migrated = existsSync(file) ? undefined : await migratedFiles(lists);
    if (migrated) await writeFile(file, migrated, { flag: 'wx', mode: 0o600 });
  };
  return createPlace(`sqlite:${file}`, file, prepare, () => rm(folder, { recursive: true, force: true }));
}

async function createSchemaPlace(server: string): Promise<TestPlace> {
  const { schema, url, drop } = await createSchema(server);
  const prepare = async (lists: MigrationLists) => {
    const { rows } = await administer(server, `select to_regclass('${schema}.leeward_migrations') as table`);
    const script = rows[0].table === null ? await migrationScripts(lists, server) : undefined;
    if (script)
      await administer(server, `set local synchronous_commit to off; set local search_path to ${schema}; ${script}`);
  };
  return createPlace(url, undefined, prepare, drop);
}

async function createSchema(server: string) {
  const schema = `leeward_test_${randomBytes(8).toString('hex')}`;
  await administer(server, `create schema ${schema}`);
  const url = new URL(server);
  // Data need not survive: waiting for the disk takes ten times as long.
  url.searchParams.set('options', `-c search_path=${schema} -c synchronous_commit=off`);
  const drop = async () => void (await administer(server, `drop schema if exists ${schema} cascade`));
  return { schema, url: url.href.replaceAll('+', '%20'), drop };
}

type MigrationLists = NonNullable<OpenDatabaseOptions['migrations']>;

/** `prepare` may migrate a new place faster than step by step. */
function createPlace(
  url: string,
  file: string | undefined,
  prepare: (lists: MigrationLists) => Promise<void>,
  remove: () => Promise<void>,
): TestPlace {
  const opened: Database[] = [];
  let prepared: Promise<void> | undefined;
  return {
    url,
    file,
    async open(options) {
      prepared ??= prepare(options?.migrations ?? []);
      await prepared;
      const database = await openDatabase(url, { poolSize: 4, ...options });
      opened.push(database);
      return database;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((database) => database.close()));
      await remove();
    },
  };
}

/** undefined for the first request, because some lists are used once. */
function madeOnce<Made, Rest extends unknown[]>(
  make: (lists: MigrationLists, ...rest: Rest) => Promise<Made>,
): (lists: MigrationLists, ...rest: Rest) => Promise<Made> | undefined {
  const all: { readonly lists: MigrationLists; result?: Promise<Made> }[] = [];
  return (lists, ...rest) => {
    const entry = all.find(
      (each) => each.lists.length === lists.length && each.lists.every((list, index) => list === lists[index]),
    );
    if (entry) {
      entry.result ??= make(lists, ...rest);
      return entry.result;
    }
    all.push({ lists });
    return undefined;
  };
}

const migratedFiles = madeOnce(async (migrations) => {
  const folder = await mkdtemp(join(tmpdir(), 'leeward-test-'));
  try {
    const file = join(folder, 'test.db');
    await (await openDatabase(`sqlite:${file}`, { migrations })).close();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Sending statements one by one costs ten times as much. */
const migrationScripts = madeOnce(async (migrations, server: string) => {
  const { default: pg } = await import('pg');
  const literal = (value: unknown) => (typeof value === 'string' ? pg.escapeLiteral(value) : String(value));
  const inline = ({ sql, parameters }: CompiledQuery) =>
    sql.replace(/\$(\d+)/g, (_, number: string) => literal(parameters[Number(number) - 1]));
  const { url, drop } = await createSchema(server);
  const statements: string[] = [];
  const kysely = new Kysely<MigrationTables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
    log: ({ query }) => void statements.push(inline(query)),
  });
  try {
    await migrate(kysely, 'postgres', migrations, Date.now);
    return statements.filter((statement) => statement !== 'begin' && statement !== 'commit').join(';\n');
  } finally {
    await kysely.destroy();
    await drop();
  }
});

const pools = new Map<string, Promise<Pool>>();

/** Opening a connection costs more than most tests. */
async function administer(server: string, statement: string): Promise<QueryResult> {
  const pool = pools.get(server) ?? openPool(server);
  pools.set(server, pool);
  return (await pool).query(statement);
}

async function openPool(connectionString: string): Promise<Pool> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString, max: 2, allowExitOnIdle: true });
  pool.on('error', () => {});
  return pool;
}
