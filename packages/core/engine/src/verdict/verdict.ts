/** Statuses from best to worst. */
export const statuses = ['eligible', 'referral', 'needs_information', 'ineligible', 'not_offered'] as const;
/** Status of a carrier for one policy type. */
export type Status = (typeof statuses)[number];

/** A status once everything is known. */
export type SettledStatus = 'eligible' | 'referral' | 'ineligible';

/** A rule that holds, a territory that is not written, or a moratorium. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  /** Request names that the reason depends on. */
  readonly fields: readonly string[];
  readonly ruleId: string;
  /** Set for a moratorium. */
  readonly temporary?: true;
  /** UTC in microseconds; null for an open end. */
  readonly endsAt?: string | null;
}

/** A condition of acceptance, such as an inspection or a photograph; in `notes`, information only. */
export interface Requirement {
  readonly code: string;
  readonly message: string;
  readonly ruleId: string;
}

/** Certain bounds of a term, from all offers together. */
export interface VerdictTerm {
  /** The value is at least this. */
  readonly min?: number;
  /** The value is at most this. */
  readonly max?: number;
  readonly oneOf?: readonly string[];
  /** Present if the term applies. */
  readonly applies?: true;
  /** The term in words: `named storm deductible: at least 5 percent`. */
  readonly text: string;
  readonly rules: readonly Requirement[];
}

/** Possible bounds of a term, stricter than the certain ones. */
export interface PossibleVerdictTerm extends Omit<VerdictTerm, 'oneOf'> {
  readonly mayExclude?: readonly string[];
  /** Request names of the unknown fields that the bounds depend on. */
  readonly fields: readonly string[];
}

/** A tier of a carrier: one of several ranked programs for the same homes. */
export interface VerdictTier {
  /** Name of the ladder. */
  readonly of: string;
  /** From 1. The lowest rank is the best tier. */
  readonly rank: number;
  /** Such as `Preferred`. */
  readonly name?: string;
  readonly programId: string;
}

/** The answer of one tier alone: whether it takes the home, and what keeps the home out. */
export interface TierVerdict extends VerdictTier {
  readonly status: Exclude<Status, 'not_offered'>;
  readonly reasons: readonly Reason[];
  /** Request names of unknown fields that the status of this tier depends on. */
  readonly missingFields?: readonly string[];
}

/** Identity of the rule set: its version, the SHA-256 of its canonical JSON, and that of an override. */
export interface RuleSetIdentity {
  readonly version: string;
  readonly sha256: string;
  readonly overrideSha256?: string;
}

/** The shared catalog, the organization, or the catalog with an override of the organization. */
export type Source = 'catalog' | 'organization' | 'override';

/** Answer of one carrier for one policy type. */
export interface Verdict {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly policyType: string;
  readonly status: Exclude<Status, 'not_offered'>;
  /** Possible statuses once everything is known; the status itself if settled. */
  readonly possibleStatuses: readonly SettledStatus[];
  readonly reasons: readonly Reason[];
  readonly requirements: readonly Requirement[];
  readonly possibleRequirements: readonly Requirement[];
  readonly notes: readonly Requirement[];
  /** Terms of acceptance by name: deductibles, limits, settlement. */
  readonly terms?: Readonly<Record<string, VerdictTerm>>;
  /** Terms that depend on unknown fields: the strictest possible bounds. */
  readonly possibleTerms?: Readonly<Record<string, PossibleVerdictTerm>>;
  /** The tier that takes or refers the home, if it is the same for all values of the unknown fields. */
  readonly tier?: VerdictTier;
  /** Tiers that may take or refer the home, best first, if it depends on unknown fields. */
  readonly possibleTiers?: readonly TierVerdict[];
  /** Better tiers that do not take the home, with their reasons. */
  readonly betterTiers?: readonly TierVerdict[];
  /** The other tiers, if all decline: `reasons` are those of the last tier. */
  readonly otherTiers?: readonly TierVerdict[];
  /** Request names of unknown fields that the status depends on. */
  readonly missingFields: readonly string[];
  /** Set if further reasoning could settle more. The verdict is sound either way. */
  readonly conservative?: true;
  /** Certainty with which the rule set answers tests of measured distances, if it states one. */
  readonly certainty?: number;
  readonly ruleSet: RuleSetIdentity;
  readonly source: Source;
}
