import { type FormType, formatMicros } from '@leeward/terms';
import type { Outcome } from '../ports/outcome.ts';
import type { FailedRate } from '../store/read-failed-rates.ts';

/** A failed or waiting rate for operators, without personal data. */
export interface WireFailedRate {
  readonly rate_id: string;
  readonly quote_request_id: string;
  readonly team_id: string;
  readonly carrier_key: string;
  readonly carrier: string;
  readonly form_type: FormType;
  readonly outcome: Outcome | null;
  /** Fault code, or the reason for waiting: `in_turn`, a pause, a cooldown, the next attempt. */
  readonly why: string;
  readonly message: string | null;
  /** `may_repeat` if the carrier may have done the work; `no` for an unfinished rate. */
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
