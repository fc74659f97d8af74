import { type BookCounts, type BookRun, type StatusCounts, summarize } from '@leeward/books';
import { STATUS_CODES, type Vocabulary } from '@leeward/engine';

/** As `--summary` writes it. */
export interface BookReport {
  readonly as_of: string;
  readonly effective_dates: Readonly<Record<string, number>>;
  /** Includes `rejected` rows. */
  readonly rows: number;
  readonly rejected: number;
  readonly warnings: Readonly<Record<string, number>>;
  /** Rejected rows by field and fault; a row with two faults counts for both. */
  readonly faults: Readonly<Record<string, number>>;
  /** In the order of the catalog. */
  readonly carriers: readonly {
    readonly carrier_key: string;
    readonly counts: StatusCounts;
    readonly reasons?: Readonly<Record<string, number>>;
  }[];
  readonly by_state: Readonly<Record<string, StatusCounts>>;
  readonly by_policy_type: Readonly<Record<string, StatusCounts>>;
  /**
   * Missing fields, and the number of policies × carriers that each would settle alone, estimated from `open_rows` sampled policies that
   * need information. Exact if all rows were sampled.
   */
  readonly open_questions: {
    readonly sampled_share: number;
    readonly open_rows: number;
    readonly would_settle: Readonly<Record<string, number>>;
  };
  /** Policies × carriers by decline code, if reasons were requested. */
  readonly by_reason?: Readonly<Record<string, number>>;
}

export function bookReport(counts: BookCounts, run: BookRun, vocabulary: Vocabulary): BookReport {
  const summary = summarize(counts.tally, vocabulary, run.carrierKeys);
  const none = Object.fromEntries(STATUS_CODES.map((status) => [status, 0])) as StatusCounts;
  const reasonsOf = (key: string) =>
    Object.fromEntries(
      Object.entries(summary.byReasonAndCarrier).flatMap(([code, byCarrier]) =>
        byCarrier[key] === undefined ? [] : [[code, byCarrier[key]]],
      ),
    );
  return {
    as_of: run.asOf,
    effective_dates: Object.fromEntries(counts.effectiveDates),
    rows: counts.rows,
    rejected: counts.rejected,
    warnings: sortedByCount(counts.warnings),
    faults: sortedByCount(counts.faults),
    carriers: run.carrierKeys.map((key) => ({
      carrier_key: key,
      counts: inOrder(summary.byCarrier[key] ?? none),
      ...(run.reasons ? { reasons: reasonsOf(key) } : {}),
    })),
    open_questions: openQuestions(counts, run),
    by_state: mapped(summary.byState),
    by_policy_type: mapped(summary.byPolicyType),
    ...(run.reasons ? { by_reason: summary.byReason } : {}),
  };
}

function openQuestions(
  { openQuestions: counted }: BookCounts,
  { questionShare }: BookRun,
): BookReport['open_questions'] {
  const estimates = [...counted.wouldSettle].map(
    ([field, count]) => [field, Math.round(count / questionShare)] as const,
  );
  return {
    sampled_share: questionShare,
    open_rows: counted.openRows,
    would_settle: sortedByCount(new Map(estimates)),
  };
}

/** The sample of the open questions, in words. */
export function describeSample({ open_questions: { open_rows: rows, sampled_share: share } }: BookReport): string {
  const many = `${rows.toLocaleString('en-US')} ${rows === 1 ? 'policy' : 'policies'}`;
  return share === 1 ? `counted in ${many}` : `estimated from ${many}`;
}

function sortedByCount(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

const statuses = ['eligible', 'referral', 'needs_information', 'ineligible', 'not_offered'] as const;

/** Best first; `not_judged` only if present. */
function inOrder(counts: StatusCounts): StatusCounts {
  const ordered = Object.fromEntries(statuses.map((status) => [status, counts[status]]));
  return (counts.not_judged > 0 ? { ...ordered, not_judged: counts.not_judged } : ordered) as StatusCounts;
}

function mapped(counts: Readonly<Record<string, StatusCounts>>): Readonly<Record<string, StatusCounts>> {
  return Object.fromEntries(Object.entries(counts).map(([key, each]) => [key, inOrder(each)]));
}

/** The effective dates in words. */
export function describeDates({ effective_dates: counted }: Pick<BookReport, 'effective_dates'>): string {
  const dates = Object.keys(counted).sort();
  if (dates.length < 3) return dates.join(' and ');
  return `${dates[0]} to ${dates.at(-1)} (${dates.length.toLocaleString('en-US')} dates)`;
}
