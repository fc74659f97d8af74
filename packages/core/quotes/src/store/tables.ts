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

/** Where a rate is on its way. */
export type RateStatus = 'queued' | 'processing' | 'success' | 'error';

/** Rows as the store keeps them. Instants are microseconds since 1970, money is cents. */
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

/** A key that personal data was encrypted under; empty id: plain text. */
export interface FieldKeyRow {
  key_id: string;
  /** A text that only this key opens; null until a process has had the key. */
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
  /** Null when none was given, or after it ran out. */
  idempotency_key: string | null;
  body_hash: string | null;
  created_at: number;
  erased_at: number | null;
  /** The quote that it was made from. */
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
  /** What `status` was before the last change, so that the change can be recorded. */
  previous_status: RateStatus | null;
  /** Why it went back to the queue, the last time that it did. */
  requeue_reason: string | null;
  /** Null until the rate ends. */
  outcome: string | null;
  /** Raised by every claim: who holds an older one may write nothing any more. */
  fence: number;
  /** The claim that holds the fence, so that a claim sent twice is one claim. */
  claim_token: string | null;
  /** The process that made that claim. */
  owner: string | null;
  /** Set exactly while some worker holds the rate, or held it and is gone. */
  lease_until: number | null;
  /**
   * When some process should next nudge the queue about this rate; null once it has ended and no more is to come of it.
   */
  wake_at: number | null;
  /** 0: due at `wake_at`. 2: ready to be handed out. 1: handed out to a queue, again at `wake_at`. See `hand-out.ts`. */
  told: number;
  /** Set before a call to a carrier that is not idempotent: from then on the carrier may have been asked. */
  sent_at: number | null;
  /** The fence under which that was noted: a claim with a later one finds a carrier that may have been asked. */
  sent_fence: number | null;
  /** Idempotency key of its calls, kept from the rate that it retries; null is the rate's own id. */
  asked_under: string | null;
  /** 1 once the carrier may have made something under the key: then a retry keeps the key. */
  may_have_made: number;
  deadline_at: number;
  attempts: number;
  /** How often the status has changed; numbers the events. */
  transitions: number;
  premium_cents: StoredInteger | null;
  /** JSON of the rest of the answer, or of the fault. */
  answer: string | null;
  /** 1 when trying again could help. */
  retryable: number;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  retry_of: string | null;
  /** The rate that a retry put in this one's place. */
  superseded_by: string | null;
  /** The rate of an earlier quote whose answer this is. */
  carried_from: string | null;
  /** JSON or an encrypted envelope, as a quote's fields are: what is kept while the carrier takes its time. */
  pending: string | null;
  pending_since: number | null;
  /** Of a callback: a hash. */
  pending_reference: string | null;
}

export interface RateEventRow {
  rate_id: string;
  number: number;
  at: number;
  from_status: string;
  to_status: string;
  /** The outcome of an end, or why the rate went back to the queue. */
  reason: string | null;
  fence: number;
}

/** The rate limit of a carrier, by the generic cell rate algorithm: one instant says it all. */
export interface CarrierPaceRow {
  carrier_key: string;
  /** When the carrier's allowance would be full again. */
  theoretical_arrival: number;
  /** Permits so far: the next takes the place of the one granted as many calls before as the limit allows. */
  granted: number;
}

/** The last permits of a carrier whose limit allows bursts. */
export interface CarrierPermitRow {
  carrier_key: string;
  slot: number;
  granted_at: number;
}

/** How much of a carrier's quota is used up in the window that was begun last. */
export interface CarrierQuotaRow {
  carrier_key: string;
  per: string;
  /** Milliseconds since 1970. */
  window_start: number;
  used: number;
}

/** A carrier that is left alone. */
export interface CarrierRestRow {
  carrier_key: string;
  /** Null while it is paused. */
  rest_until: number | null;
}

/** A team's place among those that wait for a carrier. See `hand-out.ts`. */
export interface CarrierTeamRow {
  carrier_key: string;
  team_id: string;
  /** The start tag of its next call. */
  tag: number;
  /** 1 while it has, or may have, ready rates there. */
  is_waiting: number;
  /** Raised whenever rates of it become ready there. */
  arrivals: number;
}

/** A callback that was taken: it is not taken again. */
export interface CallbackRow {
  carrier_key: string;
  /** A hash of its identifier. */
  callback: string;
  taken_at: number;
}

/** By how much the clock has jumped, all in all: what waits was moved by as much. One row. */
export interface ClockRow {
  id: number;
  moved: number;
}

/** A process that may hold rates. */
export interface ProcessRow {
  id: string;
  /** Raised about every second while it is alive, if there are others. */
  beats: number;
}

/** How far a quote is. Whoever changes it numbers the events: one at a time a quote. */
export interface ProgressRow {
  quote_id: string;
  team_id: string;
  /** The number of the newest event; 0 where there is none. */
  last_event: number;
  /** Rates that have not ended. */
  open_rates: number;
}

/** Something that happened to a quote. Says nothing of a person: it outlives an erasure. */
export interface QuoteEventRow {
  quote_id: string;
  /** 1, 2, 3 … within the quote, in the order of the commits. */
  number: number;
  type: string;
  /** Null where it is about the quote as a whole, as are what follows. */
  rate_id: string | null;
  at: number;
  status: string | null;
  outcome: string | null;
  premium_cents: StoredInteger | null;
}

/** Where a team wants to be told of events. */
export interface WebhookRow {
  id: string;
  team_id: string;
  url: string;
  description: string | null;
  /** JSON; null is all. */
  event_types: string | null;
  /** Sealed as `fields` are. */
  secret: string;
  /** Signs beside the new one until `previous_until`. */
  previous_secret: string | null;
  previous_until: number | null;
  created_at: number;
  disabled_at: number | null;
  disabled_reason: string | null;
  /** Failures in a row that count: of first attempts, and all of an endpoint that is down. */
  failures: number;
  failing_since: number | null;
  /** Time until which the endpoint is paused. */
  rest_until: number | null;
  /** Attempts, and failed ones, since this instant. */
  window_started_at: number | null;
  window_attempts: number;
  window_failures: number;
  last_failure: string | null;
  last_delivery_at: number | null;
}

/** Events of a quote that an endpoint is still to be told: from `next_number` to `last_number`. Gone when it was. */
export interface WebhookDeliveryRow {
  webhook_id: string;
  quote_id: string;
  next_number: number;
  last_number: number;
  /** When some process should next send; while one does, when it is taken to be lost. */
  due_at: number;
  /** Of the next event, in vain. */
  attempts: number;
  failing_since: number | null;
  claim_token: string | null;
}
