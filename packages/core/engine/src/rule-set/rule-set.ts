import type { Area } from '../area/area.ts';
import type { Tree } from '../condition/condition.ts';
import type { Demand } from './demand.ts';
import type { Places } from './places.ts';
import type { Outcome } from './schema.ts';

/** A rule, ready for evaluation: it holds if `condition` is true. */
export interface Rule {
  readonly id: string;
  readonly outcome: Outcome;
  readonly code: string;
  readonly message: string;
  readonly condition: Tree;
  /** Orders reasons, highest first. */
  readonly priority: number;
  readonly path: string;
  readonly terms?: Readonly<Record<string, unknown>>;
  /** Bounds on terms, for an offer. */
  readonly demands?: readonly Demand[];
  /**
   * Ids of the offers that contradict each other, for a rule that the engine adds: it refers homes for which no value of a term
   * satisfies all offers.
   */
  readonly contradicts?: readonly string[];
  /**
   * True for a moratorium with a condition: it declines while its condition holds, in its places and window. Its reason is
   * temporary.
   */
  readonly isMoratorium?: true;
}

/** The tier of a program. The programs of a carrier with the same `of` form a ladder. */
export interface Tier {
  readonly of: string;
  /** From 1. The lowest rank is the best tier. */
  readonly rank: number;
  /** Such as `Preferred`. */
  readonly name?: string;
}

/** A carrier's offer for some policy types in some places. */
export interface Program {
  readonly id: string;
  readonly policyTypes: readonly string[];
  readonly places: Places;
  /** Present for a tier of a ladder. */
  readonly tier?: Tier;
  readonly rules: readonly Rule[];
}

/** A dated stop without a condition. `fromMs` and `untilMs` are epoch milliseconds; `untilMs` is excluded. */
export interface Moratorium {
  readonly id: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly places: Places;
  /** Undefined means all. */
  readonly policyTypes: readonly string[] | undefined;
  readonly message: string;
}

/** A finding of the analysis that the author of the rules accepts, with the reason. */
export interface AllowedFinding {
  readonly code: string;
  /** Undefined for findings that do not name a rule. */
  readonly ruleId: string | undefined;
  readonly why: string;
}

/** A checked rule set. Create it with `checkRuleSet`. */
export interface RuleSet {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly line: string;
  readonly version: string;
  /** Dates `YYYY-MM-DD`. `effectiveUntil` is excluded; undefined is open. */
  readonly effectiveFrom: string;
  readonly effectiveUntil: string | undefined;
  /**
   * Certainty with which tests of measured distances are answered. Undefined: only what the whole range of a distance decides is
   * decided.
   */
  readonly certainty?: number;
  /** Moratoria with a condition, rules of all programs, and added rules for contradicting offers; see `Rule`. */
  readonly rules: readonly Rule[];
  readonly programs: readonly Program[];
  /** Moratoria without a condition. */
  readonly moratoria: readonly Moratorium[];
  /** Named areas, without lists of ZIP codes. @default none */
  readonly areas?: readonly Area[];
  readonly allowed: readonly AllowedFinding[];
  /** SHA-256 over the canonical JSON of the file. */
  readonly sha256: string;
  /** The file as given. */
  readonly file: unknown;
}
