import type { FormType, Micros } from '@leeward/terms';
import type { Outcome } from './outcome.ts';

/** Outcomes that are no answer of a carrier: something went wrong. */
export const faultOutcomes = ['invalid', 'failed', 'timed_out', 'unknown_outcome'] as const satisfies Outcome[];
/** An outcome that is no answer of a carrier. */
export type FaultOutcome = (typeof faultOutcomes)[number];

/** A rate that an operator should know of: it ended for a fault and nobody has retried it, or it waits too long. */
export interface TroubledRate {
  readonly id: string;
  readonly quoteId: string;
  readonly teamId: string;
  readonly carrierKey: string;
  readonly carrier: string;
  readonly formType: FormType;
  readonly outcome: FaultOutcome | undefined;
  /** Of one that ended: its fault. Of one that waits: what it waits for, without words. */
  readonly why: { readonly code: string; readonly message?: string | undefined };
  /** Whether asking again is known to repeat nothing at the carrier. */
  readonly retryable: boolean;
  readonly attempts: number;
  readonly createdAt: Micros;
  readonly finishedAt: Micros | undefined;
}

/** Which of them: of one state, those of a carrier or a team alone where named. */
export interface TroubledQuery {
  /** `ended`: newest first. `waiting`: who has waited longest first. */
  readonly state: 'ended' | 'waiting';
  readonly carrierKey?: string | undefined;
  readonly teamId?: string | undefined;
  /** Of those that ended; default all of {@link faultOutcomes}. */
  readonly outcomes?: readonly FaultOutcome[] | undefined;
  /** Of those that ended: leaves out where the carrier may have done the work. Default false. */
  readonly onlyRetryable?: boolean | undefined;
  /** Of those that wait: for at least so long. */
  readonly waitingMs: number;
  /** Behind this one, in the same order. */
  readonly after?: { readonly at: Micros; readonly id: string } | undefined;
  readonly limit: number;
}
