import type { ZipGazetteer } from '@leeward/places/zips';
import type { Quotes } from '@leeward/quotes';
import type { Caller } from '../../access/directory.ts';
import type { DocumentStreamLimits } from './quote-documents.ts';
import type { EventStreamLimits } from './quote-events.ts';

/** Records a change of quotes, for example in an audit log. */
export type QuoteAudit = (entry: {
  readonly caller: Caller;
  readonly action: string;
  readonly subjectId: string;
  readonly requestId: string;
  /** Network of the client; undefined if unknown. */
  readonly network: string | undefined;
  readonly details?: Readonly<Record<string, string | number>>;
}) => Promise<void>;

/** The home of a saved decision. */
export interface SavedHome {
  /** As in `/v1/underwrite/home`, without `as_of`. */
  readonly home: Readonly<Record<string, unknown>>;
  /** Values of the decision that the home lacks, in words: `county, because it was one of several`. */
  readonly leftOut: readonly string[];
}

/**
 * Reads the home of a saved decision. Resolves with undefined for an unknown decision, and for one of another organization. @throws {Problem} if
 * the decision has no home that can be underwritten
 */
export type ReadSavedHome = (caller: Caller, decisionId: string) => Promise<SavedHome | undefined>;

/** Quotes to mount. */
export interface QuotingPorts {
  readonly quotes: Quotes;
  /** Records erasures. If omitted, they are not recorded. */
  readonly audit?: QuoteAudit;
  /** Warns about a ZIP code outside the home's county. If omitted, ZIP codes are not checked against the county. */
  readonly gazetteer?: ZipGazetteer;
  /**
   * Returns the organization of a team, undefined if there is no such team. Lets tokens of whole organizations list quotes. If omitted,
   * only tokens of teams do.
   */
  readonly organizationOf?: (teamId: string) => Promise<string | undefined>;
  /** Lets homes be watched by the id of a saved decision. If omitted, only by their fields. */
  readonly savedHome?: ReadSavedHome;
  /** Limits of streams of events. If omitted, the defaults of `EventStreamLimits`. */
  readonly eventStreams?: EventStreamLimits;
  /** Limits of documents in transfer. If omitted, the defaults of `DocumentStreamLimits`. */
  readonly documents?: DocumentStreamLimits;
}
