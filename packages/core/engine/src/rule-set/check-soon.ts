import { runInTurns, type Turn } from '../turns/turn.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type CheckedRuleSet, type CheckOptions, checkRuleSetInSteps } from './check.ts';
import { type CheckedOverride, checkOverrideInSteps } from './override.ts';
import type { RuleSet } from './rule-set.ts';

/** Checks a rule set as `checkRuleSet` does, rule by rule, between which others have their turn. */
export function checkRuleSetSoon(file: unknown, options: CheckOptions, turn: Turn): Promise<CheckedRuleSet> {
  return runInTurns(checkRuleSetInSteps(file, options), turn);
}

/** Checks an override as `checkOverride` does, likewise. */
export function checkOverrideSoon(
  file: unknown,
  of: readonly RuleSet[],
  turn: Turn,
  vocabulary: Vocabulary = homeVocabulary,
): Promise<CheckedOverride> {
  return runInTurns(checkOverrideInSteps(file, of, vocabulary), turn);
}
