import type { StoredInteger } from '@leeward/database';

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

/** Status of a rate. */
export type RateStatus = 'queued' | 'processing' | 'success' | 'error';

/** Rows of the store. Instants are microseconds since 1970, amounts are cents. */
export interface QuoteTables {
  quote_request: QuoteRow;
  quote_rate: RateRow;
  quote_rate_event: RateEventRow;
  quote_carrier_pace: CarrierPaceRow;
  quote_carrier_permit: CarrierPermitRow;
  quote_carrier_quota: CarrierQuotaRow;
  quote_carrier_rest: CarrierRestRow;
  quote_carrier_team: CarrierTeamRow;
  quote_clock: ClockRow;
  quote_callback: CallbackRow;
  quote_process: ProcessRow;
  quote_progress: ProgressRow;
  quote_event: QuoteEventRow;
  quote_webhook: WebhookRow;
  quote_webhook_delivery: WebhookDeliveryRow;
  quote_field_key: FieldKeyRow;
}

/** A key that personal data was encrypted under; an empty id stands for plain text. */
export interface FieldKeyRow {
  key_id: string;
  /** Text that only this key decrypts; null until a process with the key has run. */
  check_value: string | null;
  created_at: number;
}

export interface QuoteRow {
  id: string;
  service_quote_id: string;
  team_id: string;
  product_code: string;
  producer_email: string;
  effective_date: string;
  /** JSON, or an encrypted envelope; null once erased. */
  fields: string | null;
  /** JSON. */
  skipped: string;
  /** Null without a key, or after it expired. */
  idempotency_key: string | null;
  body_hash: string | null;
  created_at: number;
  erased_at: number | null;
  /** The quote that this one is a requote of. */
  requote_of: string | null;
}

export interface RateRow {
  id: string;
  quote_id: string;
  team_id: string;
  /** Order within the quote. */
  position: number;
  carrier_key: string;
  carrier: string;
  form_type: string;
  status: RateStatus;
  /** Status before the last change, for the event. */
  previous_status: RateStatus | null;
  /** Reason of the last return to the store. */
  requeue_reason: string | null;
  /** Null until the rate ends. */
  outcome: string | null;
  /** Raised by every claim. A worker with an older fence cannot write. */
  fence: number;
  /** Token of the claim, so that a repeated claim counts once. */
  claim_token: string | null;
  /** Process of that claim. */
  owner: string | null;
  /** Set while a worker holds the rate, or held it and died. */
  lease_until: number | null;
  /** Time at which the rate is due, or handed out again; null once it has ended and no further answer is expected. */
  wake_at: number | null;
  /** 0: waits until `wake_at`. 2: ready. 1: handed out to a queue, again at `wake_at`. See `hand-out.ts`. */
  told: number;
  /** Set before a call to a carrier that is not idempotent: the carrier may have been called. */
  sent_at: number | null;
  /** Fence at that time. A claim with a higher fence must look the call up. */
  sent_fence: number | null;
  /** Idempotency key, if it comes from the retried rate; null stands for the rate's id. */
  asked_under: string | null;
  /** 1 if the carrier may have made something under the key: a retry keeps the key. */
  may_have_made: number;
  deadline_at: number;
  attempts: number;
  /** Number of status changes; numbers the events. */
  transitions: number;
  premium_cents: StoredInteger | null;
  /** JSON of the answer or the fault. */
  answer: string | null;
  /** 1 if a retry may help. */
  retryable: number;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  retry_of: string | null;
  /** The rate that replaced this one. */
  superseded_by: string | null;
  /** The rate of an earlier quote whose answer was carried over. */
  carried_from: string | null;
  /** State of a pending answer: JSON or an encrypted envelope, like a quote's fields. */
  pending: string | null;
  pending_since: number | null;
  /** Hash of the callback reference. */
  pending_reference: string | null;
}

export interface RateEventRow {
  rate_id: string;
  number: number;
  at: number;
  from_status: string;
  to_status: string;
  /** Outcome, or the reason of a return to the store. */
  reason: string | null;
  fence: number;
}

/** Rate limit of a carrier (generic cell rate algorithm). */
export interface CarrierPaceRow {
  carrier_key: string;
  /** Time at which the full allowance is available again. */
  theoretical_arrival: number;
  /** Number of permits; selects the slot of the next one. */
  granted: number;
}

/** Last permits of a carrier whose limit allows bursts. */
export interface CarrierPermitRow {
  carrier_key: string;
  slot: number;
  granted_at: number;
}

/** Used part of a quota in its latest window. */
export interface CarrierQuotaRow {
  carrier_key: string;
  per: string;
  /** Milliseconds since 1970. */
  window_start: number;
  used: number;
}

/** A carrier in a cooldown, or paused. */
export interface CarrierRestRow {
  carrier_key: string;
  /** Null for a paused carrier. */
  rest_until: number | null;
}

/** Position of a team at a carrier. See `hand-out.ts`. */
export interface CarrierTeamRow {
  carrier_key: string;
  team_id: string;
  /** Start tag of its next call. */
  tag: number;
  /** 1 while it may have ready rates there. */
  is_waiting: number;
  /** Raised when rates of the team become ready there. */
  arrivals: number;
}

/** An accepted callback. */
export interface CallbackRow {
  carrier_key: string;
  /** Hash of its id. */
  callback: string;
  taken_at: number;
}

/** Sum of the clock jumps by which waits were moved. One row. */
export interface ClockRow {
  id: number;
  moved: number;
}

/** A process that may hold rates. */
export interface ProcessRow {
  id: string;
  /** Raised about every second if there are other processes. */
  beats: number;
}

/** Progress of a quote. Its row lock orders the numbering of events. */
export interface ProgressRow {
  quote_id: string;
  team_id: string;
  /** Number of the newest event; 0 without events. */
  last_event: number;
  /** Number of unfinished rates. */
  open_rates: number;
}

/** An event of a quote. It contains no personal data and remains after an erasure. */
export interface QuoteEventRow {
  quote_id: string;
  /** 1, 2, 3 … within the quote, in the order of the commits. */
  number: number;
  type: string;
  /** Null for an event of the whole quote, like the columns below. */
  rate_id: string | null;
  at: number;
  status: string | null;
  outcome: string | null;
  premium_cents: StoredInteger | null;
}

/** An endpoint of a team. */
export interface WebhookRow {
  id: string;
  team_id: string;
  url: string;
  description: string | null;
  /** JSON; null means all. */
  event_types: string | null;
  /** Encrypted like `fields`. */
  secret: string;
  /** Also signs until `previous_until`. */
  previous_secret: string | null;
  previous_until: number | null;
  created_at: number;
  disabled_at: number | null;
  disabled_reason: string | null;
  /** Counted failures in a row: first attempts, and every attempt at an endpoint that is down. */
  failures: number;
  failing_since: number | null;
  /** Time until which the endpoint is paused. */
  rest_until: number | null;
  /** Start of the window in which attempts and failures are counted. */
  window_started_at: number | null;
  window_attempts: number;
  window_failures: number;
  last_failure: string | null;
  last_delivery_at: number | null;
}

/** Events of a quote to send to an endpoint, from `next_number` to `last_number`. Deleted when all are sent. */
export interface WebhookDeliveryRow {
  webhook_id: string;
  quote_id: string;
  next_number: number;
  last_number: number;
  /** Time of the next attempt. During one, the end of its lease. */
  due_at: number;
  /** Failed attempts at the next event. */
  attempts: number;
  failing_since: number | null;
  claim_token: string | null;
}
