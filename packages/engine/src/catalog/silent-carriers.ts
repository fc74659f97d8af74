import type { Property } from '../request/property.ts';
import { coversState } from '../rule-set/places.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';

/**
 * Why a carrier offers nothing: no version of its rules is in force on the effective date, no program of it is for the
 * policy type in this state, or it is not appointed (which is not counted: whoever is not appointed is not asked).
 */
export type NotOfferedCode = 'no_version' | 'no_program' | 'not_appointed';

/** A carrier that offers a policy type not at all. */
export interface NotOffered {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly policyType: string;
  readonly code: NotOfferedCode;
}

/**
 * Why nothing is known of a carrier: its rules ask the host, which only `decide` waits for, or what an organization
 * entered for it was refused.
 */
export type NotJudgedCode = 'needs_host' | 'rules_refused';

/** A carrier that was asked and not judged: it may say yes, and it may say no. */
export interface NotJudged {
  readonly carrierKey: string;
  readonly carrierName: string;
  readonly policyType: string;
  readonly code: NotJudgedCode;
}

/** Those of whom a decision holds no verdict. */
export interface SilentCarriers {
  readonly notOffered: readonly NotOffered[];
  readonly notJudged: readonly NotJudged[];
}

export const nobodySilent: SilentCarriers = { notOffered: [], notJudged: [] };

/** Whether some program of a rule set is for a policy type in the property's state. */
export function isOffered({ programs }: RuleSet, policyType: string, { state }: Property): boolean {
  return programs.some((program) => program.policyTypes.includes(policyType) && coversState(program.places, state));
}
