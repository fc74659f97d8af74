import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { checkParameters } from '../parameters.ts';

/** The pool as Kysely sees it: what is stored is checked first, and what goes wrong tells no values. */
export class PostgresClients implements PostgresPool {
  readonly #pool: Pool;
  readonly #clients = new WeakMap<PoolClient, PostgresPoolClient>();
  readonly options: object;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.options = pool.options;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect();
    let wrapped = this.#clients.get(client);
    if (wrapped === undefined) {
      wrapped = wrap(client);
      this.#clients.set(client, wrapped);
    }
    return wrapped;
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }
}

function wrap(client: PoolClient): PostgresPoolClient {
  const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
    checkParameters(parameters);
    try {
      return await client.query(sql, [...parameters]);
    } catch (error) {
      throw withoutValues(error);
    }
  };
  return {
    query: query as PostgresPoolClient['query'] & (() => Promise<PostgresQueryResult<never>>),
    release: (destroy) => client.release(destroy),
  };
}

/** PostgreSQL quotes the offending row in `detail`, and the offending value in the message of a data exception. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const fault = error as Error & { code?: string; detail?: string; where?: string; internalQuery?: string };
  delete fault.detail;
  delete fault.where;
  delete fault.internalQuery;
  if (fault.code?.startsWith('22')) fault.message = `PostgreSQL refused a value (SQLSTATE ${fault.code}).`;
  return fault;
}
