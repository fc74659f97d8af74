import { connect } from 'node:net';

/** A Redis for tests, or why there is none. */
export type RedisServer = { readonly url: string } | { readonly unreachable: string };

/**
 * Finds the Redis of tests (`LEEWARD_TEST_REDIS_URL`, default: this machine). @throws if it is unavailable and LEEWARD_REQUIRE_SERVICES
 * is 1.
 * @example
 * const redis = await findRedis();
 */
export async function findRedis(): Promise<RedisServer> {
  const url = process.env.LEEWARD_TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
  const { hostname, port } = new URL(url);
  const address = `${hostname}:${port || 6379}`;
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 6379), timeout: 2000 });
    const answer = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
  if (answers) return { url };
  const unreachable = `no Redis answers at ${address}`;
  if (process.env.LEEWARD_REQUIRE_SERVICES === '1') {
    throw new Error(`LEEWARD_REQUIRE_SERVICES is 1, but ${unreachable}.`);
  }
  return { unreachable };
}
