import { connect } from 'node:net';

/** `LEEWARD_TEST_POSTGRES_URL` replaces them. */
const candidates = ['postgres://root@127.0.0.1:5432/test', 'postgres://postgres@127.0.0.1:5432/test'];

/** A server, or why it is unavailable. */
export type PostgresServer = { readonly url: string } | { readonly unreachable: string };

let server: Promise<PostgresServer> | undefined;

/**
 * Searches once.
 *
 * @example
 * const server = await findPostgres();
 */
export function findPostgres(): Promise<PostgresServer> {
  server ??= look(process.env.LEEWARD_TEST_POSTGRES_URL);
  return server;
}

async function look(chosen: string | undefined): Promise<PostgresServer> {
  const urls = chosen === undefined ? candidates : [chosen];
  const { hostname, port } = new URL(urls[0]!);
  const address = `${hostname}:${port || 5432}`;
  if (!(await listens(hostname, Number(port || 5432)))) return { unreachable: `no PostgreSQL answers at ${address}` };
  const refusals: string[] = [];
  for (const url of urls) {
    const refusal = await tryToLogIn(url);
    if (refusal === undefined) return { url };
    refusals.push(refusal);
  }
  return { unreachable: `PostgreSQL at ${address} refused: ${refusals.join('; ')}` };
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 });
    const answer = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}

async function tryToLogIn(url: string): Promise<string | undefined> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end().catch(() => {});
  }
}
