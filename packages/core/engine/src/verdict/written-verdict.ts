import { type CarrierRules, identityOf } from './carrier-rules.ts';
import type { Reason, Requirement, RuleSetIdentity, SettledStatus, Source, Verdict } from './verdict.ts';

export type WrittenTerms = Pick<Verdict, 'terms' | 'possibleTerms'>;
export type WrittenTiers = Pick<Verdict, 'tier' | 'possibleTiers' | 'betterTiers' | 'otherTiers'>;

/**
 * A class instead of an object literal: with many concurrent requests, V8 allocates objects of a literal in the old heap once some
 * survive, where they stay until a full garbage collection.
 */
export class WrittenVerdict implements Verdict {
  declare readonly carrierKey: string;
  declare readonly carrierName: string;
  declare readonly policyType: string;
  declare readonly status: Verdict['status'];
  declare readonly possibleStatuses: readonly SettledStatus[];
  declare readonly reasons: readonly Reason[];
  declare readonly requirements: readonly Requirement[];
  declare readonly possibleRequirements: readonly Requirement[];
  declare readonly notes: readonly Requirement[];
  declare readonly terms?: NonNullable<Verdict['terms']>;
  declare readonly possibleTerms?: NonNullable<Verdict['possibleTerms']>;
  declare readonly tier?: NonNullable<Verdict['tier']>;
  declare readonly possibleTiers?: NonNullable<Verdict['possibleTiers']>;
  declare readonly betterTiers?: NonNullable<Verdict['betterTiers']>;
  declare readonly otherTiers?: NonNullable<Verdict['otherTiers']>;
  declare readonly missingFields: readonly string[];
  declare readonly conservative?: true;
  declare readonly certainty?: number;
  declare readonly ruleSet: RuleSetIdentity;
  declare readonly source: Source;

  constructor(
    rules: CarrierRules,
    policyType: string,
    possibleStatuses: readonly SettledStatus[],
    reasons: readonly Reason[],
    requirements: readonly Requirement[],
    possibleRequirements: readonly Requirement[],
    notes: readonly Requirement[],
    missing: { readonly names: readonly string[]; readonly conservative: boolean },
    offers?: WrittenTerms,
    tiers?: WrittenTiers,
  ) {
    const { ruleSet } = rules;
    this.carrierKey = ruleSet.carrierKey;
    this.carrierName = ruleSet.carrierName;
    this.policyType = policyType;
    this.status = possibleStatuses.length === 1 ? possibleStatuses[0]! : 'needs_information';
    this.possibleStatuses = possibleStatuses;
    this.reasons = reasons;
    this.requirements = requirements;
    this.possibleRequirements = possibleRequirements;
    this.notes = notes;
    if (offers?.terms) this.terms = offers.terms;
    if (offers?.possibleTerms) this.possibleTerms = offers.possibleTerms;
    if (tiers) Object.assign(this, tiers);
    this.missingFields = missing.names;
    if (missing.conservative) this.conservative = true;
    if (ruleSet.certainty !== undefined) this.certainty = ruleSet.certainty;
    this.ruleSet = identityOf(rules);
    this.source = rules.source;
  }
}
