import type { RuleSet } from '../rule-set/rule-set.ts';
import type { RuleSetIdentity, Source } from './verdict.ts';

/** A rule set as one organization uses it. */
export interface CarrierRules {
  readonly ruleSet: RuleSet;
  readonly source: Source;
  readonly overrideSha256?: string;
  /** The override file; its rules are not in the rule set's file. */
  readonly override?: unknown;
}

const identities = new WeakMap<CarrierRules, RuleSetIdentity>();

export function identityOf(rules: CarrierRules): RuleSetIdentity {
  let identity = identities.get(rules);
  if (!identity) {
    const { version, sha256 } = rules.ruleSet;
    const { overrideSha256 } = rules;
    identity = Object.freeze({ version, sha256, ...(overrideSha256 === undefined ? {} : { overrideSha256 }) });
    identities.set(rules, identity);
  }
  return identity;
}
