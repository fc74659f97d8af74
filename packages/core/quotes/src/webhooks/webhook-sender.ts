import { Webhook } from 'standardwebhooks';
import type { QuoteListener } from '../orchestrator/quote-event.ts';
import { eventId, presentEvent } from '../present/event.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { ClaimedDelivery, WebhookStore } from '../store/webhooks.ts';
import type { EventPost, Posted } from './post-event.ts';

export interface WebhookSenderOptions {
  readonly store: Pick<SqlQuoteStore, 'readOutbox'>;
  readonly webhooks: WebhookStore;
  readonly post: EventPost;
  readonly listener: QuoteListener;
  readonly random: () => number;
  /** Longer than one message takes. Other processes wait this long after a crash. */
  readonly leaseMs: number;
}

/**
 * Sends a quote's events in sequence, several quotes in parallel. A delivery (one quote, one endpoint) is claimed with a lease, sends
 * its events in order, and is deleted at the end:
 *
 *     due ── claim ──▶ sending ── all sent ──▶ deleted
 *     due ◀── failure (backoff), lease expired ── sending
 *
 * An endpoint is active, down (after many failures: one event at a time, with growing pauses) or disabled (410, or three days without
 * success, until it is enabled again).
 */
export interface WebhookSender {
  /** Never rejects. */
  sweep(): void;
  soon(): void;
  stop(): Promise<void>;
}

const AT_ONCE_PER_ENDPOINT = 8;
const ENDPOINTS_AT_ONCE = 32;
const READ_AT_ONCE = 50;
const GATHER_MS = 5;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 4 * 3_600_000;
/**
 * Quotes in a row whose first attempt failed; then the endpoint gets one event at a time, with growing pauses. One event that always
 * fails does not count.
 */
const DOWN_AFTER_FAILURES = 20;
/** An endpoint without a success for this long is disabled. */
const WINDOW_MS = 3 * 86_400_000;
/** Share of failed attempts in a window that disables an endpoint. */
const MAX_FAILURE_SHARE = 0.95;
const MIN_WINDOW_ATTEMPTS = 20;
/** An endpoint that failed for less accepts other events. */
const FAILING_BRIEFLY_MS = 60_000;
const NOTE_EVERY_MS = 10_000;

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { store, webhooks, post, listener, random, leaseMs } = options;
  const stopping = new AbortController();
  const underWay = new Map<string, Set<Promise<void>>>();
  const health = new Map<string, Health>();
  let claiming: Promise<void> | undefined;
  let isRepeated = false;
  /** An endpoint existed at the last sweep; without one, events trigger no query. */
  let any = false;
  let soon: NodeJS.Timeout | undefined;

  const claimDue = async () => {
    const due = await webhooks.due();
    const free = ENDPOINTS_AT_ONCE - underWay.size;
    const chosen = [
      ...due.filter(({ webhookId }) => underWay.has(webhookId)),
      ...due.filter(({ webhookId }) => !underWay.has(webhookId)).slice(0, Math.max(0, free)),
    ];
    await Promise.all(
      chosen.map(async ({ webhookId, failures }) => {
        const max = failures >= DOWN_AFTER_FAILURES ? 1 : AT_ONCE_PER_ENDPOINT;
        const limit = max - (underWay.get(webhookId)?.size ?? 0);
        if (limit <= 0) return;
        for (const delivery of await webhooks.claim(webhookId, { limit, leaseMs })) start(delivery);
      }),
    );
  };
  const start = (delivery: ClaimedDelivery) => {
    const { webhookId } = delivery;
    const ofEndpoint = underWay.get(webhookId) ?? new Set();
    underWay.set(webhookId, ofEndpoint);
    const work = deliver(delivery)
      .catch((error: unknown) => listener({ type: 'failure', where: 'webhook', error }))
      .finally(() => {
        ofEndpoint.delete(work);
        if (ofEndpoint.size === 0) underWay.delete(webhookId);
        wake();
      });
    ofEndpoint.add(work);
  };
  const wake = () => {
    if (stopping.signal.aborted) return;
    if (claiming !== undefined) {
      isRepeated = true;
      return;
    }
    claiming = claimDue()
      .catch((error: unknown) => listener({ type: 'failure', where: 'webhooks', error }))
      .finally(() => {
        claiming = undefined;
        if (!isRepeated) return;
        isRepeated = false;
        wake();
      });
  };

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const { webhookId, quoteId, serviceQuoteId, eventTypes, secrets } = delivery;
    let after = delivery.nextNumber - 1;
    let { attempts, failingMs } = delivery;
    for (;;) {
      const events = await store.readOutbox([{ quoteId, after }], READ_AT_ONCE);
      for (const event of events) {
        if (stopping.signal.aborted) return webhooks.release(delivery);
        if (eventTypes === undefined || eventTypes.includes(event.type)) {
          const message = presentEvent(event, { id: quoteId, serviceQuoteId });
          const posted =
            secrets.length === 0
              ? unsigned
              : await post(delivery.url, signed(eventId(event), message, secrets, new Date()), stopping.signal);
          if (!posted.ok) {
            if (stopping.signal.aborted) return webhooks.release(delivery);
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

  return {
    sweep() {
      webhooks.any().then(
        (hasEndpoints) => {
          any = hasEndpoints;
          if (any) wake();
        },
        (error: unknown) => listener({ type: 'failure', where: 'webhooks', error }),
      );
    },
    soon() {
      if (!any || stopping.signal.aborted) return;
      soon ??= setTimeout(() => {
        soon = undefined;
        wake();
      }, GATHER_MS);
    },
    async stop() {
      stopping.abort();
      clearTimeout(soon);
      await claiming;
      await Promise.all([...underWay.values()].flatMap((each) => [...each]));
    },
  };
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

/** By Standard Webhooks, one signature per secret. */
export function signed(
  id: string,
  message: object,
  secrets: readonly string[],
  at: Date,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const body = JSON.stringify(message);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Leeward-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
    },
  };
}
