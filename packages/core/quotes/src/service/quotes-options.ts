import type { Database } from '@leeward/database';
import type { QuotedLine } from '../catalog/quoted-line.ts';
import type { DocumentOptions } from '../documents/documents.ts';
import type { QuoteListener } from '../orchestrator/quote-event.ts';
import type { CarrierAdapter } from '../ports/carrier-adapter.ts';
import type { Clock } from '../ports/clock.ts';
import type { QueueBackend } from '../ports/queue-backend.ts';
import type { TeamDirectory } from '../ports/team-directory.ts';
import type { FieldEncryption } from '../store/field-cipher.ts';

/** Database, carriers, queue, teams and limits of quoting. */
export interface QuotesOptions {
  /** SQLite or PostgreSQL, with {@link quoteMigrations} applied. */
  readonly database: Database;
  readonly carriers: readonly CarrierAdapter[];
  /** Lines of business in addition to homes. @default none */
  readonly lines?: readonly QuotedLine[] | undefined;
  readonly queue: QueueBackend;
  readonly teams: TeamDirectory;
  /** Encrypts stored `fields`. @default plain JSON */
  readonly encryption?: FieldEncryption | undefined;
  /** Time in which all carriers of a quote must answer, retries included, in ms. @default 900_000 */
  readonly quoteDeadlineMs?: number | undefined;
  /** Time by which a lease exceeds the deadline of a carrier or a webhook, in ms, up to 15,000. @default 15_000 */
  readonly leaseMarginMs?: number | undefined;
  /** Interval of the sweeps of each process, in ms. @default 500 */
  readonly sweepIntervalMs?: number | undefined;
  /** Time after which an unclaimed job is enqueued again, in ms. @default 10_000 */
  readonly redispatchMs?: number | undefined;
  /** Age in days at which personal data is erased. @default 90 */
  readonly personalDataDays?: number | undefined;
  /**
   * Days after the end of its last rate until a quote is deleted with its rates, history and events. A quote stays while a
   * webhook has unsent events of it.
   *
   * @default quotes are kept
   */
  readonly finishedQuoteDays?: number | undefined;
  /** True if webhooks may use private addresses and http. @default false */
  readonly allowPrivateWebhooks?: boolean | undefined;
  /** Ports that webhooks may use; every port with `allowPrivateWebhooks`. @default [443, 8443] */
  readonly webhookPorts?: readonly number[] | undefined;
  /** Limits of documents. @default the defaults of {@link DocumentOptions} */
  readonly documents?: DocumentOptions | undefined;
  /** Receives events for logs and metrics. @default does nothing */
  readonly listener?: QuoteListener | undefined;
  /** @default the database's clock */
  readonly clock?: Clock | undefined;
  /** Random numbers in [0, 1), for backoff. @default Math.random */
  readonly random?: (() => number) | undefined;
  /**
   * Wraps a port before quoting uses it, for example in trace spans. Called with `quote_store` and the store.
   *
   * @default the port itself
   */
  readonly wrapPort?: (<Port extends object>(name: string, port: Port) => Port) | undefined;
}
