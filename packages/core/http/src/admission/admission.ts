import type { Caller } from '../access/directory.ts';
import { Problem } from '../problem/problem.ts';
import { networkOf } from '../request/client-address.ts';
import type { FairScheduler, ScheduledWork } from './fair-scheduler.ts';
import { createShares, type Shares } from './shares.ts';

/** Limits above which new requests are answered 503. A tenant below its even share is admitted even then. */
export interface OverloadLimits {
  /** Maximum number of requests being answered, and of requests being authenticated; null for no limit. @default 1_000 */
  readonly maxInFlight?: number | null;
  /** Maximum time that requests of one tenant wait for a time slice, in ms; null for no limit. @default 250 */
  readonly maxDelayMs?: number | null;
  /** Maximum size of all bodies in transfer, in bytes, each counted as 16 KiB or more; null for no limit. @default 134_217_728 */
  readonly maxAwaitedBytes?: number | null;
}

/** A request as admission needs it. */
export interface AdmittedRequest {
  /** Address of the client; undefined if the host does not know it. */
  readonly address: string | undefined;
  /** Why the request ended early; undefined while its answer is awaited. */
  readonly end: Error | undefined;
  takeTimeSlices(piece: ScheduledWork): void;
  /** Exchanges the place that the request holds for another; false if there is none. */
  hold(shares: Shares, key: string, weight: number): boolean;
}

/** Admits requests to each phase. A method throws (or rejects with) 503 if there is no place for the caller. */
export interface Admission {
  /** Admits by the client's address, since the caller is not known yet. */
  toAuthenticate(request: AdmittedRequest): void;
  /** Waits for a time slice if other tenants come first. */
  toWork(request: AdmittedRequest, caller: Caller): void | Promise<void>;
  /** Frees the place of a request while its body arrives. */
  toReceive(request: AdmittedRequest, caller: Caller, bytes: number): void;
}

/** Memory of a connection with the smallest body. */
const MIN_BODY_BYTES = 16 * 1024;

/**
 * Divides capacity evenly: among client addresses during authentication, then among tenants. A tenant that sends too much is refused
 * itself; others are not affected.
 */
export function createAdmission(
  scheduler: FairScheduler,
  { maxInFlight = 1_000, maxAwaitedBytes = 128 * 1024 * 1024 }: OverloadLimits = {},
): Admission {
  const authenticating = createShares(maxInFlight ?? Number.POSITIVE_INFINITY);
  const working = createShares(maxInFlight ?? Number.POSITIVE_INFINITY);
  const receiving = createShares(maxAwaitedBytes ?? Number.POSITIVE_INFINITY);
  return {
    toAuthenticate(request) {
      if (!request.hold(authenticating, networkOf(request.address ?? ''), 1)) throw busy();
    },
    toWork(request, caller) {
      const tenant = tenantOf(caller);
      if (!request.hold(working, tenant, 1)) throw busy();
      const begin = (isAdmitted: boolean) => {
        if (!isAdmitted) throw busy();
        request.takeTimeSlices(scheduler.workOf(tenant, () => request.end));
      };
      const entered = scheduler.enter(tenant);
      return typeof entered === 'boolean' ? begin(entered) : entered.then(begin);
    },
    toReceive(request, caller, bytes) {
      if (!request.hold(receiving, tenantOf(caller), Math.max(bytes, MIN_BODY_BYTES))) throw busy();
    },
  };
}

/** All tokens of an organization are one tenant. */
export function tenantOf({ organizationId, tokenId }: Caller): string {
  return organizationId === null ? `token:${tokenId}` : organizationTenant(organizationId);
}

/**
 * The key of an organization in the fair scheduler.
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
