import type { Caller } from '../access/directory.ts';
import { Problem } from '../problem/problem.ts';
import { networkOf } from '../request/client-address.ts';
import type { FairTurns, Piece } from './fair-turns.ts';
import { createShares, type Shares } from './shares.ts';

/** How much may be under way before new requests are turned away with 503. */
export interface OverloadLimits {
  /** Requests at work at once, and as many whose token is looked up; null for any number. Default 1,000. */
  readonly maxInFlight?: number | null;
  /** How long a request may wait for its turn while others of its tenant do; null for any time. Default 250 ms. */
  readonly maxDelayMs?: number | null;
  /** What all bodies together may have that are not there yet, each 16 KiB at least; null for any size. Default 128 MiB. */
  readonly maxAwaitedBytes?: number | null;
}

/** What is asked of a request that is let in. */
export interface AdmittedRequest {
  /** Address of the client; undefined if the host does not know it. */
  readonly address: string | undefined;
  /** Why nobody waits for its answer any longer; undefined while somebody does. */
  readonly end: Error | undefined;
  /** Gives it turns while it is worked on. */
  takeTurns(piece: Piece): void;
  /** Takes a place in exchange for the one it has; false where there is none. */
  hold(shares: Shares, key: string, weight: number): boolean;
}

/** Takes requests in, step by step. Each throws (or rejects with) 503 where there is no room for this caller. */
export interface Admission {
  /** Before anything is known but where it comes from. */
  toAuthenticate(request: AdmittedRequest): void;
  /** Waits for a turn where others come first, and gives the request its piece of them. */
  toWork(request: AdmittedRequest, caller: Caller): void | Promise<void>;
  /** While its body is on its way it is not at work. */
  toReceive(request: AdmittedRequest, caller: Caller, bytes: number): void;
}

/** What a connection takes, whatever is sent over it. */
const MIN_BODY_BYTES = 16 * 1024;

/**
 * Everything is shared: while tokens are looked up among the addresses they come from, afterwards among tenants. So one who
 * asks for everything is turned away himself, and nobody else for it.
 */
export function createAdmission(
  turns: FairTurns,
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
      const begin = (isTaken: boolean) => {
        if (!isTaken) throw busy();
        request.takeTurns(turns.pieceOf(tenant, () => request.end));
      };
      const entered = turns.enter(tenant);
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

/** An organization as it takes turns. */
export function organizationTenant(organizationId: string): string {
  return `organization:${organizationId}`;
}

function busy(): Problem {
  return new Problem('unavailable', 'More is asked than can be answered at the moment; try again in a second.', {
    headers: { 'retry-after': '1' },
  });
}
