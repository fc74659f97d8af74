import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { checkParameters } from '../parameters.ts';

/** Checks parameters, and removes values from errors. */
export class PostgresClients implements PostgresPool {
  readonly #pool: Pool;
  readonly #clients = new WeakMap<PoolClient, PostgresPoolClient>();
  readonly options: object;
  /** Borrowed and requested connections. */
  #inUse = 0;
  #whenIdle: (() => void) | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.options = pool.options;
  }

  /** Resolves when all connections are returned, or after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    if (this.#inUse === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async connect(): Promise<PostgresPoolClient> {
    this.#inUse++;
    try {
      const client = await this.#pool.connect();
      const existing = this.#clients.get(client);
      if (existing !== undefined) return existing;
      const wrapped = this.#wrap(client);
      this.#clients.set(client, wrapped);
      return wrapped;
    } catch (error) {
      this.#oneLess();
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  #wrap(client: PoolClient): PostgresPoolClient {
    const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
      // Kysely's own queries use booleans.
      if (!sql.includes('"pg_catalog".')) checkParameters(parameters);
      try {
        return await client.query(sql, [...parameters]);
      } catch (error) {
        throw withoutValues(error);
      }
    };
    return {
      query: query as PostgresPoolClient['query'],
      release: (destroy) => {
        client.release(destroy);
        this.#oneLess();
      },
    };
  }

  #oneLess(): void {
    this.#inUse--;
    if (this.#inUse === 0) this.#whenIdle?.();
  }
}

/** `detail` and some messages quote values. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const fault = error as Error & { code?: string; detail?: string; where?: string; internalQuery?: string };
  delete fault.detail;
  delete fault.where;
  delete fault.internalQuery;
  if (fault.code?.startsWith('22')) fault.message = `PostgreSQL refused a value (SQLSTATE ${fault.code}).`;
  return fault;
}
