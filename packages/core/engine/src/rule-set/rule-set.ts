import type { Tree } from '../condition/condition.ts';
import type { Places } from './places.ts';
import type { Outcome } from './schema.ts';

/** One rule, ready to be judged: it holds where `condition` is true. */
export interface Rule {
  readonly id: string;
  readonly outcome: Outcome;
  readonly code: string;
  readonly message: string;
  readonly condition: Tree;
  /** Orders reasons, highest first. */
  readonly priority: number;
  /** JSON Pointer of the rule in its file. */
  readonly path: string;
}

/** What a carrier offers for some policy types in some places. */
export interface Program {
  readonly id: string;
  readonly policyTypes: readonly string[];
  readonly places: Places;
  readonly rules: readonly Rule[];
}

/** A dated stop: an interval of instants in epoch milliseconds, `until` excluded. */
export interface Moratorium {
  readonly id: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly places: Places;
  /** Undefined: all. */
  readonly policyTypes: readonly string[] | undefined;
  readonly message: string;
}

/** A finding of the analysis that the author of the rules explains. */
export interface AllowedFinding {
  readonly code: string;
  /** Undefined: findings that speak of no rule. */
  readonly ruleId: string | undefined;
  readonly why: string;
}

/** A checked rule set. Made by `checkRuleSet` alone. */
export interface RuleSet {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly line: string;
  readonly version: string;
  /** Dates `YYYY-MM-DD`; `until` is excluded, undefined is open. */
  readonly effectiveFrom: string;
  readonly effectiveUntil: string | undefined;
  readonly rules: readonly Rule[];
  readonly programs: readonly Program[];
  readonly moratoria: readonly Moratorium[];
  /** In the order of the file's `allow`. */
  readonly allowed: readonly AllowedFinding[];
  /** SHA-256 over the canonical JSON of the file. */
  readonly sha256: string;
  /** The file as it was given. */
  readonly file: unknown;
}
