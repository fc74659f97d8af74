import type { Caller } from '../access/directory.ts';
import { Problem } from '../problem/problem.ts';
import { networkOf } from '../request/client-address.ts';
import { createMemoryRateLimitStore } from './memory-store.ts';
import type { RateLimit } from './rate-limit.ts';
import type { RateLimitDecision, RateLimitStore, Withdrawal } from './rate-limit-store.ts';

/** Header fields as draft-ietf-httpapi-ratelimit-headers-10 has them. */
export type RateLimitFields = Readonly<Record<string, string>>;

/** Whose limit, or of what. */
export type LimitName = 'token' | 'organization' | 'items' | 'address';

/** The names of a limit's two policies: in the long run, and at once. */
const policyNames: Readonly<Record<LimitName, readonly [string, string]>> = {
  token: ['sustained', 'burst'],
  organization: ['organization', 'organization-burst'],
  items: ['items', 'items-burst'],
  address: ['address', 'address-burst'],
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

/** What is counted; undefined: not at all. */
export interface RateLimits {
  /** Requests of each token. */
  readonly token: RateLimit | undefined;
  /** Requests of all tokens of an organization together. */
  readonly organization: RateLimit | undefined;
  /** Items of operations on many things, of each token and of each organization. */
  readonly items: RateLimit | undefined;
  /** Requests without a valid token, of each address. */
  readonly address?: RateLimit | undefined;
}

type Counted = Pick<Caller, 'tokenId' | 'organizationId'>;

/**
 * Gives the header fields of what may go on. Throws (or rejects with) 429, with the same fields, for what may not; nothing
 * is counted of it.
 */
export interface RateLimiter {
  countRequest(caller: Counted): RateLimitFields | Promise<RateLimitFields>;
  countItems(caller: Counted, items: number): RateLimitFields | Promise<RateLimitFields>;
  /** Counts a request without a valid token. Throws 429. Does nothing if the host does not know the address. */
  countAddress(address: string | undefined): void;
}

interface Wanted extends Withdrawal {
  readonly name: LimitName;
}

/**
 * A limiter over a store. Where the store is out of reach nothing is counted. Addresses are counted in this process: who has
 * no token makes no calls to a shared store.
 */
export function createRateLimiter(
  { token, organization, items, address: addressLimit }: RateLimits,
  store: RateLimitStore,
  addresses: RateLimitStore = createMemoryRateLimitStore(),
): RateLimiter {
  const requestPolicy = policyFields({ token, organization });
  const itemPolicy = policyFields({ items });
  const addressPolicy = policyFields({ address: addressLimit });
  const take = (wanted: readonly Wanted[], policy: RateLimitFields): RateLimitFields | Promise<RateLimitFields> => {
    if (wanted.length === 0) return uncounted;
    let decisions: ReturnType<RateLimitStore['take']>;
    try {
      decisions = store.take(wanted);
    } catch {
      return uncounted;
    }
    if (!(decisions instanceof Promise)) return answer(wanted, decisions, policy);
    return decisions.then(
      (all) => answer(wanted, all, policy),
      () => uncounted,
    );
  };
  return {
    countRequest({ tokenId, organizationId }) {
      const wanted: Wanted[] = [];
      if (token) wanted.push({ name: 'token', key: `token:${tokenId}`, limit: token, units: 1 });
      if (organization && organizationId !== null) {
        wanted.push({ name: 'organization', key: `organization:${organizationId}`, limit: organization, units: 1 });
      }
      return take(wanted, requestPolicy);
    },
    countItems({ tokenId, organizationId }, units) {
      if (items === undefined || units <= 0) return uncounted;
      const wanted: Wanted[] = [{ name: 'items', key: `items:token:${tokenId}`, limit: items, units }];
      if (organizationId !== null) {
        wanted.push({ name: 'items', key: `items:organization:${organizationId}`, limit: items, units });
      }
      return take(wanted, itemPolicy);
    },
    countAddress(address) {
      if (addressLimit === undefined || address === undefined) return;
      const wanted: Wanted = { name: 'address', key: networkOf(address), limit: addressLimit, units: 1 };
      answer([wanted], addresses.take([wanted]) as readonly RateLimitDecision[], addressPolicy);
    },
  };
}

/** Where the store is out of reach, or there is no limit. */
const uncounted: RateLimitFields = Object.freeze({});

function answer(
  wanted: readonly Wanted[],
  decisions: readonly RateLimitDecision[],
  policy: RateLimitFields,
): RateLimitFields {
  let nearest = 0;
  decisions.forEach((decision, index) => {
    const least = decisions[nearest]!;
    if (
      decision.retryAfterMs > least.retryAfterMs ||
      (decision.retryAfterMs === least.retryAfterMs && decision.remaining < least.remaining)
    )
      nearest = index;
  });
  const { name, limit } = wanted[nearest]!;
  const decision = decisions[nearest]!;
  const fields = { ...policy, ratelimit: statusField(name, decision) };
  if (decisions.every(({ allowed }) => allowed)) return fields;
  const seconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1000));
  throw new Problem('rate_limited', describeRefusal(wanted[nearest]!, limit, seconds), {
    headers: { ...fields, 'retry-after': String(seconds) },
  });
}

function describeRefusal({ name, key, units }: Wanted, { perMinute, burst }: RateLimit, seconds: number): string {
  const limit = `${perMinute} a minute, ${burst} of them at once`;
  switch (name) {
    case 'token':
      return `This token may ask ${perMinute} times a minute, ${burst} of them at once; the next in ${seconds} s.`;
    case 'organization':
      return `All tokens of this organization together may send ${limit}; the next request in ${seconds} s.`;
    case 'address':
      return `This address may send ${limit}, without a valid token; the next request in ${seconds} s.`;
    case 'items': {
      const whose = key.startsWith('items:token') ? 'This token' : 'All tokens of this organization together';
      return `${whose} may ask for ${limit}, in operations on many things; ${units} more in ${seconds} s.`;
    }
  }
}
