import type { Caller } from '../access/directory.ts';
import { Problem } from '../problem/problem.ts';
import { networkOf } from '../request/client-address.ts';
import { createMemoryRateLimitStore } from './memory-store.ts';
import type { RateLimit } from './rate-limit.ts';
import type { RateLimitDecision, RateLimitStore, Withdrawal } from './rate-limit-store.ts';

/** Header fields of draft-ietf-httpapi-ratelimit-headers-10. */
export type RateLimitFields = Readonly<Record<string, string>>;

export type LimitName = 'token' | 'organization' | 'items' | 'address';

/** Names of the two policies of a limit: sustained and burst. */
const policyNames: Readonly<Record<LimitName, readonly [string, string]>> = {
  token: ['sustained', 'burst'],
  organization: ['organization', 'organization-burst'],
  items: ['items', 'items-burst'],
  address: ['address', 'address-burst'],
};

/** `ratelimit-policy`: `q` units in `w` seconds, sustained and burst. */
export function policyFields(limits: Partial<Readonly<Record<LimitName, RateLimit | undefined>>>): RateLimitFields {
  const policies = Object.entries(limits).flatMap(([name, limit]) => {
    if (limit === undefined) return [];
    const [sustained, burst] = policyNames[name as LimitName];
    const burstSeconds = Math.max(1, Math.round((limit.burst / limit.perMinute) * 60));
    return [`"${sustained}";q=${limit.perMinute};w=60`, `"${burst}";q=${limit.burst};w=${burstSeconds}`];
  });
  return policies.length === 0 ? {} : { 'ratelimit-policy': policies.join(', ') };
}

/** `ratelimit`: `r` units remain, all are available in `t` seconds. */
export function statusField(name: LimitName, { remaining, resetAfterMs }: RateLimitDecision): string {
  return `"${policyNames[name][1]}";r=${remaining};t=${Math.ceil(resetAfterMs / 1000)}`;
}

/** Joins the fields of a request that is counted twice: as a request, and by its items. */
export function joinFields(first: RateLimitFields | undefined, second: RateLimitFields): RateLimitFields {
  if (first === undefined) return second;
  const joined: Record<string, string> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    joined[name] = joined[name] === undefined ? value : `${joined[name]}, ${value}`;
  }
  return joined;
}

/** Limits; undefined is unlimited. */
export interface RateLimits {
  /** Requests, by token. */
  readonly token: RateLimit | undefined;
  /** Requests, by organization. */
  readonly organization: RateLimit | undefined;
  /** Items of operations on many things, by token and by organization. */
  readonly items: RateLimit | undefined;
  /** Requests without a valid token, by address. */
  readonly address?: RateLimit | undefined;
}

type Counted = Pick<Caller, 'tokenId' | 'organizationId'>;

/** Each method returns the header fields of an admitted request, or throws (or rejects with) 429. A refused request is not counted. */
export interface RateLimiter {
  countRequest(caller: Counted): RateLimitFields | Promise<RateLimitFields>;
  countItems(caller: Counted, items: number): RateLimitFields | Promise<RateLimitFields>;
  /** Counts a request without a valid token. Does nothing if the host does not know the address. */
  countAddress(address: string | undefined): void;
}

interface NamedWithdrawal extends Withdrawal {
  readonly name: LimitName;
}

/**
 * Makes a limiter over a store. If the store is unavailable, nothing is counted. Addresses are counted in this process, so that a request
 * without a token causes no call to a shared store.
 */
export function createRateLimiter(
  { token, organization, items, address: addressLimit }: RateLimits,
  store: RateLimitStore,
  addresses: RateLimitStore = createMemoryRateLimitStore(),
): RateLimiter {
  const requestPolicy = policyFields({ token, organization });
  const itemPolicy = policyFields({ items });
  const addressPolicy = policyFields({ address: addressLimit });
  const take = (
    withdrawals: readonly NamedWithdrawal[],
    policy: RateLimitFields,
  ): RateLimitFields | Promise<RateLimitFields> => {
    if (withdrawals.length === 0) return uncounted;
    let decisions: ReturnType<RateLimitStore['take']>;
    try {
      decisions = store.take(withdrawals);
    } catch {
      return uncounted;
    }
    if (!(decisions instanceof Promise)) return answer(withdrawals, decisions, policy);
    return decisions.then(
      (all) => answer(withdrawals, all, policy),
      () => uncounted,
    );
  };
  return {
    countRequest({ tokenId, organizationId }) {
      const withdrawals: NamedWithdrawal[] = [];
      if (token) withdrawals.push({ name: 'token', key: `token:${tokenId}`, limit: token, units: 1 });
      if (organization && organizationId !== null) {
        withdrawals.push({
          name: 'organization',
          key: `organization:${organizationId}`,
          limit: organization,
          units: 1,
        });
      }
      return take(withdrawals, requestPolicy);
    },
    countItems({ tokenId, organizationId }, units) {
      if (items === undefined || units <= 0) return uncounted;
      const withdrawals: NamedWithdrawal[] = [{ name: 'items', key: `items:token:${tokenId}`, limit: items, units }];
      if (organizationId !== null) {
        withdrawals.push({ name: 'items', key: `items:organization:${organizationId}`, limit: items, units });
      }
      return take(withdrawals, itemPolicy);
    },
    countAddress(address) {
      if (addressLimit === undefined || address === undefined) return;
      const withdrawal: NamedWithdrawal = { name: 'address', key: networkOf(address), limit: addressLimit, units: 1 };
      answer([withdrawal], addresses.take([withdrawal]) as readonly RateLimitDecision[], addressPolicy);
    },
  };
}

/** For an unavailable store, or without a limit. */
const uncounted: RateLimitFields = Object.freeze({});

function answer(
  withdrawals: readonly NamedWithdrawal[],
  decisions: readonly RateLimitDecision[],
  policy: RateLimitFields,
): RateLimitFields {
  let nearest = 0;
  decisions.forEach((decision, index) => {
    const best = decisions[nearest]!;
    if (
      decision.retryAfterMs > best.retryAfterMs ||
      (decision.retryAfterMs === best.retryAfterMs && decision.remaining < best.remaining)
    )
      nearest = index;
  });
  const { name, limit } = withdrawals[nearest]!;
  const decision = decisions[nearest]!;
  const fields = { ...policy, ratelimit: statusField(name, decision) };
  if (decisions.every(({ allowed }) => allowed)) return fields;
  const seconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1000));
  throw new Problem('rate_limited', describeRefusal(withdrawals[nearest]!, limit, seconds), {
    headers: { ...fields, 'retry-after': String(seconds) },
  });
}

function describeRefusal(
  { name, key, units }: NamedWithdrawal,
  { perMinute, burst }: RateLimit,
  seconds: number,
): string {
  switch (name) {
    case 'token':
      return `This token may send ${perMinute} requests a minute, with bursts of ${burst}; the next in ${seconds} s.`;
    case 'organization':
      return `All tokens of this organization together may send ${perMinute} requests a minute, with bursts of ${burst}; the next in ${seconds} s.`;
    case 'address':
      return `This address may send ${perMinute} requests a minute without a valid token, with bursts of ${burst}; the next in ${seconds} s.`;
    case 'items': {
      const holder = key.startsWith('items:token') ? 'This token' : 'All tokens of this organization together';
      return `${holder} may request ${perMinute} items a minute in operations on many things, with bursts of ${burst}; ${units} more in ${seconds} s.`;
    }
  }
}
