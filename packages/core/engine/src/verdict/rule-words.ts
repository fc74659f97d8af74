import { factsOf } from '../condition/condition.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import { factIndex, missingNameOf, requestNameOf } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Reason, Requirement } from './verdict.ts';

/** What every verdict says of a rule, worked out once. */
export interface RuleWords {
  /** Whether the message quotes facts. */
  readonly quotes: boolean;
  /** The rule as a reason, and as something asked for: with the message as it is written. */
  readonly reason: Reason;
  readonly requirement: Requirement;
}

const byRule = new WeakMap<Rule, RuleWords>();

export function wordsOf(rule: Rule, vocabulary: Vocabulary): RuleWords {
  let words = byRule.get(rule);
  if (!words) {
    const { code, message, id: ruleId } = rule;
    const fields = Object.freeze(inVocabularyOrder(requestNames(factsOf(rule.condition), vocabulary), vocabulary));
    words = {
      quotes: message.includes('{'),
      reason: Object.freeze({ code, message, fields, ruleId }),
      requirement: Object.freeze({ code, message, ruleId }),
    };
    byRule.set(rule, words);
  }
  return words;
}

/** Names under which a caller gives these facts. */
export function requestNames(facts: Iterable<string>, vocabulary: Vocabulary): Set<string> {
  const index = factIndex(vocabulary);
  const names = new Set<string>();
  for (const fact of facts) {
    const reference = index.find(fact);
    names.add(reference ? requestNameOf(reference) : fact);
  }
  return names;
}

/** Names under which these facts are noted as missing. */
export function missingNames(facts: Iterable<string>, vocabulary: Vocabulary): Set<string> {
  const index = factIndex(vocabulary);
  const names = new Set<string>();
  for (const fact of facts) {
    const reference = index.find(fact);
    if (!reference) names.add(fact);
    else names.add(reference.kind === 'place' ? reference.name : missingNameOf(reference.field));
  }
  return names;
}

export function inVocabularyOrder(names: ReadonlySet<string>, vocabulary: Vocabulary): string[] {
  const known = ['county', ...new Set(vocabulary.fields.map((field) => field.requestName))];
  return [...known.filter((name) => names.has(name)), ...[...names].filter((name) => !known.includes(name))];
}
