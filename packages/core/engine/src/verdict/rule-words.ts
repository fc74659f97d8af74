import { LOCATION } from '../area/area.ts';
import { factsOf } from '../condition/condition.ts';
import { evidenceNameOf, findEvidence } from '../request/evidence.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import { eventList } from '../vocabulary/event-list.ts';
import { factIndex, missingNameOf, requestNameOf } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Reason, Requirement } from './verdict.ts';

/** Texts of a rule that all verdicts share. */
export interface RuleWords {
  readonly hasQuotes: boolean;
  /** Kept here, because the rule itself is rarely in the cache. */
  readonly isMoratorium: boolean;
  /** With an unfilled message. */
  readonly reason: Reason;
  readonly requirement: Requirement;
}

const byRule = new WeakMap<Rule, RuleWords>();

export function wordsOf(rule: Rule, vocabulary: Vocabulary): RuleWords {
  let words = byRule.get(rule);
  if (!words) {
    const { code, message, id: ruleId } = rule;
    const fields = Object.freeze(inVocabularyOrder(requestNames(testedFacts(rule), vocabulary), vocabulary));
    words = {
      hasQuotes: message.includes('{'),
      isMoratorium: rule.isMoratorium === true,
      reason: Object.freeze({ code, message, fields, ruleId }),
      requirement: Object.freeze({ code, message, ruleId }),
    };
    byRule.set(rule, words);
  }
  return words;
}

/** Without what requests do not give: events, and the state and policy type that a moratorium is limited to. */
function testedFacts({ condition, isMoratorium }: Rule): readonly string[] {
  const facts = factsOf(condition).filter((name) => name !== eventList.name);
  return isMoratorium ? facts.filter((name) => name !== 'state' && name !== 'policy_type') : facts;
}
/** Name of the request field that locates a home. */
export const ADDRESS = 'address';

export function requestNames(facts: Iterable<string>, vocabulary: Vocabulary): Set<string> {
  const index = factIndex(vocabulary);
  const names = new Set<string>();
  for (const fact of facts) {
    const reference = index.find(fact);
    names.add(reference ? requestNameOf(reference) : fact === LOCATION ? ADDRESS : nameOfOther(fact, vocabulary));
  }
  return names;
}

export function missingNames(facts: Iterable<string>, vocabulary: Vocabulary): Set<string> {
  const index = factIndex(vocabulary);
  const names = new Set<string>();
  for (const fact of facts) {
    const reference = index.find(fact);
    if (!reference) names.add(nameOfOther(fact, vocabulary));
    else names.add(reference.kind === 'place' ? reference.name : missingNameOf(reference.field));
  }
  return names;
}

/** Evidence has the name of its value in requests. Lists and facts of the host keep their names. */
function nameOfOther(fact: string, vocabulary: Vocabulary): string {
  const evidence = findEvidence(fact, vocabulary);
  return evidence ? evidenceNameOf(evidence.subject, evidence.part) : fact;
}

const positionsOfVocabulary = new WeakMap<Vocabulary, ReadonlyMap<string, number>>();

export function inVocabularyOrder(names: ReadonlySet<string>, vocabulary: Vocabulary): string[] {
  let positions = positionsOfVocabulary.get(vocabulary);
  if (!positions) {
    const order = ['county', ...new Set(vocabulary.fields.map((field) => field.requestName))];
    positions = new Map(order.map((name, position) => [name, position]));
    positionsOfVocabulary.set(vocabulary, positions);
  }
  // Names outside the vocabulary come last, in their order.
  const positionOf = (name: string) => positions.get(name) ?? positions.size;
  return [...names].sort((a, b) => positionOf(a) - positionOf(b));
}
