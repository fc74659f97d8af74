import type { Move } from './move.ts';

/** Number of moved statuses, and the sum of their premiums. */
export interface MovedCount {
  readonly answers: number;
  readonly premium: number;
}

/** A move of one carrier's status. */
export interface CarrierMoves {
  readonly carrierKey: string;
  readonly before: string;
  readonly after: string;
}

/** Dimensions by which moves are counted. */
export const diffDimensions = ['carrier', 'reason', 'state', 'county', 'policyType', 'distanceBand'] as const;
/** A dimension by which moves are counted. */
export type DiffDimension = (typeof diffDimensions)[number];

/** The counts of a comparison. */
export interface DiffCounts {
  readonly rows: number;
  readonly rejected: number;
  /** Number of policies with a moved status. Each policy counts once for all carriers. */
  readonly movedPolicies: number;
  readonly movedPremium: number;
  /** Moved statuses of policies without a premium. */
  readonly withoutPremium: number;
  readonly answers: number;
  readonly by: Readonly<Record<DiffDimension, ReadonlyMap<string, MovedCount>>>;
  readonly moves: readonly (CarrierMoves & MovedCount)[];
  readonly rules: readonly ({
    readonly carrierKey: string;
    readonly ruleId: string;
    readonly code: string;
  } & MovedCount)[];
}

/** Counts moves. Its memory depends on the number of distinct counts, not on the book. */
export interface DiffCounter {
  add(move: Move): void;
  /** Adds a policy with a moved status. */
  addPolicy(premium: number | undefined): void;
  addRows(rows: number): void;
  addRejected(): void;
  counts(): DiffCounts;
}

interface Sum {
  answers: number;
  premium: number;
}

/**
 * Creates a counter, to be shared by the comparisons of several files of a book.
 *
 * @example
 * const counter = createDiffCounter();
 * for (const book of files) createBookDiff({ ...options, counter });
 */
export function createDiffCounter(): DiffCounter {
  const by = Object.fromEntries(diffDimensions.map((name) => [name, new Map<string, Sum>()])) as Record<
    DiffDimension,
    Map<string, Sum>
  >;
  const moves = new Map<string, CarrierMoves & Sum>();
  const rules = new Map<string, { carrierKey: string; ruleId: string; code: string } & Sum>();
  let policies = 0;
  let policyPremium = 0;
  let withoutPremium = 0;
  let answers = 0;
  const book = { rows: 0, rejected: 0 };
  const addTo = (sums: Map<string, Sum>, key: string, premium: number) => {
    const sum = sums.get(key);
    if (sum) {
      sum.answers += 1;
      sum.premium += premium;
    } else sums.set(key, { answers: 1, premium });
  };
  return {
    add({ carrierKey, before, after, reasons, state, county, policyType, distanceBand, premium: rowPremium }) {
      const premium = rowPremium ?? 0;
      if (rowPremium === undefined) withoutPremium += 1;
      answers += 1;
      addTo(by.carrier, carrierKey, premium);
      for (const code of new Set(reasons.map((reason) => reason.code))) addTo(by.reason, code, premium);
      addTo(by.state, state, premium);
      addTo(by.county, county, premium);
      addTo(by.policyType, policyType, premium);
      addTo(by.distanceBand, distanceBand, premium);
      const key = `${carrierKey} ${before} ${after}`;
      const count = moves.get(key) ?? { carrierKey, before, after, answers: 0, premium: 0 };
      moves.set(key, count);
      count.answers += 1;
      count.premium += premium;
      for (const { ruleId, code } of reasons) {
        const name = `${carrierKey} ${ruleId} ${code}`;
        const rule = rules.get(name) ?? { carrierKey, ruleId, code, answers: 0, premium: 0 };
        rules.set(name, rule);
        rule.answers += 1;
        rule.premium += premium;
      }
    },
    addPolicy(premium) {
      policies += 1;
      policyPremium += premium ?? 0;
    },
    addRows(rows) {
      book.rows += rows;
    },
    addRejected() {
      book.rejected += 1;
    },
    counts: () => ({
      ...book,
      movedPolicies: policies,
      movedPremium: policyPremium,
      withoutPremium,
      answers,
      by,
      moves: sorted(moves),
      rules: sorted(rules),
    }),
  };
}

function sorted<Value extends Sum>(sums: ReadonlyMap<string, Value>): readonly Value[] {
  return [...sums].sort(([a, x], [b, y]) => y.answers - x.answers || (a < b ? -1 : 1)).map(([, sum]) => sum);
}
