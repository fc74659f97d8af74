import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type CheckedRuleSet, type CheckOptions, checkRuleSet } from './check.ts';
import { type CheckedOverride, checkOverride } from './override.ts';
import type { RuleSet } from './rule-set.ts';

/** Checks files as `checkRuleSet` and `checkOverride` do, but may do so elsewhere: see `createThreadChecker`. */
export interface RuleChecker {
  checkRuleSet(file: unknown, options?: CheckOptions): Promise<CheckedRuleSet>;
  checkOverride(file: unknown, of: readonly RuleSet[], vocabulary: Vocabulary): Promise<CheckedOverride>;
}

/** The checker of hosts without threads: it holds the event loop for as long as a check takes. */
export const syncChecker: RuleChecker = {
  checkRuleSet: async (file, options) => checkRuleSet(file, options),
  checkOverride: async (file, of, vocabulary) => checkOverride(file, of, vocabulary),
};
