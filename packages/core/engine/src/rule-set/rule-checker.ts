import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type CheckedRuleSet, type CheckOptions, checkRuleSet } from './check.ts';
import { type CheckedOverride, checkOverride } from './override.ts';
import type { RuleSet } from './rule-set.ts';

/** Port: checks files like `checkRuleSet` and `checkOverride`, for example on a thread. */
export interface RuleChecker {
  checkRuleSet(file: unknown, options?: CheckOptions): Promise<CheckedRuleSet>;
  checkOverride(file: unknown, of: readonly RuleSet[], vocabulary: Vocabulary): Promise<CheckedOverride>;
}

/** Checks on the caller's thread. */
export const syncChecker: RuleChecker = {
  checkRuleSet: async (file, options) => checkRuleSet(file, options),
  checkOverride: async (file, of, vocabulary) => checkOverride(file, of, vocabulary),
};
