import type { Database } from '@leeward/database';
import type { QuotedLine } from '../catalog/quoted-line.ts';
import type { DocumentOptions } from '../documents/documents.ts';
import type { QuoteListener } from '../orchestrator/quote-event.ts';
import type { CarrierAdapter } from '../ports/carrier-adapter.ts';
import type { Clock } from '../ports/clock.ts';
import type { ClosureSource } from '../ports/closure-source.ts';
import type { HomeVerdicts } from '../ports/home-verdicts.ts';
import type { QueueBackend } from '../ports/queue-backend.ts';
import type { TeamDirectory } from '../ports/team-directory.ts';
import type { FieldEncryption } from '../store/field-cipher.ts';

/** Database, carriers, queue, teams and limits of quoting. */
export interface QuotesOptions {
  /** SQLite or PostgreSQL, with {@link quoteMigrations} applied. */
  readonly database: Database;
  readonly carriers: readonly CarrierAdapter[];
  /** In addition to homes. @default none */
  readonly lines?: readonly QuotedLine[] | undefined;
  /** Wakes workers when rates are stored. @default none: workers poll every `sweepIntervalMs` */
  readonly queue?: QueueBackend | undefined;
  readonly teams: TeamDirectory;
  /** @default plain JSON */
  readonly encryption?: FieldEncryption | undefined;
  /** Time for all carriers of a quote, retries included, in ms. @default 900_000 */
  readonly quoteDeadlineMs?: number | undefined;
  /** Time by which a lease exceeds the deadline of a carrier or webhook, in ms, up to 15,000. @default 15_000 */
  readonly leaseMarginMs?: number | undefined;
  /** In ms. @default 500 */
  readonly sweepIntervalMs?: number | undefined;
  /** Days until personal data is erased. @default 90 */
  readonly personalDataDays?: number | undefined;
  /** Days after its last rate ended until a quote is deleted, later if webhooks have unsent events of it. @default quotes are kept */
  readonly finishedQuoteDays?: number | undefined;
  /** Days until requests to carriers and their answers are deleted, or 0 to keep none. @default 7 */
  readonly exchangeDays?: number | undefined;
  /** Allows private addresses and http. @default false */
  readonly allowPrivateWebhooks?: boolean | undefined;
  /** Every port with `allowPrivateWebhooks`. @default [443, 8443] */
  readonly webhookPorts?: readonly number[] | undefined;
  /** @default the defaults of {@link DocumentOptions} */
  readonly documents?: DocumentOptions | undefined;
  /**
   * Finds carriers that storms and other events close. Open quotes are evaluated again after each change, and teams are notified
   * (`quote.affected`). @default none
   */
  readonly closures?: ClosureSource | undefined;
  /** Evaluates watched homes; teams are notified of changes (`home.verdicts_changed`). @default no homes are watched */
  readonly homeVerdicts?: HomeVerdicts | undefined;
  /** For logs and metrics. @default does nothing */
  readonly listener?: QuoteListener | undefined;
  /** @default the database's clock */
  readonly clock?: Clock | undefined;
  /** Numbers in [0, 1), for backoff. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Wraps a port, for example in trace spans. Called with `quote_store`. @default the port itself */
  readonly wrapPort?: (<Port extends object>(name: string, port: Port) => Port) | undefined;
}
