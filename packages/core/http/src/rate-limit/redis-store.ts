import type { Redis } from 'ioredis';
import type { RateLimitStore, Withdrawal } from './rate-limit-store.ts';
import { type Cells, cellsOf, decisionOf, isAllowed } from './take-units.ts';

/** Connection and keys of the store. */
export interface RedisRateLimitOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Prefix of every key. @default 'leeward' */
  readonly prefix?: string | undefined;
  /** Maximum time of one count, in ms; then the request is admitted uncounted. @default 250 */
  readonly timeoutMs?: number;
  /** Called when a connection is lost. If omitted, nothing is reported. */
  readonly onError?: (error: Error) => void;
  /** Epoch milliseconds. If omitted, the clock of Redis, so that processes with different clocks agree. */
  readonly nowMs?: () => number;
}

/** A store in Redis, for all processes that share it. */
export interface RedisRateLimitStore extends RateLimitStore {
  /** Resolves when Redis answers; rejects with the error if it does not. */
  ping(): Promise<void>;
  close(): void;
}

/**
 * The generic cell rate algorithm in whole microseconds, which a double represents exactly until the year 2255. Keys: the theoretical
 * arrival times. Arguments: the time, or an empty text for that of Redis; then cost and capacity of each key. Returns whether all
 * withdrawals were made, and the time that each key owed before.
 */
const script = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local owed, taken = {}, 1
for i, key in ipairs(KEYS) do
  owed[i] = math.max(0, tonumber(redis.call('GET', key) or 0) - now)
  if owed[i] + tonumber(ARGV[2 * i]) > tonumber(ARGV[2 * i + 1]) then taken = 0 end
end
local answer = {taken}
for i, key in ipairs(KEYS) do
  if taken == 1 then
    local after = owed[i] + tonumber(ARGV[2 * i])
    redis.call('SET', key, string.format('%.0f', now + after), 'PX', math.ceil(after / 1000) + 60000)
  end
  answer[i + 1] = string.format('%.0f', owed[i])
end
return answer
`;

type Take = (keys: number, ...keysAndWords: string[]) => Promise<[number, ...string[]]>;

/**
 * Counts in Redis with one script, so that each count is atomic. Loads the optional peer `ioredis` and connects. While Redis is unavailable,
 * counts reject at once, and a limiter admits requests uncounted.
 *
 * @throws if Redis is unavailable now
 *
 * @example
 * const rateLimitStore = await createRedisRateLimitStore({ url: 'redis://localhost:6379' });
 */
export async function createRedisRateLimitStore(options: RedisRateLimitOptions): Promise<RedisRateLimitStore> {
  const { url, prefix = 'leeward', timeoutMs = 250, onError = () => {}, nowMs } = options;
  const { Redis } = await loadPeer();
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2_000,
    // For the first connection. A busy server may answer it later than a request waits for a count.
    commandTimeout: 10_000,
    // A request that cannot be counted now is not counted later.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(2_000, 100 * times),
  });
  redis.on('error', onError);
  redis.defineCommand('leewardTake', { lua: script });
  await connect(redis);
  redis.options.commandTimeout = timeoutMs;
  const take = (redis as unknown as { leewardTake: Take }).leewardTake.bind(redis);
  return {
    async take(withdrawals) {
      const keys = withdrawals.map(({ key }) => `${prefix}:rate-limit:${key}`);
      const allCells = withdrawals.map((withdrawal) => wholeCells(withdrawal));
      const now = nowMs === undefined ? '' : String(Math.round(nowMs() * 1000));
      const words = allCells.flatMap(({ cost, capacity }) => [String(cost), String(capacity)]);
      const [isTaken, ...owed] = await take(keys.length, ...keys, now, ...words);
      return allCells.map((cells, index) => {
        const owedMicros = Number(owed[index]);
        const after = isTaken === 1 ? owedMicros + cells.cost : owedMicros;
        return decisionOf(isAllowed(owedMicros, cells), after / 1000, inMilliseconds(cells));
      });
    },
    async ping() {
      await redis.ping();
    },
    close: () => redis.disconnect(),
  };
}

/** In whole microseconds. A unit costs at least one, so that a very high limit still limits. */
function wholeCells(withdrawal: Withdrawal): Cells {
  const { burst } = withdrawal.limit;
  const interval = Math.max(1, Math.round(cellsOf(withdrawal, 60_000_000).interval));
  return { interval, capacity: interval * burst, cost: interval * Math.min(withdrawal.units, burst) };
}

function inMilliseconds({ interval, capacity, cost }: Cells): Cells {
  return { interval: interval / 1000, capacity: capacity / 1000, cost: cost / 1000 };
}

/** Connects once, and throws if that fails. Later disconnections are retried by ioredis. */
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
