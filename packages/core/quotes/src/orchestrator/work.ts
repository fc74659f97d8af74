import type { CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { CarrierFault } from '../ports/carrier-fault.ts';
import type { LeasedRate } from '../store/lease.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { Admission, Breaker } from './breaker.ts';
import type { Call } from './call-carrier.ts';
import type { CarrierCooldowns } from './carrier-cooldowns.ts';
import type { Circumstances } from './decide.ts';
import type { ExchangeRecorder } from './exchange-recorder.ts';
import type { GroupedStore } from './grouped-store.ts';
import type { QuoteListener } from './quote-event.ts';
import type { RateLimiter } from './rate-limiter.ts';

export interface WorkTools {
  readonly store: GroupedStore;
  readonly cooldowns: CarrierCooldowns;
  readonly listener: QuoteListener;
  readonly random: () => number;
  readonly leaseMarginMs: number;
  readonly readOtherRates: SqlQuoteStore['readOtherRates'];
  readonly exchanges: Pick<ExchangeRecorder, 'of'>;
}

export interface CarrierRuntime {
  readonly carrier: CatalogCarrier;
  readonly breaker: Breaker;
  readonly rateLimiter: RateLimiter;
}

export interface Work {
  readonly claimed: LeasedRate;
  readonly runtime: CarrierRuntime;
  readonly admission: Admission;
  /** Aborted when the hold is lost or the process stops. */
  readonly stop: AbortSignal;
  readonly calls: Call<unknown>[];
  readonly startedAt: number;
  readonly hold: {
    readonly since: number;
    readonly isSentRecorded: boolean;
  };
}

export function circumstancesOf(
  { claimed, runtime: { carrier }, startedAt }: Work,
  random: () => number,
): Circumstances {
  return {
    idempotent: carrier.adapter.idempotent,
    canLookUp: carrier.adapter.lookup !== undefined,
    attempts: claimed.attempts,
    remainingMs: claimed.remainingMs - (performance.now() - startedAt),
    limits: carrier.limits,
    random,
  };
}

/** The carrier's deadline or the quote's remaining time, whichever is less, in ms. */
export function timeLeft(work: Work, random: () => number): number {
  return Math.min(work.runtime.carrier.limits.deadlineMs, circumstancesOf(work, random).remainingMs);
}

export async function applyRetryAfter(
  { runtime: { carrier } }: Work,
  { cooldowns, listener }: Pick<WorkTools, 'cooldowns' | 'listener'>,
  { retryAfterMs }: CarrierFault,
): Promise<void> {
  if (retryAfterMs === undefined || retryAfterMs <= 0) return;
  await cooldowns
    .start(carrier.adapter.key, retryAfterMs)
    .catch((error: unknown) => listener({ type: 'failure', where: 'cooldown', error }));
}
