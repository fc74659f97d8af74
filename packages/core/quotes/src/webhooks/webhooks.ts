import { isIP } from 'node:net';
import type { Database } from '@leeward/database';
import { type Fault, formatMicros, MICROS_PER_MS, type Micros, quoteValue } from '@leeward/terms';
import { portOf } from '../outward/call-public.ts';
import { isPublicAddress } from '../outward/public-address.ts';
import { InvalidQuoteRequestError } from '../request/quote-errors.ts';
import { createUuid } from '../request/uuid.ts';
import type { FieldEncryption } from '../store/field-cipher.ts';
import { type EventType, eventTypes } from '../store/read-outbox.ts';
import { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { newSecret } from '../store/webhook-secrets.ts';
import type { StoredWebhook, WebhookStore } from '../store/webhooks.ts';
import { createEventPost, type EventPost } from './post-event.ts';
import { signed } from './sign-message.ts';

/** An endpoint, without its secret. */
export interface WebhookView {
  readonly webhook_id: string;
  readonly team_id: string;
  readonly url: string;
  readonly description: string | null;
  /** Null means all. */
  readonly event_types: readonly EventType[] | null;
  /** `failing`: the last attempt failed, more follow. `disabled`: no events. */
  readonly state: 'active' | 'failing' | 'disabled';
  readonly disabled_reason: string | null;
  readonly last_failure: string | null;
  readonly last_delivery_at: string | null;
  /** Quotes with unsent events. */
  readonly waiting: number;
  readonly created_at: string;
}

/** Result of a test message. */
export interface WebhookTest {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly failure: string | null;
}

/** Endpoints that receive events by Standard Webhooks. Methods return undefined for unknown ids. */
export interface Webhooks {
  /** @returns the endpoint with its secret, which is not shown again. @throws {InvalidQuoteRequestError} with all faults. */
  create(
    teamId: string,
    webhook: {
      readonly url: string;
      readonly description?: string | null | undefined;
      readonly event_types?: readonly EventType[] | null | undefined;
    },
  ): Promise<WebhookView & { readonly secret: string }>;
  list(teamId: string): Promise<readonly WebhookView[]>;
  read(webhookId: string): Promise<WebhookView | undefined>;
  remove(webhookId: string): Promise<boolean>;
  /** The previous secret also signs for a day. */
  rotate(webhookId: string): Promise<{ readonly secret: string } | undefined>;
  /** For future events. */
  enable(webhookId: string): Promise<WebhookView | undefined>;
  /** Sends `webhook.test` now; `signal` aborts it. */
  test(webhookId: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<WebhookTest | undefined>;
  /**
   * Sends events since an instant again, with their original ids. @returns the number of quotes. @throws {InvalidQuoteRequestError} if
   * the endpoint is disabled or the instant is malformed.
   */
  replay(
    webhookId: string,
    from: { readonly since: string; readonly quote_request_id?: string | null | undefined },
  ): Promise<{ readonly quotes: number } | undefined>;
}

export const WEBHOOK_TIMEOUT_MS = 15_000;
/** Other ports may belong to internal services. */
export const usualWebhookPorts: readonly number[] = [443, 8443];
const MAX_PER_TEAM = 20;
const MAX_URL_LENGTH = 2000;
const PREVIOUS_SECRET_MS = 86_400_000;

export function createWebhooks(options: {
  readonly store: WebhookStore;
  readonly post: EventPost;
  readonly allowPrivate: boolean;
  readonly ports: readonly number[];
  readonly nowMs: () => number;
  readonly wake: () => unknown;
}): Webhooks {
  const { store, post, allowPrivate, ports, nowMs, wake } = options;
  const viewOf = async (webhookId: string) => {
    const webhook = isIdentifier(webhookId) ? await store.read(webhookId) : undefined;
    return webhook && present(webhook);
  };
  return {
    async create(teamId, { url, description, event_types }) {
      const faults = [...urlFaults(url, { allowPrivate, ports }), ...typeFaults(event_types)];
      if (faults.length > 0) throw new InvalidQuoteRequestError(faults);
      const secret = newSecret();
      const webhook = await store.create(
        {
          ...{ id: createUuid(nowMs()), teamId, url: new URL(url).href, secret },
          description: description ?? undefined,
          eventTypes: event_types ?? undefined,
        },
        MAX_PER_TEAM,
      );
      if (webhook !== undefined) return { ...present(webhook), secret };
      const message = `The team has ${MAX_PER_TEAM} webhooks, the maximum; remove one first.`;
      throw new InvalidQuoteRequestError([{ path: '/team_id', code: 'too_many_webhooks', message }]);
    },
    list: async (teamId) => (await store.list(teamId)).map(present),
    read: viewOf,
    remove: async (webhookId) => isIdentifier(webhookId) && store.remove(webhookId),
    async rotate(webhookId) {
      const webhook = await viewOf(webhookId);
      if (webhook === undefined) return undefined;
      const secret = newSecret();
      await store.rotate({ id: webhookId, teamId: webhook.team_id, secret }, PREVIOUS_SECRET_MS);
      return { secret };
    },
    async enable(webhookId) {
      if ((await viewOf(webhookId)) === undefined) return undefined;
      await store.enable(webhookId);
      wake();
      return viewOf(webhookId);
    },
    async test(webhookId, { signal = never } = {}) {
      const webhook = await viewOf(webhookId);
      if (webhook === undefined) return undefined;
      const at = new Date(nowMs());
      const message = { type: 'webhook.test', timestamp: at.toISOString(), data: { webhook_id: webhookId } };
      const secrets = await store.secrets(webhookId);
      if (secrets.length === 0) return { delivered: false, status: null, failure: 'secret_unreadable' };
      const sent = await post(webhook.url, signed(`test_${createUuid(nowMs())}`, message, secrets, at), signal);
      return { delivered: sent.ok, status: sent.status ?? null, failure: sent.ok ? null : sent.reason };
    },
    async replay(webhookId, { since, quote_request_id }) {
      const webhook = await viewOf(webhookId);
      if (webhook === undefined) return undefined;
      const instant = instantOf(since);
      const faults: Fault[] = [];
      if (instant === undefined) {
        const message = `since is ${quoteValue(since)}; give an instant with an offset, as 2026-11-20T12:00:00Z.`;
        faults.push({ path: '/since', code: 'invalid_format', message });
      }
      if (webhook.state === 'disabled') {
        const message = 'The webhook is disabled; enable it first.';
        faults.push({ path: '/webhook_id', code: 'webhook_disabled', message });
      }
      if (instant === undefined || faults.length > 0) throw new InvalidQuoteRequestError(faults);
      const quotes = await store.replay(webhookId, { since: instant, quoteId: quote_request_id ?? undefined });
      wake();
      return { quotes };
    },
  };
}

const never = new AbortController().signal;

function isIdentifier(text: string): boolean {
  return /^[\w-]{1,64}$/.test(text);
}

function instantOf(text: string): Micros | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isSafeInteger(ms * MICROS_PER_MS) ? ms * MICROS_PER_MS : undefined;
}

function typeFaults(types: readonly string[] | null | undefined): Fault[] {
  if (types === null || types === undefined) return [];
  const validTypes: readonly string[] = eventTypes;
  const wrong = types.filter((type) => !validTypes.includes(type));
  if (types.length > 0 && wrong.length === 0) return [];
  const what = types.length === 0 ? 'is empty' : `has ${quoteValue(wrong[0])}`;
  const message = `event_types ${what}; give some of ${validTypes.join(', ')}, or omit it for all.`;
  return [{ path: '/event_types', code: types.length === 0 ? 'empty_list' : 'unknown_event_type', message }];
}

/** Names are checked at each call, because their addresses can change. */
function urlFaults(
  text: string,
  { allowPrivate, ports }: { readonly allowPrivate: boolean; readonly ports: readonly number[] },
): Fault[] {
  const refuse = (code: string, what: string): Fault[] => [
    { path: '/url', code, message: `url ${what}; give the https:// address of an endpoint on the public internet.` },
  ];
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return refuse('invalid_url', `is ${quoteValue(text)}`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return refuse('invalid_url', 'holds a user or a password');
  if (url.hash !== '') return refuse('invalid_url', 'has a fragment, which is never sent');
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return refuse('not_https', 'is not an https:// address');
  if (allowPrivate) return [];
  if (!ports.includes(portOf(url))) {
    const message = `url has the port ${portOf(url)}; webhooks are sent to the ports ${ports.join(', ')}. The operator can allow others.`;
    return [{ path: '/url', code: 'forbidden_port', message }];
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const isLocalName = !host.includes('.') || /\.(localhost|local|internal|home\.arpa)$/i.test(host);
  if (isIP(host) !== 0 ? !isPublicAddress(host) : isLocalName)
    return refuse('forbidden_address', 'is an address that is not public');
  return [];
}

function present(webhook: StoredWebhook): WebhookView {
  const { id, teamId, url, description, eventTypes: types, disabledAt, failingSince, lastDeliveryAt } = webhook;
  return {
    webhook_id: id,
    team_id: teamId,
    url,
    description: description ?? null,
    event_types: types ?? null,
    state: disabledAt !== undefined ? 'disabled' : failingSince !== undefined ? 'failing' : 'active',
    disabled_reason: webhook.disabledReason ?? null,
    last_failure: webhook.lastFailure ?? null,
    last_delivery_at: lastDeliveryAt === undefined ? null : formatMicros(lastDeliveryAt),
    waiting: webhook.waiting,
    created_at: formatMicros(webhook.createdAt),
  };
}

/**
 * Webhooks for a program that does not quote: it sends tests itself, and a quoting service on the database sends events within half a
 * second.
 * @example
 * const endpoints = await openWebhooks({ database }).list('team-1');
 */
export function openWebhooks(options: {
  /** With {@link quoteMigrations} applied. */
  readonly database: Database;
  /** As in the quoting service: secrets are encrypted. @default plain text */
  readonly encryption?: FieldEncryption | undefined;
  /** Allows private addresses and http. @default false */
  readonly allowPrivate?: boolean | undefined;
  /** Every port with `allowPrivate`. @default [443, 8443] */
  readonly ports?: readonly number[] | undefined;
}): Webhooks {
  const { database, encryption, allowPrivate = false, ports = usualWebhookPorts } = options;
  const { webhooks: store } = new SqlQuoteStore({ database, encryption });
  const post = createEventPost({ allowPrivate, ports, timeoutMs: WEBHOOK_TIMEOUT_MS, keepAlive: false });
  return createWebhooks({ store, post, allowPrivate, ports, nowMs: Date.now, wake: () => {} });
}
