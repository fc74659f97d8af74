import { createMemoryRateLimitStore, type RateLimitStore } from '@leeward/http';
import { createRedisRateLimitStore } from '@leeward/http/redis-rate-limit';
import { CommandError } from '../command-error.ts';
import { isMissingPackage } from '../user-mistake.ts';

export interface OpenRateLimit {
  readonly store: RateLimitStore;
  close(): void;
}

/**
 * Counts requests in the Redis of `LEEWARD_RATE_LIMIT_URL` (`?prefix=…` per installation), otherwise in this process. Throws if Redis is
 * unavailable at startup; later outages are not counted.
 *
 * @param onError Called when a connection is lost.
 */
export async function openRateLimit(url: string | undefined, onError: (error: Error) => void): Promise<OpenRateLimit> {
  if (url === undefined) return { store: createMemoryRateLimitStore(), close: () => {} };
  if (!URL.canParse(url)) {
    throw new CommandError('LEEWARD_RATE_LIMIT_URL is not a URL; escape special characters of its password.');
  }
  const address = new URL(url);
  const prefix = address.searchParams.get('prefix') ?? undefined;
  address.searchParams.delete('prefix');
  try {
    const store = await createRedisRateLimitStore({ url: address.href, prefix, onError });
    return { store, close: store.close };
  } catch (error) {
    if (isMissingPackage(error)) throw error;
    const { code, message } = error as { code?: unknown; message?: unknown };
    const why = typeof code === 'string' ? code : String(message).split('\n')[0]?.replace(/\.$/, '');
    throw new CommandError(
      `Requests cannot be counted (${why}); see LEEWARD_RATE_LIMIT_URL, and whether it is running.`,
    );
  }
}
