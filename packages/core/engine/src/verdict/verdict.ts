/** What a carrier says, from best to worst. */
export const statuses = ['eligible', 'referral', 'needs_information', 'ineligible', 'not_offered'] as const;
/** What a carrier says of a property for a policy type. */
export type Status = (typeof statuses)[number];

/** A status that full knowledge can end in. */
export type SettledStatus = 'eligible' | 'referral' | 'ineligible';

/** Why: one rule that holds, a territory not written, or a moratorium. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  /** Request names of what it hangs on. */
  readonly fields: readonly string[];
  readonly ruleId: string;
  /** Of a moratorium: it ends, at `endsAt` (UTC, microseconds; null while open). */
  readonly temporary?: true;
  readonly endsAt?: string | null;
}

/** What is asked for beside: an inspection, a photograph; or (in `notes`) what is merely said. */
export interface Requirement {
  readonly code: string;
  readonly message: string;
  readonly ruleId: string;
}

/** Which rule set answered: its version, the SHA-256 of its canonical JSON, and that of an override. */
export interface RuleSetIdentity {
  readonly version: string;
  readonly sha256: string;
  readonly overrideSha256?: string;
}

/**
 * Where the rules come from: everybody's catalog, the organization itself, or the catalog tightened by the
 * organization.
 */
export type Source = 'catalog' | 'organization' | 'override';

/** One carrier's answer for one policy type. */
export interface Verdict {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly policyType: string;
  readonly status: Exclude<Status, 'not_offered'>;
  /** What the status can become once everything is known; the status itself where it is settled. */
  readonly possibleStatuses: readonly SettledStatus[];
  readonly reasons: readonly Reason[];
  readonly requirements: readonly Requirement[];
  readonly possibleRequirements: readonly Requirement[];
  readonly notes: readonly Requirement[];
  /** Request names of the unknown fields that the status hangs on. */
  readonly missingFields: readonly string[];
  /** Present where more could be settled by reasoning that is not attempted; the answer is sound all the same. */
  readonly conservative?: true;
  readonly ruleSet: RuleSetIdentity;
  readonly source: Source;
}
