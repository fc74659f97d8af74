import type { Caller } from '../access/directory.ts';
import { Problem } from '../problem/problem.ts';
import { networkOf } from '../request/client-address.ts';
import type { FairScheduler, ScheduledWork } from './fair-scheduler.ts';
import { createShares, type Shares } from './shares.ts';

/** Above these, requests get 503. A tenant below its even share is still admitted. */
export interface OverloadLimits {
  /** Requests being answered, and being authenticated; null: unlimited. @default 1_000 */
  readonly maxInFlight?: number | null;
  /** Wait of one tenant's requests for a time slice, in ms; null: unlimited. @default 250 */
  readonly maxDelayMs?: number | null;
  /** Bodies in transfer, in bytes, each counted as 16 KiB or more; null: unlimited. @default 134_217_728 */
  readonly maxAwaitedBytes?: number | null;
}

export interface AdmittedRequest {
  /** undefined if unknown. */
  readonly address: string | undefined;
  /** undefined while the answer is awaited. */
  readonly end: Error | undefined;
  /** True if the answer must be written even if the caller has gone. */
  readonly isCommitting: boolean;
  takeTimeSlices(piece: ScheduledWork): void;
  /** False if there is no place. */
  hold(shares: Shares, key: string, weight: number): boolean;
}

/** Each method but `toServeAnyone` throws (or rejects with) 503 if there is no place. */
export interface Admission {
  /** By the client's network. */
  toAuthenticate(request: AdmittedRequest): void;
  /** For requests without a valid token: waits for a time slice of the client's network. The limit of addresses refuses, this does not. */
  toServeAnyone(request: AdmittedRequest): void | Promise<void>;
  /** Waits while other tenants come first. */
  toWork(request: AdmittedRequest, caller: Caller): void | Promise<void>;
  toReceive(request: AdmittedRequest, caller: Caller, bytes: number): void;
}

const MIN_BODY_BYTES = 16 * 1024;

/**
 * Divides capacity evenly: among networks during authentication and for requests without a token, else among tenants. Only the one that
 * sends too much is refused.
 */
export function createAdmission(
  scheduler: FairScheduler,
  { maxInFlight = 1_000, maxAwaitedBytes = 128 * 1024 * 1024 }: OverloadLimits = {},
): Admission {
  const authenticating = createShares(maxInFlight ?? Number.POSITIVE_INFINITY);
  const working = createShares(maxInFlight ?? Number.POSITIVE_INFINITY);
  const receiving = createShares(maxAwaitedBytes ?? Number.POSITIVE_INFINITY);
  const enter = (request: AdmittedRequest, tenant: string, isRefusable: boolean): void | Promise<void> => {
    const begin = (isAdmitted: boolean) => {
      if (!isAdmitted && isRefusable) throw busy();
      // The caller may have gone while the request waited.
      if (request.end) throw request.end;
      request.takeTimeSlices(scheduler.workOf(tenant, () => (request.isCommitting ? undefined : request.end)));
    };
    const entered = scheduler.enter(tenant);
    return typeof entered === 'boolean' ? begin(entered) : entered.then(begin);
  };
  return {
    toAuthenticate(request) {
      if (!request.hold(authenticating, networkOf(request.address ?? ''), 1)) throw busy();
    },
    toServeAnyone(request) {
      return enter(request, `network:${networkOf(request.address ?? '')}`, false);
    },
    toWork(request, caller) {
      const tenant = tenantOf(caller);
      if (!request.hold(working, tenant, 1)) throw busy();
      return enter(request, tenant, true);
    },
    toReceive(request, caller, bytes) {
      if (!request.hold(receiving, tenantOf(caller), Math.max(bytes, MIN_BODY_BYTES))) throw busy();
    },
  };
}

/**
 * The tenant of a caller: an organization is one, and so is each token without an organization.
 *
 * @example
 * const turn = scheduler.workOf(tenantOf(caller));
 */
export function tenantOf({ organizationId, tokenId }: Caller): string {
  return organizationId === null ? `token:${tokenId}` : organizationTenant(organizationId);
}

/**
 * Key in the fair scheduler.
 *
 * @example
 * const turn = scheduler.workOf(organizationTenant(organizationId));
 */
export function organizationTenant(organizationId: string): string {
  return `organization:${organizationId}`;
}

function busy(): Problem {
  return new Problem('unavailable', 'The service is overloaded at the moment; try again in a second.', {
    headers: { 'retry-after': '1' },
  });
}
