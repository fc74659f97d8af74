import { type FormType, formatMicros } from '@leeward/terms';
import type { Outcome } from '../ports/outcome.ts';
import type { FailedRate } from '../store/read-failed-rates.ts';

/** A rate that ended for a fault, or waits too long, as an operator reads it. It names no person. */
export interface WireFailedRate {
  readonly rate_id: string;
  readonly quote_request_id: string;
  readonly team_id: string;
  readonly carrier_key: string;
  readonly carrier: string;
  readonly form_type: FormType;
  readonly outcome: Outcome | null;
  /** The code of the fault, or what it waits for: its turn, a carrier that rests or is paused, its next try. */
  readonly why: string;
  readonly message: string | null;
  /** `yes`; `may_repeat` where the carrier may have done the work; `no` for one that has not ended. */
  readonly retry: 'yes' | 'may_repeat' | 'no';
  readonly attempts: number;
  readonly created_at: string;
  readonly finished_at: string | null;
}

export function presentFailedRate(rate: FailedRate): WireFailedRate {
  const { why, finishedAt } = rate;
  const whenEnded = rate.retryable ? 'yes' : 'may_repeat';
  return {
    rate_id: rate.id,
    quote_request_id: rate.quoteId,
    team_id: rate.teamId,
    carrier_key: rate.carrierKey,
    carrier: rate.carrier,
    form_type: rate.formType,
    outcome: rate.outcome ?? null,
    why: why.code,
    message: why.message ?? null,
    retry: finishedAt === undefined ? 'no' : whenEnded,
    attempts: rate.attempts,
    created_at: formatMicros(rate.createdAt),
    finished_at: finishedAt === undefined ? null : formatMicros(finishedAt),
  };
}
