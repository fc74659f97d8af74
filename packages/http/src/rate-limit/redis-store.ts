import type { Redis } from 'ioredis';
import type { RateLimitStore } from './rate-limit-store.ts';
import { decisionOf } from './take-cell.ts';

export interface RedisRateLimitOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Before every key in Redis. Default `leeward`. */
  readonly prefix?: string | undefined;
  /** How long one count may take before the request goes on uncounted. Default 250. */
  readonly timeoutMs?: number;
  /** Hears of lost connections. Default: nobody. */
  readonly onError?: (error: Error) => void;
  /** Epoch milliseconds. Default Redis's own clock, so that processes whose clocks differ agree. */
  readonly nowMs?: () => number;
}

/** Counts in Redis, for all processes that share it. */
export interface RedisRateLimitStore extends RateLimitStore {
  /** Resolves when Redis answers; rejects with what is wrong. */
  ping(): Promise<void>;
  close(): void;
}

/**
 * The generic cell rate algorithm in whole microseconds, which a double holds exactly until the year 2255. Keys:
 * the theoretical arrival time. Arguments: interval and capacity; now, or nothing for Redis's own. Gives whether the
 * request is allowed, and what the key owes.
 */
const script = `
local now = tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local interval = tonumber(ARGV[1])
local debt = math.max(0, tonumber(redis.call('GET', KEYS[1]) or 0) - now)
local after = debt + interval
if after > tonumber(ARGV[2]) then return {0, string.format('%.0f', debt)} end
redis.call('SET', KEYS[1], string.format('%.0f', now + after), 'PX', math.ceil(after / 1000) + 60000)
return {1, string.format('%.0f', after)}
`;

type Take = (key: string, interval: string, capacity: string, now: string) => Promise<[number, string]>;

/**
 * Counts in Redis by one script, so that a count is atomic whoever else counts. Loads the optional peer `ioredis`, and
 * connects. While Redis is away counts are refused at once, and a limiter lets requests through.
 *
 * @throws where Redis is out of reach now.
 */
export async function createRedisRateLimitStore(options: RedisRateLimitOptions): Promise<RedisRateLimitStore> {
  const { url, prefix = 'leeward', timeoutMs = 250, onError = () => {}, nowMs } = options;
  const { Redis } = await loadPeer();
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2_000,
    commandTimeout: timeoutMs,
    // What cannot be counted now is not worth counting later.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(2_000, 100 * times),
  });
  redis.on('error', onError);
  redis.defineCommand('leewardTake', { numberOfKeys: 1, lua: script });
  await connect(redis);
  const take = (redis as unknown as { leewardTake: Take }).leewardTake.bind(redis);
  return {
    async take(key, { perMinute, burst }) {
      const interval = Math.max(1, Math.round(60_000_000 / perMinute));
      const now = nowMs === undefined ? '' : String(Math.round(nowMs() * 1000));
      const [allowed, owed] = await take(
        `${prefix}:rate-limit:${key}`,
        String(interval),
        String(interval * burst),
        now,
      );
      return decisionOf(allowed === 1, Number(owed) / 1000, interval / 1000, burst);
    },
    async ping() {
      await redis.ping();
    },
    close: () => redis.disconnect(),
  };
}

/** Tries once; what comes later is tried again and again. */
async function connect(redis: Redis): Promise<void> {
  let cause: unknown;
  const note = (error: unknown) => {
    cause = error;
  };
  redis.on('error', note);
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    throw cause ?? error;
  } finally {
    redis.off('error', note);
  }
}

async function loadPeer() {
  try {
    return await import('ioredis');
  } catch (error) {
    throw new Error('Counting requests in Redis needs a package: npm install ioredis', { cause: error });
  }
}
