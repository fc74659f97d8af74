import type { QuoteListener } from '../orchestrator/quote-event.ts';
import { eventId, presentEvent, presentHomeEvent } from '../present/event.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { ClaimedDelivery, WebhookDeliveries } from '../store/webhook-deliveries.ts';
import type { EventPost, Posted } from './post-event.ts';
import { signed } from './sign-message.ts';

export interface EventDeliveryOptions {
  readonly store: Pick<SqlQuoteStore, 'readOutbox'>;
  readonly webhooks: WebhookDeliveries;
  readonly post: EventPost;
  readonly listener: QuoteListener;
  readonly random: () => number;
  /** Longer than one message takes. Other processes wait this long after a crash. */
  readonly leaseMs: number;
}

const READ_AT_ONCE = 50;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 4 * 3_600_000;
/** An endpoint without a success for this long is disabled. */
const WINDOW_MS = 3 * 86_400_000;
/** Share of failed attempts in a window that disables an endpoint. */
const MAX_FAILURE_SHARE = 0.95;
const MIN_WINDOW_ATTEMPTS = 20;
/** An endpoint that failed for less accepts other events. */
const FAILING_BRIEFLY_MS = 60_000;
const NOTE_EVERY_MS = 10_000;
/**
 * Quotes in a row whose first attempt failed; then the endpoint gets one event at a time, with growing pauses. One event that always
 * fails does not count.
 */
export const DOWN_AFTER_FAILURES = 20;

/** Sends the events of claimed deliveries, and counts the results of each endpoint. */
export function createEventDelivery(
  { store, webhooks, post, listener, random, leaseMs }: EventDeliveryOptions,
  stop: AbortSignal,
): (delivery: ClaimedDelivery) => Promise<void> {
  const health = new Map<string, Health>();

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const { webhookId, quoteId, serviceQuoteId, eventTypes, secrets } = delivery;
    let after = delivery.nextNumber - 1;
    let { attempts, failingMs } = delivery;
    for (;;) {
      const events = await store.readOutbox([{ quoteId, after }], READ_AT_ONCE);
      for (const event of events) {
        if (stop.aborted) return webhooks.release(delivery);
        if (eventTypes === undefined || eventTypes.includes(event.type)) {
          const message =
            event.type === 'home.verdicts_changed'
              ? presentHomeEvent(event)
              : presentEvent(event, { id: quoteId, serviceQuoteId });
          const posted =
            secrets.length === 0
              ? unsigned
              : await post(delivery.url, signed(eventId(event), message, secrets, new Date()), stop);
          if (!posted.ok) {
            if (stop.aborted) return webhooks.release(delivery);
            const isAlone = failingMs > WINDOW_MS && delivery.endpointFailingMs < FAILING_BRIEFLY_MS;
            if (!isAlone) return fail({ ...delivery, attempts }, posted);
            listener({
              type: 'webhook_event_given_up',
              webhookId,
              quoteId,
              number: event.number,
              reason: posted.reason,
            });
          } else await noteSuccess(delivery);
        }
        after = event.number;
        [attempts, failingMs] = [0, 0];
        if (!(await webhooks.advance(delivery, event.number, leaseMs))) return;
      }
      if (events.length === READ_AT_ONCE) continue;
      if ((await webhooks.settle(delivery)) !== 'more') return;
    }
  }

  /** Recorded periodically, and at once after a failure. */
  async function noteSuccess({ webhookId, failures }: ClaimedDelivery): Promise<void> {
    const entry = health.get(webhookId) ?? { successes: 0, notedAt: Number.NEGATIVE_INFINITY, isFailing: failures > 0 };
    entry.successes++;
    health.set(webhookId, entry);
    if (!entry.isFailing && performance.now() - entry.notedAt < NOTE_EVERY_MS) return;
    const { successes } = entry;
    health.set(webhookId, { successes: 0, notedAt: performance.now(), isFailing: false });
    await webhooks.noteSuccess(webhookId, successes, WINDOW_MS);
  }

  async function fail(delivery: ClaimedDelivery, { reason, status, retryAfterMs = 0 }: Extract<Posted, { ok: false }>) {
    const { webhookId, attempts, failures } = delivery;
    const waitOf = (tries: number) =>
      Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries, 20)) * (0.8 + 0.4 * random());
    const isCounted = attempts === 0 || failures >= DOWN_AFTER_FAILURES;
    const downFor = isCounted ? failures + 1 - DOWN_AFTER_FAILURES : -1;
    const cooldownMs = Math.max(retryAfterMs, downFor >= 0 ? waitOf(downFor) : 0);
    const delayMs = Math.max(retryAfterMs, waitOf(attempts));
    const { successes = 0, notedAt = Number.NEGATIVE_INFINITY } = health.get(webhookId) ?? {};
    health.set(webhookId, { successes: 0, notedAt, isFailing: true });
    const disabledReason = status === 410 ? 'The endpoint answered 410: it is gone.' : whyDisabled(delivery, reason);
    await webhooks.fail(delivery, {
      reason,
      isCounted,
      cooldownMs,
      delayMs,
      successes,
      windowMs: WINDOW_MS,
      disabledReason,
    });
    listener({ type: 'webhook_failed', webhookId, reason, delayMs });
    if (disabledReason !== undefined) listener({ type: 'webhook_disabled', webhookId, reason: disabledReason });
  }

  return deliver;
}

interface Health {
  successes: number;
  readonly notedAt: number;
  /** A failure is recorded without a later success. */
  readonly isFailing: boolean;
}

function whyDisabled({ endpointFailingMs, window }: ClaimedDelivery, reason: string): string | undefined {
  if (endpointFailingMs > WINDOW_MS) {
    return `No attempt succeeded for three days; the last one failed: ${reason}.`;
  }
  const [attempts, failures] = [window.attempts + 1, window.failures + 1];
  const isOver = window.ageMs > WINDOW_MS && attempts >= MIN_WINDOW_ATTEMPTS;
  if (!isOver || failures < attempts * MAX_FAILURE_SHARE) return undefined;
  return `${failures} of ${attempts} attempts in three days failed; the last one: ${reason}.`;
}

const unsigned: Posted = {
  ok: false,
  status: undefined,
  reason: 'secret_unreadable (it is encrypted under a key that is not configured)',
  retryAfterMs: undefined,
};
