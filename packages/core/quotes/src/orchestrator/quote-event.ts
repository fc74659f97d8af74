import type { FormType } from '@leeward/terms';
import type { Outcome } from '../ports/outcome.ts';
import type { CallbackFate } from '../store/callbacks.ts';

interface RateSubject {
  readonly rateId: string;
  readonly quoteId: string;
  readonly carrierKey: string;
}

/** Events of quoting, for logs and metrics, without personal data. */
export type QuoteEvent =
  /** `attempt` is 1 for the first call of a rate. */
  | (RateSubject & { readonly type: 'carrier_asked'; readonly formType: FormType; readonly attempt: number })
  /** `tookMs` counts from the claim. */
  | (RateSubject & {
      readonly type: 'rate_ended';
      readonly formType: FormType;
      readonly outcome: Outcome;
      readonly attempts: number;
      readonly tookMs: number;
    })
  | (RateSubject & { readonly type: 'rate_requeued'; readonly reason: string; readonly delayMs: number })
  /** Undefined `delayMs` waits for a callback. */
  | (RateSubject & { readonly type: 'rate_pending'; readonly reason: string; readonly delayMs: number | undefined })
  | {
      readonly type: 'callback';
      readonly carrierKey: string;
      readonly fate: CallbackFate | 'refused';
      readonly rateId: string | undefined;
    }
  | (RateSubject & {
      readonly type: 'document';
      readonly fate: 'sent' | 'failed' | 'abandoned';
      readonly reason: string | undefined;
      readonly bytes: number;
      readonly tookMs: number;
    })
  /** Another worker claimed the rate, or it was cancelled; this result is discarded. */
  | (RateSubject & { readonly type: 'hold_lost' })
  | {
      readonly type: 'carrier_resting';
      readonly carrierKey: string;
      readonly cooldownMs: number;
      readonly requestedMs: number;
    }
  | { readonly type: 'process_lost'; readonly processes: number; readonly leases: number }
  | { readonly type: 'clock_jumped'; readonly jumpMs: number }
  /** The breaker opened or closed, or a cooldown ended early. */
  | { readonly type: 'carrier_given_up' | 'carrier_back' | 'carrier_rest_lifted'; readonly carrierKey: string }
  | {
      readonly type: 'quotes_erased';
      readonly why: 'asked' | 'retention' | 'team_removed';
      readonly teamId: string | undefined;
      readonly quoteIds: readonly string[];
    }
  | { readonly type: 'quotes_deleted'; readonly count: number }
  /** Open quotes were evaluated again after storms or other events changed. */
  | {
      readonly type: 'closures_checked';
      readonly quotes: number;
      /** Carriers that events closed, and reopened, for a quote. */
      readonly closed: number;
      readonly reopened: number;
      readonly tookMs: number;
    }
  /** Watched homes were evaluated again. `failed` ones are tried again. */
  | {
      readonly type: 'homes_checked';
      readonly homes: number;
      readonly changed: number;
      readonly failed: number;
      readonly tookMs: number;
    }
  /** Sent again after `delayMs`; events of other quotes continue. */
  | { readonly type: 'webhook_failed'; readonly webhookId: string; readonly reason: string; readonly delayMs: number }
  /** No events until it is enabled again. */
  | { readonly type: 'webhook_disabled'; readonly webhookId: string; readonly reason: string }
  /** Rejected for three days while others were accepted. */
  | {
      readonly type: 'webhook_event_given_up';
      readonly webhookId: string;
      readonly quoteId: string;
      readonly number: number;
      readonly reason: string;
    }
  /** Store, queue or adapter failed; the work is repeated. */
  | { readonly type: 'failure'; readonly where: string; readonly error: unknown };

/** Receives events; errors that it throws are ignored. */
export type QuoteListener = (event: QuoteEvent) => void;
