import { factsOf } from '../condition/condition.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import { factIndex, requestNameOf, type Vocabulary } from '../vocabulary/vocabulary.ts';

/** What every verdict says of a rule, worked out once. */
export interface RuleWords {
  /** Request names of the facts it tests, in the vocabulary's order. */
  readonly fields: readonly string[];
  /** Whether the message quotes facts. */
  readonly quotes: boolean;
}

const byRule = new WeakMap<Rule, RuleWords>();

export function wordsOf(rule: Rule, vocabulary: Vocabulary): RuleWords {
  let words = byRule.get(rule);
  if (!words) {
    words = {
      fields: inVocabularyOrder(requestNames(factsOf(rule.condition), vocabulary), vocabulary),
      quotes: rule.message.includes('{'),
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

export function inVocabularyOrder(names: ReadonlySet<string>, vocabulary: Vocabulary): string[] {
  const known = ['county', ...new Set(vocabulary.fields.map((field) => field.requestName))];
  return [...known.filter((name) => names.has(name)), ...[...names].filter((name) => !known.includes(name))];
}
