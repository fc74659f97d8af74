import type { DiffCounts, DiffDimension, MovedCount } from '@leeward/books';

/** Moved answers, and the premium of their policies. */
export interface MovedSum {
  readonly answers: number;
  readonly premium?: number;
}

/** As `--summary` writes it. */
export interface DiffReport {
  readonly as_of: string;
  readonly effective_date?: string;
  readonly book: readonly string[];
  readonly old: string;
  readonly new: string;
  /** Carriers with different rule sets. The others are not evaluated. */
  readonly changed_carriers: readonly string[];
  readonly rows: number;
  readonly rejected: number;
  /** Policies with at least one changed answer. */
  readonly moved: { readonly policies: number; readonly answers: number; readonly premium?: number };
  /** Moved answers without a premium, if there is such a column. */
  readonly without_premium?: number;
  readonly moves: readonly ({
    readonly carrier_key: string;
    readonly before: string;
    readonly after: string;
  } & MovedSum)[];
  readonly by_carrier: Readonly<Record<string, MovedSum>>;
  readonly by_reason: Readonly<Record<string, MovedSum>>;
  readonly by_rule: readonly ({
    readonly carrier_key: string;
    readonly rule_id: string | null;
    readonly code: string;
  } & MovedSum)[];
  readonly by_state: Readonly<Record<string, MovedSum>>;
  readonly by_county: Readonly<Record<string, MovedSum>>;
  readonly by_policy_type: Readonly<Record<string, MovedSum>>;
  readonly by_distance_band: Readonly<Record<string, MovedSum>>;
}

export interface ComparedBook {
  readonly files: readonly string[];
  readonly old: string;
  readonly new: string;
  readonly carrierKeys: readonly string[];
  readonly asOf: Date;
  readonly effectiveDate: string | undefined;
  readonly premium: string | undefined;
}

export function diffReport(counts: DiffCounts, compared: ComparedBook): DiffReport {
  const hasPremium = compared.premium !== undefined;
  const sum = ({ answers, premium }: MovedCount): MovedSum =>
    hasPremium ? { answers, premium: inCents(premium) } : { answers };
  const by = (dimension: DiffDimension) =>
    Object.fromEntries(
      [...counts.by[dimension]]
        .sort(([a, x], [b, y]) => y.answers - x.answers || (a < b ? -1 : 1))
        .map(([key, each]) => [key, sum(each)]),
    );
  return {
    as_of: compared.asOf.toISOString(),
    ...(compared.effectiveDate === undefined ? {} : { effective_date: compared.effectiveDate }),
    book: compared.files,
    old: compared.old,
    new: compared.new,
    changed_carriers: compared.carrierKeys,
    rows: counts.rows,
    rejected: counts.rejected,
    moved: {
      policies: counts.movedPolicies,
      answers: counts.answers,
      ...(hasPremium ? { premium: inCents(counts.movedPremium) } : {}),
    },
    ...(hasPremium ? { without_premium: counts.withoutPremium } : {}),
    moves: counts.moves.map((move) => ({
      carrier_key: move.carrierKey,
      before: move.before,
      after: move.after,
      ...sum(move),
    })),
    by_carrier: by('carrier'),
    by_reason: by('reason'),
    by_rule: counts.rules.map((rule) => ({
      carrier_key: rule.carrierKey,
      rule_id: rule.ruleId === '' ? null : rule.ruleId,
      code: rule.code,
      ...sum(rule),
    })),
    by_state: by('state'),
    by_county: by('county'),
    by_policy_type: by('policyType'),
    by_distance_band: by('distanceBand'),
  };
}

/** Sums are rounded to cents. */
function inCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
