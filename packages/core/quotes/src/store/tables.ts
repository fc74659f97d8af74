import type { StoredInteger } from '@leeward/database';
import type { RateState } from './transitions.ts';

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
  /** Microseconds until the deadline. */
  readonly remaining: number;
}

/** Status of a rate. */
export type RateStatus = 'queued' | 'processing' | 'success' | 'error';

/** Instants are microseconds since 1970, amounts are cents. */
export interface QuoteTables {
  quote_request: QuoteRow;
  quote_rate: RateRow;
  quote_rate_event: RateEventRow;
  quote_carrier_pace: CarrierRateLimitRow;
  quote_carrier_permit: CarrierPermitRow;
  quote_carrier_quota: CarrierQuotaRow;
  quote_carrier_rest: CarrierCooldownRow;
  quote_carrier_team: CarrierTeamRow;
  quote_clock: ClockRow;
  quote_callback: CallbackRow;
  quote_process: ProcessRow;
  quote_progress: ProgressRow;
  quote_event: QuoteEventRow;
  quote_webhook: WebhookRow;
  quote_webhook_delivery: WebhookDeliveryRow;
  quote_field_key: FieldKeyRow;
  quote_data_key: DataKeyRow;
  quote_erasure: ErasureRow;
  quote_closure_pass: ClosurePassRow;
  quote_exchange: ExchangeRow;
  quote_watched_home: WatchedHomeRow;
}

/** An empty id stands for plain text. */
export interface FieldKeyRow {
  key_id: string;
  /** Only this key decrypts it; null until a process with the key has run. */
  check_value: string | null;
  created_at: number;
}

/** See `data-keys.ts`. */
export interface DataKeyRow {
  id: string;
  team_id: string;
  /** Key-encryption key; empty for plain text. */
  key_id: string;
  /** Null once erased. */
  wrapped: string | null;
  created_at: number;
  /** Null for the team's current key. */
  retired_at: number | null;
  erased_at: number | null;
}

/** Without personal data; see `orchestrator/erasures.ts`. */
export interface ErasureRow {
  id: string;
  at: number;
  kind: 'quote' | 'insured' | 'home' | 'tenant';
  team_id: string;
  /** Quote, team, or keyed hash of the values that name the insured. */
  subject: string;
  /** JSON list of the fields in the hash. */
  matched_by: string | null;
  /** Data key of the hash. */
  key_id: string | null;
}

export interface QuoteRow {
  id: string;
  service_quote_id: string;
  team_id: string;
  product_code: string;
  producer_email: string;
  effective_date: string;
  /** JSON, or encrypted; null once erased. */
  fields: string | null;
  skipped: string;
  /** Null without a key, or after it expired. */
  idempotency_key: string | null;
  body_hash: string | null;
  created_at: number;
  erased_at: number | null;
  requote_of: string | null;
}

export interface RateRow {
  id: string;
  quote_id: string;
  team_id: string;
  position: number;
  carrier_key: string;
  carrier: string;
  form_type: string;
  status: RateStatus;
  previous_status: RateStatus | null;
  requeue_reason: string | null;
  outcome: string | null;
  /** Raised by every claim. A worker with an older fence cannot write. */
  fence: number;
  /** A repeated claim counts once. */
  claim_token: string | null;
  owner: string | null;
  /** Set while a worker holds the rate, or held it and the lease ran out. */
  lease_until: number | null;
  /** Due, or end of the lease; null once ended without an expected answer. */
  wake_at: number | null;
  state: RateState;
  /** 1 to 5; the lowest is first. */
  priority: number;
  /** Before a call to a carrier that is not idempotent: it may have been called. */
  sent_at: number | null;
  /** A claim with a higher fence must look that call up. */
  sent_fence: number | null;
  /** Key of the retried rate; null stands for the rate's id. */
  asked_under: string | null;
  /** 1 if the carrier may have made something under the key: a retry keeps it. */
  may_have_made: number;
  deadline_at: number;
  attempts: number;
  /** Status changes; numbers the events. */
  transitions: number;
  premium_cents: StoredInteger | null;
  answer: string | null;
  retryable: number;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  retry_of: string | null;
  superseded_by: string | null;
  carried_from: string | null;
  /** JSON, or encrypted. */
  pending: string | null;
  pending_since: number | null;
  pending_reference: string | null;
  /** See `closures.ts`: 1 if events close the carrier, 0 if not, null if it was not evaluated for that. */
  closed: number | null;
}

export interface RateEventRow {
  rate_id: string;
  number: number;
  at: number;
  from_status: string;
  to_status: string;
  reason: string | null;
  fence: number;
}

/** See `rate-limit.ts`. */
export interface CarrierRateLimitRow {
  carrier_key: string;
  /** Time at which the full allowance is available again. */
  theoretical_arrival: number;
  /** Selects the slot of the next permit. */
  granted: number;
}

export interface CarrierPermitRow {
  carrier_key: string;
  slot: number;
  granted_at: number;
}

export interface CarrierQuotaRow {
  carrier_key: string;
  per: string;
  /** Milliseconds since 1970. */
  window_start: number;
  used: number;
}

export interface CarrierCooldownRow {
  carrier_key: string;
  /** Null for a paused carrier. */
  rest_until: number | null;
}

export interface CarrierTeamRow {
  carrier_key: string;
  team_id: string;
  tag: number;
  /** 1 while it may have ready rates. */
  is_waiting: number;
}

export interface CallbackRow {
  carrier_key: string;
  callback: string;
  taken_at: number;
}

/** Sum of the jumps by which waits were moved. One row. */
export interface ClockRow {
  id: number;
  moved: number;
}

export interface ProcessRow {
  id: string;
  /** Raised about every second if there are other processes. */
  beats: number;
}

/** Its row lock orders the numbering of events. */
export interface ProgressRow {
  quote_id: string;
  team_id: string;
  /** 0 without events. */
  last_event: number;
  open_rates: number;
}

/** Without personal data; remains after an erasure. */
export interface QuoteEventRow {
  quote_id: string;
  /** 1, 2, 3 … in the order of the commits. */
  number: number;
  type: string;
  /** Null for an event of the whole quote, like the columns below. */
  rate_id: string | null;
  at: number;
  status: string | null;
  outcome: string | null;
  premium_cents: StoredInteger | null;
  /** JSON, for an event of the whole quote. */
  details: string | null;
}

/** One row for each kind of pass. */
export interface ClosurePassRow {
  id: number;
  /** Earlier releases read it. */
  stamp: string | null;
  /** Names the events of the last complete pass. */
  done_stamp: string | null;
  owner: string | null;
  lease_until: number | null;
  checked_at: number | null;
}

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
  /** In a row: first attempts, and every attempt at an endpoint that is down. */
  failures: number;
  failing_since: number | null;
  rest_until: number | null;
  window_started_at: number | null;
  window_attempts: number;
  window_failures: number;
  last_failure: string | null;
  last_delivery_at: number | null;
}

/** Events from `next_number` to `last_number` to send. Deleted when all are sent. */
export interface WebhookDeliveryRow {
  webhook_id: string;
  quote_id: string;
  next_number: number;
  last_number: number;
  /** During an attempt, the end of its lease. */
  due_at: number;
  /** Failed attempts at the next event. */
  attempts: number;
  failing_since: number | null;
  claim_token: string | null;
}

export interface ExchangeRow {
  id: string;
  rate_id: string;
  quote_id: string;
  team_id: string;
  carrier_key: string;
  /** Start of the request. */
  at: number;
  /** Encrypted like `fields`. */
  content: string;
}

export interface WatchedHomeRow {
  id: string;
  team_id: string;
  /** Reference and home, encrypted like `fields`. */
  content: string;
  /** JSON; null before the first evaluation. */
  verdicts: string | null;
  /** Names the rules and events of the last evaluation. */
  stamp: string | null;
  /** Increases with every evaluation. */
  revision: number;
  created_at: number;
  evaluated_at: number | null;
  /** The home is removed when the personal data of this quote is erased. */
  quote_id: string | null;
}
