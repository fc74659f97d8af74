import { Problem } from '../problem/problem.ts';
import type { RateLimit } from './rate-limit.ts';
import type { RateLimitDecision, RateLimitStore } from './rate-limit-store.ts';

type Fields = Readonly<Record<string, string>>;

/** Header fields for a request that may go on. Throws (or rejects with) 429, with the same fields, for one that may not. */
export type RateLimiter = (key: string) => Fields | Promise<Fields>;

/**
 * A limiter over a store. Fields as draft-ietf-httpapi-ratelimit-headers-10 has them: `q` requests in `w` seconds, of
 * which `r` are left, all of them again in `t` seconds.
 */
export function createRateLimiter(limit: RateLimit, store: RateLimitStore): RateLimiter {
  const { perMinute, burst } = limit;
  const burstSeconds = Math.max(1, Math.round((burst / perMinute) * 60));
  const policy = `"sustained";q=${perMinute};w=60, "burst";q=${burst};w=${burstSeconds}`;
  const told = (decision: RateLimitDecision): Fields => {
    const fields = {
      'ratelimit-policy': policy,
      ratelimit: `"burst";r=${decision.remaining};t=${Math.ceil(decision.resetAfterMs / 1000)}`,
    };
    if (decision.allowed) return fields;
    const seconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1000));
    throw new Problem(
      'rate_limited',
      `This token may ask ${perMinute} times a minute, ${burst} of them at once; the next in ${seconds} s.`,
      { headers: { ...fields, 'retry-after': String(seconds) } },
    );
  };
  return (key) => {
    let decision: ReturnType<RateLimitStore['take']>;
    try {
      decision = store.take(key, limit);
    } catch {
      return uncounted;
    }
    return decision instanceof Promise ? decision.then(told, () => uncounted) : told(decision);
  };
}

/** Where the store is out of reach. */
const uncounted: Fields = Object.freeze({});
