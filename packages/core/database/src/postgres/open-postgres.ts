import type { Client, ClientConfig, PoolConfig } from 'pg';
import { readInteger } from '../integers.ts';
import { PostgresClients } from './postgres-clients.ts';

export interface PostgresOptions {
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
}

type Hear = (channel: string, ear: Parameters<typeof listen>[2]) => ReturnType<typeof listen>;

/** Only this loads `pg`, an optional peer dependency. */
export async function openPostgres(
  url: string,
  options: PostgresOptions,
): Promise<{ readonly pool: PostgresClients; readonly subscribe: Hear }> {
  const { Pool, Client } = await loadPg();
  const config: PoolConfig = {
    connectionString: url,
    application_name: 'leeward',
    max: options.poolSize,
    connectionTimeoutMillis: options.connectTimeoutMs,
    types: postgresTypes as NonNullable<PoolConfig['types']>,
  };
  const pool = new Pool(config);
  // Without a listener, a lost idle connection would end the process. The next query replaces it.
  pool.on('error', () => {});
  // The pool itself listens only to idle connections; one can be lost before its borrower has it, whose query fails as well.
  pool.on('connect', (client) => client.on('error', () => {}));
  return { pool: new PostgresClients(pool), subscribe: (channel, ear) => listen({ Client, url }, channel, ear) };
}

async function loadPg(): Promise<Pick<typeof import('pg'), 'Pool' | 'Client'>> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    throw new Error('A postgres:// database needs the package pg: npm install pg', { cause: error });
  }
}

const BOOL = 16;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const OID = 26;
const NUMERIC = 1700;

const text = (value: string): string => value;
const integer = (value: string): unknown => (/^-?\d{1,19}$/.test(value) ? readInteger(BigInt(value)) : value);

/** Reads columns as SQLite does: integers and sums of bigints (numeric) as integers, booleans as 1 and 0, others as text. */
const postgresTypes = {
  getTypeParser(type: number, format?: string): (value: string) => unknown {
    if (format === 'binary') throw new Error('Results arrive as text.');
    switch (type) {
      case BOOL:
        return (value) => (value === 't' ? 1 : 0);
      case INT2:
      case INT4:
      case OID:
        return Number;
      case INT8:
      case NUMERIC:
        return integer;
      default:
        return text;
    }
  },
};

const AGAIN_AFTER_MS = 1000;

/**
 * Reconnects after a loss. Calls `onMissed` whenever notifications may be lost.
 *
 * @returns a function that stops listening
 */
async function listen(
  connect: { readonly Client: new (config: ClientConfig) => Client; readonly url: string },
  channel: string,
  { onMessage, onMissed }: { onMessage: (message: string) => void; onMissed: () => void },
): Promise<() => Promise<void>> {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const again = (lost: Client) => {
    if (ended || client !== lost) return;
    client = undefined;
    void lost.end().catch(() => {});
    timer = setTimeout(() => void begin(), AGAIN_AFTER_MS).unref();
  };
  const begin = async () => {
    const opened = new connect.Client({
      connectionString: connect.url,
      application_name: 'leeward listens',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    client = opened;
    opened.on('error', () => again(opened));
    opened.on('end', () => again(opened));
    opened.on('notification', ({ payload }) => onMessage(payload ?? ''));
    try {
      await opened.connect();
      await opened.query(`listen "${channel.replaceAll('"', '""')}"`);
      onMissed();
    } catch {
      again(opened);
    }
  };
  await begin();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await client?.end().catch(() => {});
  };
}
