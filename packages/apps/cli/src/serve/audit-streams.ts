import { createHash } from 'node:crypto';
import {
  AuditDeliveryError,
  type AuditDestination,
  type AuditLine,
  type AuditStreamStatus,
  type AuditStreams,
  createAuditStreams,
  createFileDestination,
  createSyslogDestination,
} from '@leeward/accounts';
import type { Database } from '@leeward/database';
import { addAuditStreamMetrics, type createLogger, type Metrics } from '@leeward/http-admin';
import { createSignedPost, type SignedPost } from '@leeward/quotes';
import { keepingSettings } from '../quotes/keeping-settings.ts';
import type { AuditDestinationSetting } from '../settings/audit-destinations.ts';
import type { Settings } from '../settings/read-settings.ts';

/** Destinations of the audit log, and what signs webhooks. */
export interface AuditStreamSettings {
  readonly destinations: readonly AuditDestinationSetting[];
  readonly secrets: readonly string[];
}

/** Adds a fault for a webhook without secret or TLS. */
export function auditStreamSettings(
  settings: Pick<Settings, 'value'>,
  faults: string[],
): AuditStreamSettings | undefined {
  const destinations = settings.value('audit_stream') ?? [];
  const secrets = settings.value('audit_stream_secret') ?? [];
  if (destinations.length === 0) return undefined;
  const webhooks = destinations.flatMap((each) => (each.kind === 'webhook' ? [each.url] : []));
  if (webhooks.length > 0 && secrets.length === 0) {
    faults.push(
      'LEEWARD_AUDIT_STREAM names a webhook: sign it with LEEWARD_AUDIT_STREAM_SECRET, as whsec_$(openssl rand -base64 32).',
    );
  }
  if (webhooks.some((url) => url.startsWith('http:')) && settings.value('private_webhooks') !== 'true') {
    faults.push(
      'LEEWARD_AUDIT_STREAM names a webhook at http://; give https://, or set LEEWARD_PRIVATE_WEBHOOKS=true.',
    );
  }
  return { destinations, secrets };
}

/** Starts the streams of the audit log, with their metrics and log lines. */
export function startAuditStreams(
  {
    database,
    metrics,
    logger,
  }: {
    readonly database: Database;
    readonly metrics: Metrics;
    readonly logger: ReturnType<typeof createLogger>;
  },
  { destinations, secrets }: AuditStreamSettings,
  variables: Readonly<Record<string, string | undefined>>,
): AuditStreams {
  const { allowPrivateWebhooks: allowPrivate, webhookPorts: ports } = keepingSettings(variables);
  const streams = createAuditStreams({
    database,
    destinations: destinations.map((destination) => {
      if (destination.kind === 'file') return createFileDestination(destination.path);
      if (destination.kind === 'syslog') return createSyslogDestination(destination);
      return createWebhookDestination(destination.url, secrets, createSignedPost({ allowPrivate, ports }));
    }),
    listener({ type, ...event }) {
      if (type === 'recovered') logger.info(event, 'audit_stream_recovered');
      else if (type === 'failed') logger.warn(event, 'audit_stream_failed');
      else if ('error' in event)
        logger.warn({ destination: event.destination, err: event.error }, 'audit_stream_interrupted');
    },
  });
  addAuditStreamMetrics(metrics, streams);
  streams.start();
  return streams;
}

/** Small enough for the usual limits of receivers. */
const MAX_WEBHOOK_BYTES = 256 * 1024;

/**
 * Posts entries as `audit.entries` by Standard Webhooks. The id names the entries: a message that is repeated as it was has the same id.
 *
 * @example
 * createWebhookDestination('https://siem.example/audit', secrets, createSignedPost({ allowPrivate: false }));
 */
export function createWebhookDestination(url: string, secrets: readonly string[], post: SignedPost): AuditDestination {
  return {
    id: createHash('sha256').update(url).digest('hex').slice(0, 32),
    kind: 'webhook',
    // The path may contain a token.
    name: `webhook ${new URL(url).origin}`,
    maxBatchBytes: MAX_WEBHOOK_BYTES,
    async send(lines: readonly AuditLine[], signal: AbortSignal) {
      const entries = lines.map(({ entry }) => entry);
      const names = entries.map(({ hash }) => hash).join(' ');
      const message = {
        id: `audit_${createHash('sha256').update(names).digest('hex').slice(0, 32)}`,
        body: { type: 'audit.entries', timestamp: entries.at(-1)!.at, data: { entries } },
        secrets,
      };
      const answer = await post(url, message, signal);
      if (!answer.ok) throw new AuditDeliveryError(answer.reason, { retryAfterMs: answer.retryAfterMs });
    },
    close: async () => post.close(),
  };
}

/** Lag that counts without a failure: no process streams. */
const MAX_LAG_MS = 60_000;

/** Warnings about streams that fail or are late, without addresses. */
export function auditStreamWarnings(
  statuses: readonly AuditStreamStatus[],
): readonly { code: string; message: string }[] {
  return statuses.flatMap(({ kind, waiting, oldestMs, lastError, failingMs }) => {
    const seconds = (ms: number | null) => `${Math.round((ms ?? 0) / 1000)} s`;
    const lag = `${waiting} entries wait, the oldest for ${seconds(oldestMs)}; none is lost`;
    if (lastError !== null) {
      const message = `The stream of the audit log to a ${kind} has failed for ${seconds(failingMs)} (${lastError}): ${lag}.`;
      return [{ code: 'audit_stream_failing', message }];
    }
    if (waiting === 0 || (oldestMs ?? 0) < MAX_LAG_MS) return [];
    return [{ code: 'audit_stream_behind', message: `The stream of the audit log to a ${kind} is behind: ${lag}.` }];
  });
}
