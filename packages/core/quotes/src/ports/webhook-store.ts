import type { Micros } from '@leeward/terms';
import type { EventType } from './stored-event.ts';

/** Where a team is told of what happens to its quotes. */
export interface StoredWebhook {
  readonly id: string;
  readonly teamId: string;
  readonly url: string;
  readonly description: string | undefined;
  /** Undefined is all. */
  readonly eventTypes: readonly EventType[] | undefined;
  readonly createdAt: Micros;
  readonly disabledAt: Micros | undefined;
  /** Why nobody is told there any more. */
  readonly disabledReason: string | undefined;
  /** Since when every attempt has failed; undefined where the last one did not. */
  readonly failingSince: Micros | undefined;
  readonly lastFailure: string | undefined;
  readonly lastDeliveryAt: Micros | undefined;
  /** Quotes with events that it is still to be told. */
  readonly waiting: number;
}

export interface NewWebhook {
  readonly id: string;
  readonly teamId: string;
  readonly url: string;
  readonly description: string | undefined;
  readonly eventTypes: readonly EventType[] | undefined;
  readonly secret: string;
}

/** Events of one quote that one endpoint is to be told now, in order. */
export interface ClaimedDelivery {
  readonly webhookId: string;
  readonly quoteId: string;
  readonly serviceQuoteId: string;
  readonly url: string;
  readonly eventTypes: readonly EventType[] | undefined;
  /** What signs: the secret, and the one before it while that is still good. */
  readonly secrets: readonly string[];
  /** The first event that it is to be told. */
  readonly nextNumber: number;
  readonly token: string;
  /** Attempts in vain: at this event, and those counted at the endpoint in a row. */
  readonly attempts: number;
  readonly failures: number;
  /** For how long this event, and every attempt at the endpoint, has failed. */
  readonly failingMs: number;
  readonly endpointFailingMs: number;
  /** Attempts at the endpoint in its current window, which began so long ago. */
  readonly window: { readonly attempts: number; readonly failures: number; readonly ageMs: number };
}

/** A failed attempt, and when there is to be another. */
export interface FailedDelivery {
  readonly reason: string;
  /** True if it counts among the endpoint's failures in a row. */
  readonly isCounted: boolean;
  /** Pause of the whole endpoint, in ms. 0: only this quote waits. */
  readonly restMs: number;
  /** This event is tried again after so long. */
  readonly delayMs: number;
  /** Attempts since the last note that succeeded. */
  readonly successes: number;
  /** A window of attempts ends after so long, and another begins. */
  readonly windowMs: number;
  /** Why nobody is told there any more from now on. */
  readonly disabledReason: string | undefined;
}

export interface WebhookStore {
  /** Undefined where the team has `most` already. */
  create(webhook: NewWebhook, most: number): Promise<StoredWebhook | undefined>;
  list(teamId: string): Promise<StoredWebhook[]>;
  read(webhookId: string): Promise<StoredWebhook | undefined>;
  /** What signs for it now; empty where the key that the secret is kept under is not at hand. */
  secrets(webhookId: string): Promise<readonly string[]>;
  remove(webhookId: string): Promise<boolean>;
  /** The secret so far goes on signing for a while beside the new one. */
  rotate(webhookId: string, secret: string, previousMs: number): Promise<void>;
  /** Tells it again from now on, as if it had never failed. */
  enable(webhookId: string): Promise<void>;
  /** Owes it again what happened since an instant to its team's quotes, or to one of them. @returns to how many. */
  replay(webhookId: string, from: { readonly since: Micros; readonly quoteId?: string | undefined }): Promise<number>;

  /** Whether there is any endpoint. */
  any(): Promise<boolean>;
  /** Endpoints that may be told something now, and how many times in a row they have failed. */
  due(): Promise<{ readonly webhookId: string; readonly failures: number }[]>;
  /** Takes deliveries of one endpoint that are due; nobody else has them for `leaseMs`. */
  claim(webhookId: string, options: { limit: number; leaseMs: number }): Promise<ClaimedDelivery[]>;
  /** Notes that the endpoint answers: so many attempts succeeded since the last note. */
  noteSuccess(webhookId: string, successes: number, windowMs: number): Promise<void>;
  /** It was told up to `number`: the next is the one behind. @returns false where another has taken over. */
  advance(delivery: ClaimedDelivery, number: number, leaseMs: number): Promise<boolean>;
  /** There is nothing left, or there is: then it is still held. */
  settle(delivery: ClaimedDelivery): Promise<'done' | 'more' | 'lost'>;
  fail(delivery: ClaimedDelivery, failed: FailedDelivery): Promise<void>;
  /** Hands it back untried. */
  release(delivery: ClaimedDelivery): Promise<void>;
  /** Teams that have endpoints. */
  teams(): Promise<string[]>;
  removeOfTeam(teamId: string): Promise<void>;
}
