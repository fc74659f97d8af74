import type { PublicCallerOptions } from '../outward/call-public.ts';
import { createEventPost, type Posted } from './post-event.ts';
import { keyOf, signed } from './sign-message.ts';
import { usualWebhookPorts, WEBHOOK_TIMEOUT_MS } from './webhooks.ts';

/** A message by Standard Webhooks. */
export interface SignedMessage {
  /** Receivers recognize a repeated message by it. */
  readonly id: string;
  readonly body: object;
  /** `whsec_` and base64; one signature each. */
  readonly secrets: readonly string[];
}

/** Posts signed messages. Never rejects. */
export interface SignedPost {
  (url: string, message: SignedMessage, signal: AbortSignal): Promise<Posted>;
  /** Ends open connections. */
  close(): void;
}

/**
 * Posts messages as webhooks are posted, for other parts of a service: signed by Standard Webhooks, to public addresses and permitted ports,
 * without following redirects.
 *
 * @example
 * const post = createSignedPost({ allowPrivate: false });
 */
export function createSignedPost({
  allowPrivate,
  ports = usualWebhookPorts,
  timeoutMs = WEBHOOK_TIMEOUT_MS,
  resolve,
}: Pick<PublicCallerOptions, 'allowPrivate' | 'ports' | 'resolve'> & {
  /** @default 15_000 */
  readonly timeoutMs?: number | undefined;
}): SignedPost {
  const post = createEventPost({ allowPrivate, ports, timeoutMs, resolve, keepAlive: false });
  return Object.assign(
    async (url: string, { id, body, secrets }: SignedMessage, signal: AbortSignal) =>
      secrets.some((secret) => keyOf(secret) === undefined)
        ? emptySecret
        : post(url, signed(id, body, secrets, new Date()), signal),
    { close: () => post.close() },
  );
}

const emptySecret: Posted = {
  ok: false,
  status: undefined,
  reason: 'secret_empty (a secret is whsec_ and 24 to 64 bytes in base64)',
  retryAfterMs: undefined,
};
