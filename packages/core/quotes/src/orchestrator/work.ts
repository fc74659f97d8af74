import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { CarrierRequest } from '../ports/carrier-adapter.ts';
import type { CarrierFault } from '../ports/carrier-fault.ts';
import type { ClaimedRate } from '../store/claim.ts';
import type { Admission, Breaker } from './breaker.ts';
import type { Call } from './call-carrier.ts';
import type { CarrierRests } from './carrier-rests.ts';
import type { Circumstances } from './decide.ts';
import type { LanePace } from './lane-pace.ts';
import type { QuoteListener } from './quote-event.ts';
import type { Slots } from './slots.ts';

/** What a worker knows of its hold on a rate. */
export interface HoldState {
  /** When the lease was asked for. */
  readonly heldSince: number;
  /** Whether it is noted that the carrier is asked. */
  readonly noted: boolean;
}

export interface LaneState {
  readonly carrier: CatalogCarrier;
  readonly breaker: Breaker;
  readonly pace: LanePace;
  readonly slots: Slots;
}

/** One claim in hand. */
export interface Work {
  readonly claimed: ClaimedRate;
  readonly lane: LaneState;
  readonly admission: Admission;
  readonly stop: AbortSignal;
  readonly calls: Call<unknown>[];
  readonly start: number;
  readonly hold: HoldState;
}

/** What a call needs. */
export interface Ready {
  readonly request: CarrierRequest;
  /** What the adapter gave that was to be done before. */
  readonly prepared: unknown;
  /** The carrier was asked already: what became of that is looked up. */
  readonly toLookUp: boolean;
}

export function circumstancesOf({ claimed, lane: { carrier }, start }: Work, random: () => number): Circumstances {
  return {
    idempotent: carrier.adapter.idempotent,
    canLookUp: carrier.adapter.lookup !== undefined,
    attempts: claimed.attempts,
    remainingMs: claimed.remainingMs - (performance.now() - start),
    limits: carrier.limits,
    random,
  };
}

/** For one call: the carrier's deadline, or what is left of the quote's time. */
export function timeLeft(work: Work, random: () => number): number {
  return Math.min(work.lane.carrier.limits.deadlineMs, circumstancesOf(work, random).remainingMs);
}

/** A carrier that said when to come back is left alone until then. */
export async function restAsAsked(
  { lane: { carrier } }: Work,
  { rests, listener }: { readonly rests: CarrierRests; readonly listener: QuoteListener },
  { retryAfterMs }: CarrierFault,
): Promise<void> {
  if (retryAfterMs === undefined || retryAfterMs <= 0) return;
  await rests
    .rest(carrier.adapter.key, retryAfterMs)
    .catch((error: unknown) => listener({ type: 'trouble', where: 'rest', error }));
}
