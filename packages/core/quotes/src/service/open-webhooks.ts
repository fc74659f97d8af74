import type { Database } from '@leeward/database';
import type { FieldEncryption } from '../store/field-cipher.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { createEventPost } from '../webhooks/post-event.ts';
import { createWebhooks, usualWebhookPorts, WEBHOOK_TIMEOUT_MS, type Webhooks } from '../webhooks/webhooks.ts';

/**
 * Webhooks for a program that does not quote. What it has sent again is sent by whoever quotes on the same database, within
 * half a second; a test it sends by itself.
 */
export function openWebhooks(options: {
  /** With {@link quoteMigrations} applied. */
  readonly database: Database;
  /** As of whoever quotes: secrets are kept under it. */
  readonly encryption?: FieldEncryption | undefined;
  /** Whether webhooks may go to private addresses, and over http. Default false. */
  readonly allowPrivate?: boolean | undefined;
  /** Ports that endpoints may have. Default 443 and 8443; every port with `allowPrivate`. */
  readonly ports?: readonly number[] | undefined;
}): Webhooks {
  const { database, encryption, allowPrivate = false, ports = usualWebhookPorts } = options;
  const { webhooks: store } = createSqlStore({ database, encryption });
  const post = createEventPost({ allowPrivate, ports, timeoutMs: WEBHOOK_TIMEOUT_MS, keepAlive: false });
  return createWebhooks({ store, post, allowPrivate, ports, nowMs: Date.now, wake: () => {} });
}
