import { boundsOf, describeTerm } from '../rule-set/demand.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import type { OfferFindings, PossibleTermFinding } from './offers.ts';
import type { PossibleVerdictTerm, Requirement, VerdictTerm } from './verdict.ts';
import type { WrittenTerms } from './written-verdict.ts';

/**
 * @param requirementOf returns an offer with its message filled in
 * @param fieldsOf returns the missing request fields for the names of missing facts
 */
export function writeTerms(
  { certain, possible }: OfferFindings,
  requirementOf: (rule: Rule) => Requirement,
  fieldsOf: (missing: Iterable<string>) => readonly string[],
): WrittenTerms {
  const terms: Record<string, VerdictTerm> = {};
  for (const { term, bounds, rules } of certain) {
    terms[term.name] = { ...bounds, text: describeTerm(term, bounds), rules: rules.map(requirementOf) };
  }
  const possibleTerms: Record<string, PossibleVerdictTerm> = {};
  for (const each of possible) {
    const { term, bounds, mayExclude, rules, missing } = each;
    possibleTerms[term.name] = {
      ...bounds,
      ...(mayExclude ? { mayExclude } : {}),
      text: describePossible(each),
      rules: rules.map(requirementOf),
      fields: fieldsOf(missing),
    };
  }
  return {
    ...(certain.length > 0 ? { terms } : {}),
    ...(possible.length > 0 ? { possibleTerms } : {}),
  };
}

/** For words, lists the choices that the offers leave. */
function describePossible({ term, bounds, mayExclude, rules }: PossibleTermFinding): string {
  if (!mayExclude) return describeTerm(term, bounds);
  const choices = new Set<string>();
  for (const rule of rules) {
    for (const demand of rule.demands ?? []) {
      const { oneOf } = boundsOf(demand.bound);
      if (demand.term.name === term.name && oneOf) choices.add(oneOf.join(' or '));
    }
  }
  return `${term.label}: ${[...choices].join('; ')}`;
}
