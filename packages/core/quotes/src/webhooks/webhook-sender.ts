import type { ClaimedDelivery } from '../store/webhook-deliveries.ts';
import { chooseEndpoints } from './choose-endpoints.ts';
import { createEventDelivery, DOWN_AFTER_FAILURES, type EventDeliveryOptions } from './event-delivery.ts';

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
/** Endpoints that are sent to at once. */
const places = { max: 32, maxPerTeam: 8 };
const GATHER_MS = 5;

export function createWebhookSender(options: EventDeliveryOptions): WebhookSender {
  const { webhooks, listener, leaseMs } = options;
  const stopping = new AbortController();
  const deliver = createEventDelivery(options, stopping.signal);
  /** Deliveries by endpoint. */
  const underWay = new Map<string, Set<Promise<void>>>();
  /** Teams of these endpoints. */
  const teams = new Map<string, string>();
  let claiming: Promise<void> | undefined;
  let isRepeated = false;
  /** An endpoint existed at the last sweep; without one, events trigger no query. */
  let any = false;
  let soon: NodeJS.Timeout | undefined;

  const claimDue = async () => {
    const due = await webhooks.due();
    await Promise.all(
      chooseEndpoints(due, teams, places).map(async ({ webhookId, teamId, failures }) => {
        const max = failures >= DOWN_AFTER_FAILURES ? 1 : AT_ONCE_PER_ENDPOINT;
        const limit = max - (underWay.get(webhookId)?.size ?? 0);
        if (limit <= 0) return;
        for (const delivery of await webhooks.claim(webhookId, { limit, leaseMs })) start(delivery, teamId);
      }),
    );
  };
  const start = (delivery: ClaimedDelivery, teamId: string) => {
    const { webhookId } = delivery;
    const ofEndpoint = underWay.get(webhookId) ?? new Set();
    underWay.set(webhookId, ofEndpoint);
    teams.set(webhookId, teamId);
    const work = deliver(delivery)
      .catch((error: unknown) => listener({ type: 'failure', where: 'webhook', error }))
      .finally(() => {
        ofEndpoint.delete(work);
        if (ofEndpoint.size === 0) {
          underWay.delete(webhookId);
          teams.delete(webhookId);
        }
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
