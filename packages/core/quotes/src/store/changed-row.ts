import type { RateStatus } from '../ports/quote-store.ts';

/** A rate after a change of its status. */
export interface ChangedRow {
  readonly id: string;
  readonly quote_id: string;
  readonly team_id: string;
  readonly carrier_key: string;
  readonly form_type: string;
  readonly status: RateStatus;
  readonly previous_status: RateStatus;
  readonly fence: number;
  readonly attempts: number;
  readonly sent_fence: number | null;
  /** Microseconds until the deadline, as of the change. */
  readonly remaining: number;
}
