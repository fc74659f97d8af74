import type { Cents, FormType, Micros } from '@leeward/terms';
import type { Outcome } from './outcome.ts';

/** What can happen to a quote that others are told of. */
export const eventTypes = ['rate.ended', 'rate.changed', 'quote.completed'] as const;
/** `rate.changed`: a later answer to a rate that had ended. `quote.completed`: no rate is open, for now. */
export type EventType = (typeof eventTypes)[number];

/** Something that happened to a quote, written in the transaction in which it happened. Says nothing of a person. */
export interface StoredEvent {
  readonly quoteId: string;
  /** 1, 2, 3 … within the quote, in the order in which it happened. */
  readonly number: number;
  readonly type: EventType;
  readonly at: Micros;
  /** As the event left it; undefined where it is about the quote as a whole. */
  readonly rate:
    | {
        readonly id: string;
        readonly carrierKey: string;
        readonly carrier: string;
        readonly formType: FormType;
        readonly status: 'success' | 'error';
        readonly outcome: Outcome;
        readonly premiumCents: Cents | undefined;
      }
    | undefined;
}
