import type { FormType } from '@leeward/terms';
import type { Outcome } from '../ports/outcome.ts';
import type { CallbackFate } from '../store/callbacks.ts';

/** What happens while quotes are worked on, for logs and metrics. Carries no personal data. */
export type QuoteEvent =
  | {
      readonly type: 'carrier_asked';
      readonly rateId: string;
      readonly quoteId: string;
      readonly carrierKey: string;
      readonly formType: FormType;
      /** 1 for the first call of a rate. */
      readonly attempt: number;
    }
  | {
      readonly type: 'rate_ended';
      readonly rateId: string;
      readonly quoteId: string;
      readonly carrierKey: string;
      readonly formType: FormType;
      readonly outcome: Outcome;
      readonly attempts: number;
      /** From the claim to the end. */
      readonly tookMs: number;
    }
  | {
      readonly type: 'rate_requeued';
      readonly rateId: string;
      readonly quoteId: string;
      readonly carrierKey: string;
      readonly reason: string;
      readonly delayMs: number;
    }
  /** The carrier takes its time: it is looked at again after so long, or, without that, when its callback comes. */
  | {
      readonly type: 'rate_pending';
      readonly rateId: string;
      readonly quoteId: string;
      readonly carrierKey: string;
      readonly reason: string;
      readonly delayMs: number | undefined;
    }
  /** A carrier's callback came, and what became of it. */
  | {
      readonly type: 'callback';
      readonly carrierKey: string;
      readonly fate: CallbackFate | 'refused';
      readonly rateId: string | undefined;
    }
  /** A document was passed on, or was not: `bytes` of it were. */
  | {
      readonly type: 'document';
      readonly rateId: string;
      readonly quoteId: string;
      readonly carrierKey: string;
      readonly fate: 'sent' | 'failed' | 'abandoned';
      readonly reason: string | undefined;
      readonly bytes: number;
      readonly tookMs: number;
    }
  /** Another worker has taken over, or the rate was cancelled: what this one did is not written. */
  | { readonly type: 'hold_lost'; readonly rateId: string; readonly quoteId: string; readonly carrierKey: string }
  /** The carrier asked to be left alone for `askedMs`, and is for `restMs`. */
  | {
      readonly type: 'carrier_resting';
      readonly carrierKey: string;
      readonly restMs: number;
      readonly askedMs: number;
    }
  /** Other processes are dead: the leases that they held have ended. */
  | { readonly type: 'process_lost'; readonly processes: number; readonly leases: number }
  /** The clock of the store jumped: what waits was moved with it. */
  | { readonly type: 'clock_jumped'; readonly jumpMs: number }
  | { readonly type: 'carrier_given_up' | 'carrier_back' | 'carrier_rest_lifted'; readonly carrierKey: string }
  /** Personal data is gone: because it was asked for, was old, or its team is no more. */
  | {
      readonly type: 'quotes_erased';
      readonly why: 'asked' | 'retention' | 'team_removed';
      readonly teamId: string | undefined;
      readonly quoteIds: readonly string[];
    }
  /** An endpoint did not take an event, which is sent again after `delayMs`. Events of other quotes go on. */
  | { readonly type: 'webhook_failed'; readonly webhookId: string; readonly reason: string; readonly delayMs: number }
  /** Finished quotes that are as old as they may become are deleted. */
  | { readonly type: 'quotes_deleted'; readonly count: number }
  /** Nothing is told there any more, until somebody enables it. */
  | { readonly type: 'webhook_disabled'; readonly webhookId: string; readonly reason: string }
  /** One event was refused for three days while others were taken: the ones behind it go on. */
  | {
      readonly type: 'webhook_event_given_up';
      readonly webhookId: string;
      readonly quoteId: string;
      readonly number: number;
      readonly reason: string;
    }
  /** Something of ours failed and will be tried again: the store, the queue, an adapter that ignores its signal. */
  | { readonly type: 'trouble'; readonly where: string; readonly error: unknown };

/** Hears what happens to quotes; it is given no personal data, and what it throws changes nothing. */
export type QuoteListener = (event: QuoteEvent) => void;
