import type { Fault } from '@leeward/terms';
import type { HomesReplayed, RuleSetReview } from './rule-set-review.ts';

/**
 * The rule checks that accounts need, declared here because this package does not know the engine. Both checks apply
 * the
 * limits for untrusted files, return all faults at once, throw nothing, and take bounded time for any input.
 * Paths of faults are JSON Pointers into the value checked.
 */
export interface RulesPort {
  checkCarrierRules(ruleSet: unknown, from: RulesSource): CheckedCarrierRules | Promise<CheckedCarrierRules>;
  /** `{ "carrier_key", "add_rules", "exclude" }`: whether it only tightens, and means something. */
  checkOverride(override: unknown, from: RulesSource): CheckedOverride | Promise<CheckedOverride>;
  /**
   * Reviews a version: checks it, runs its cases, analyses it and compares it with the versions in force. Versions of an
   * organization are checked like `checkCarrierRules`, those of the catalog without the limits for untrusted files. May
   * take seconds, and yields to other work meanwhile.
   */
  reviewRuleSet(request: ReviewRequest, from: RulesSource): Promise<ReviewedRuleSet>;
  /**
   * Evaluates homes by a version and by those in force, and reports the answers that change. Yields like
   * `reviewRuleSet`.
   */
  replayRuleSet(request: ReplayRequest, from: RulesSource): Promise<ReplayedRuleSet>;
  /**
   * Runs a review or a replay, with all its calls of this port, when it is the caller's turn; rejects with the reason of an aborted
   * `signal`, or if too much of the organization waits. Default: everything runs at once.
   */
  takeTurn?<T>(from: RulesSource, work: () => Promise<T>): Promise<T>;
  /** A saved decision as a case of one carrier; undefined if the carrier was not evaluated for the policy type. */
  caseOfDecision(decision: CaseRequest): Promise<CaseOfSavedDecision | undefined>;
  /** The faults of a moratorium as rule sets have it. */
  checkMoratorium(moratorium: unknown): readonly Fault[];
  /** Checks a hazard event of an operator. Without faults it has the event as it is stored: states and counties as codes. */
  checkHazardEvent(event: unknown): CheckedHazardEvent | Promise<CheckedHazardEvent>;
}

/** A version to review: the file and its cases as received, and what is in force. */
export interface ReviewRequest {
  readonly ruleSet: unknown;
  /** Content of `cases.json`; undefined without cases. */
  readonly cases: unknown;
  /** Versions of the carrier in force; undefined: the registry does not manage the carrier; another catalog may. */
  readonly inForce: readonly unknown[] | undefined;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Findings and changes kept at most, of each. */
  readonly maxFindings: number;
}

/** A home to evaluate: a saved decision's record and answers as JSON text, or a request as HTTP takes it. */
export type ReplayHome = { readonly id: string } & (
  | { readonly record: string; readonly answers: string }
  | { readonly request: unknown }
);

/** A version to be tried on saved homes, which come in parts. */
export interface ReplayRequest extends Omit<ReviewRequest, 'cases' | 'maxFindings'> {
  /** Overrides of the carrier, under which decisions may have been made. */
  readonly overrides: readonly unknown[];
  readonly homes: AsyncIterable<readonly ReplayHome[]>;
  /** Maximum number of changes reported in detail. */
  readonly maxChanges: number;
}

/** The faults of a version, or the comparison of saved homes. */
export interface ReplayedRuleSet {
  readonly faults: readonly Fault[];
  /** Present when there are no faults. */
  readonly replayed?: HomesReplayed;
}

/** A saved decision that is to become a case: the record and the answers as they were stored. */
export interface CaseRequest {
  /** As JSON text, as they are kept. */
  readonly record: string;
  readonly answers: string;
  readonly carrierKey: string;
  readonly policyType: string;
  readonly note: string;
}

/** The entry for `cases.json`, and the parts of the home that it cannot express exactly. */
export interface CaseOfSavedDecision {
  /** As `cases.json` has it. */
  readonly entry: object;
  /** Facts that a case can represent only approximately. */
  readonly simplified: readonly string[];
}

/** A version's faults, or its identity and review. */
export interface ReviewedRuleSet extends CheckedCarrierRules {
  /** Present when there are no faults. */
  readonly review?: RuleSetReview;
}

/** The faults of a hazard event, or the event as JSON. */
export interface CheckedHazardEvent {
  readonly faults: readonly Fault[];
  /** Present when there are no faults. */
  readonly event?: Readonly<Record<string, unknown>>;
}

/** The caller of a check, for fair scheduling. */
export interface RulesSource {
  /** undefined: the operator. */
  readonly organizationId: string | undefined;
  /** True if an operator asks, also about rules of an organization. Default: whether there is no organization. */
  readonly isOperator?: boolean;
  /** Aborted when the caller stops waiting for the answer: the work ends, and the call rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The faults of a rule set, or its carrier, version and SHA-256. */
export interface CheckedCarrierRules {
  readonly faults: readonly Fault[];
  /** Present when there are no faults. */
  readonly ruleSet?: RuleSetSummary;
}

export interface RuleSetSummary {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly version: string;
  /** Dates `YYYY-MM-DD`. */
  readonly effectiveFrom: string;
  readonly effectiveUntil?: string | undefined;
  readonly sha256: string;
}

/** The faults of an override, or what it is known by. */
export interface CheckedOverride {
  readonly faults: readonly Fault[];
  /** Its hash in answers; left out, that of its JSON as it is stored. */
  readonly override?: { readonly sha256: string };
}
