import type { RateLimit } from './rate-limit.ts';
import type { RateLimitDecision } from './rate-limit-store.ts';

/** Header fields as draft-ietf-httpapi-ratelimit-headers-10 has them. */
export type RateLimitFields = Readonly<Record<string, string>>;

/** Whose limit, or of what. */
export type LimitName = 'token' | 'organization' | 'items';

/** The names of a limit's two policies: in the long run, and at once. */
const policyNames: Readonly<Record<LimitName, readonly [string, string]>> = {
  token: ['sustained', 'burst'],
  organization: ['organization', 'organization-burst'],
  items: ['items', 'items-burst'],
};

/** `ratelimit-policy`: `q` units in `w` seconds, in the long run and at once. */
export function policyFields(limits: Partial<Readonly<Record<LimitName, RateLimit | undefined>>>): RateLimitFields {
  const policies = Object.entries(limits).flatMap(([name, limit]) => {
    if (limit === undefined) return [];
    const [sustained, atOnce] = policyNames[name as LimitName];
    const burstSeconds = Math.max(1, Math.round((limit.burst / limit.perMinute) * 60));
    return [`"${sustained}";q=${limit.perMinute};w=60`, `"${atOnce}";q=${limit.burst};w=${burstSeconds}`];
  });
  return policies.length === 0 ? {} : { 'ratelimit-policy': policies.join(', ') };
}

/** `ratelimit`: `r` units are left, all of them again in `t` seconds. */
export function statusField(name: LimitName, { remaining, resetAfterMs }: RateLimitDecision): string {
  return `"${policyNames[name][1]}";r=${remaining};t=${Math.ceil(resetAfterMs / 1000)}`;
}

/** The fields of a request that was counted in two ways. */
export function joinFields(first: RateLimitFields | undefined, second: RateLimitFields): RateLimitFields {
  if (first === undefined) return second;
  const joined: Record<string, string> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    joined[name] = joined[name] === undefined ? value : `${joined[name]}, ${value}`;
  }
  return joined;
}
