import { formatMicros, type JsonObject, MICROS_PER_MS } from '@leeward/terms';
import { type HomeChange, type HomeStatus, homeStatuses } from '../ports/home-verdicts.ts';
import type { WatchedHome } from '../store/watched-homes.ts';

/** A watched home in wire names. */
export interface WatchedHomeView {
  readonly watched_home_id: string;
  /** Null if its key is not configured. */
  readonly reference: string | null;
  /** The home as it was sent. Null unless requested. */
  readonly home: JsonObject | null;
  /** Carriers by status. Null before the first evaluation. */
  readonly counts: Readonly<Record<HomeStatus, number>> | null;
  readonly last_change: { readonly at: string; readonly changes: readonly WireHomeChange[] } | null;
  /** When the personal data of this quote is erased, the home is removed. Null without a quote. */
  readonly quote_request_id: string | null;
  readonly created_at: string;
  readonly evaluated_at: string | null;
  /** Then the home is removed. */
  readonly watched_until: string;
}

/** A carrier whose status changed. */
export interface WireHomeChange {
  readonly carrier_key: string;
  readonly carrier: string;
  readonly policy_type: string;
  readonly status_before: HomeStatus;
  readonly status_after: HomeStatus;
  /** Null without a reason in the rules. */
  readonly reason: string | null;
}

/** A page of watched homes, newest first. */
export interface WatchedHomeList {
  readonly watched_homes: readonly WatchedHomeView[];
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
}

const DAY_MICROS = 86_400_000 * MICROS_PER_MS;

export function presentWatchedHome(
  { id, content, verdicts, createdAt, quote, evaluatedAt, change }: WatchedHome,
  { days, showsHome }: { readonly days: number; readonly showsHome: boolean },
): WatchedHomeView {
  const counts = Object.fromEntries(homeStatuses.map((status) => [status, 0])) as Record<HomeStatus, number>;
  for (const { status } of verdicts ?? []) counts[status]++;
  return {
    watched_home_id: id,
    reference: content?.reference ?? null,
    home: showsHome ? (content?.home ?? null) : null,
    counts: verdicts === undefined ? null : counts,
    last_change:
      change === undefined ? null : { at: formatMicros(change.at), changes: change.changes.map(presentHomeChange) },
    quote_request_id: quote?.id ?? null,
    created_at: formatMicros(createdAt),
    evaluated_at: evaluatedAt === undefined ? null : formatMicros(evaluatedAt),
    watched_until: formatMicros((quote?.createdAt ?? createdAt) + days * DAY_MICROS),
  };
}

export function presentHomeChange(change: HomeChange): WireHomeChange {
  return {
    carrier_key: change.carrierKey,
    carrier: change.carrier,
    policy_type: change.policyType,
    status_before: change.before,
    status_after: change.after,
    reason: change.reason ?? null,
  };
}
