import type { FormType } from '@leeward/terms';
import type { Outcome } from '../ports/outcome.ts';
import type { CallbackFate } from '../store/callbacks.ts';

interface RateSubject {
  readonly rateId: string;
  readonly quoteId: string;
  readonly carrierKey: string;
}

/** Events of quoting, for logs and metrics. They contain no personal data. */
export type QuoteEvent =
  /** A call to a carrier begins. `attempt` is 1 for the first call of a rate. */
  | (RateSubject & { readonly type: 'carrier_asked'; readonly formType: FormType; readonly attempt: number })
  /** A rate has ended. `tookMs` counts from the claim. */
  | (RateSubject & {
      readonly type: 'rate_ended';
      readonly formType: FormType;
      readonly outcome: Outcome;
      readonly attempts: number;
      readonly tookMs: number;
    })
  /** A rate waits in the store for another attempt. */
  | (RateSubject & { readonly type: 'rate_requeued'; readonly reason: string; readonly delayMs: number })
  /** The carrier answers later. It is polled after `delayMs`; undefined waits for a callback. */
  | (RateSubject & { readonly type: 'rate_pending'; readonly reason: string; readonly delayMs: number | undefined })
  /** A callback of a carrier arrived. */
  | {
      readonly type: 'callback';
      readonly carrierKey: string;
      readonly fate: CallbackFate | 'refused';
      readonly rateId: string | undefined;
    }
  /** A document was requested; `bytes` of it were sent. */
  | (RateSubject & {
      readonly type: 'document';
      readonly fate: 'sent' | 'failed' | 'abandoned';
      readonly reason: string | undefined;
      readonly bytes: number;
      readonly tookMs: number;
    })
  /** Another worker claimed the rate, or it was cancelled. This worker's result is discarded. */
  | (RateSubject & { readonly type: 'hold_lost' })
  /** The carrier requested a cooldown of `requestedMs`; it gets `cooldownMs`. */
  | {
      readonly type: 'carrier_resting';
      readonly carrierKey: string;
      readonly cooldownMs: number;
      readonly requestedMs: number;
    }
  /** Dead processes were found and their leases ended. */
  | { readonly type: 'process_lost'; readonly processes: number; readonly leases: number }
  /** The store's clock jumped, and waits were moved with it. */
  | { readonly type: 'clock_jumped'; readonly jumpMs: number }
  /** The breaker of a carrier opened or closed, or a cooldown ended early. */
  | { readonly type: 'carrier_given_up' | 'carrier_back' | 'carrier_rest_lifted'; readonly carrierKey: string }
  /** Personal data was erased: on request, because of its age, or because its team was removed. */
  | {
      readonly type: 'quotes_erased';
      readonly why: 'asked' | 'retention' | 'team_removed';
      readonly teamId: string | undefined;
      readonly quoteIds: readonly string[];
    }
  /** Finished quotes reached their maximum age and were deleted. */
  | { readonly type: 'quotes_deleted'; readonly count: number }
  /** An endpoint rejected an event, which is sent again after `delayMs`. Events of other quotes continue. */
  | { readonly type: 'webhook_failed'; readonly webhookId: string; readonly reason: string; readonly delayMs: number }
  /** An endpoint gets no events until it is enabled again. */
  | { readonly type: 'webhook_disabled'; readonly webhookId: string; readonly reason: string }
  /** An endpoint rejected one event for three days and accepted others. The following events continue. */
  | {
      readonly type: 'webhook_event_given_up';
      readonly webhookId: string;
      readonly quoteId: string;
      readonly number: number;
      readonly reason: string;
    }
  /** The store, the queue or an adapter failed; the work is tried again. */
  | { readonly type: 'failure'; readonly where: string; readonly error: unknown };

/** Receives the events of quoting. Errors that it throws are ignored. */
export type QuoteListener = (event: QuoteEvent) => void;
