import type { Database } from '@leeward/database';
import type { QuotedLine } from '../catalog/quoted-line.ts';
import type { DocumentOptions } from '../documents/documents.ts';
import type { QuoteListener } from '../orchestrator/quote-event.ts';
import type { CarrierAdapter } from '../ports/carrier-adapter.ts';
import type { Clock } from '../ports/clock.ts';
import type { QueueBackend } from '../ports/queue-backend.ts';
import type { TeamDirectory } from '../ports/team-directory.ts';
import type { FieldEncryption } from '../store/field-cipher.ts';

/** What quoting stands on: a database, carriers, a queue, and who may ask whom. */
export interface QuotesOptions {
  /** SQLite or PostgreSQL, with {@link quoteMigrations} applied. */
  readonly database: Database;
  readonly carriers: readonly CarrierAdapter[];
  /** Lines of business that are quoted beside homes. */
  readonly lines?: readonly QuotedLine[] | undefined;
  readonly queue: QueueBackend;
  readonly teams: TeamDirectory;
  /** Encrypts `fields` at rest. Default: plain JSON. */
  readonly encryption?: FieldEncryption | undefined;
  /** A quote's carriers have so long to answer, retries included. Default 15 minutes. */
  readonly quoteDeadlineMs?: number | undefined;
  /** How much longer than the deadline of a carrier, or of an endpoint of webhooks, a lease is: at most, and by default, 15,000. */
  readonly leaseMarginMs?: number | undefined;
  /** How often each process looks for what was left undone. Default 500. */
  readonly sweepIntervalMs?: number | undefined;
  /** After how long a job that nobody answered is enqueued again. Default 10,000. */
  readonly redispatchMs?: number | undefined;
  /** Personal data is erased after so many days. Default 90. */
  readonly personalDataDays?: number | undefined;
  /**
   * Deletes quotes so many days after their last rate has ended, with their rates, history and events. Quotes of which
   * a webhook has not been sent all events stay. Default: keeps them for ever.
   */
  readonly finishedQuoteDays?: number | undefined;
  /** Whether webhooks may go to private addresses, and over http. Default false: to the public internet alone. */
  readonly allowPrivateWebhooks?: boolean | undefined;
  /** Ports that webhooks may be sent to. Default 443 and 8443; every port with `allowPrivateWebhooks`. */
  readonly webhookPorts?: readonly number[] | undefined;
  /** How large documents may be, and how long they may take. */
  readonly documents?: DocumentOptions | undefined;
  /** Hears of what happens, for logs and metrics. */
  readonly listener?: QuoteListener | undefined;
  /** Default: the database's own clock. */
  readonly clock?: Clock | undefined;
  /** Of [0, 1), for backoff. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /**
   * Wraps a port before quoting uses it, for example in trace spans. Called with `quote_store` and the store.
   *
   * @default the port itself
   */
  readonly wrapPort?: (<Port extends object>(name: string, port: Port) => Port) | undefined;
}
