import { createRequire } from 'node:module';
import type { PoolTask, WorkerPool } from '@leeward/worker-pool';
import { type CheckedRuleSet, keepWarnings } from '../rule-set/check.ts';
import { type CheckedOverride, ruleIdsOf } from '../rule-set/override.ts';
import { type RuleChecker, syncChecker } from '../rule-set/rule-checker.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { OverrideToCheck, RuleSetToCheck } from './check-worker.ts';

export { readLineModules } from './line-modules.ts';

/** Options of {@link createThreadChecker}. */
export interface ThreadCheckerOptions {
  readonly pool: Pick<WorkerPool, 'run'>;
  /** Tenant key for fair scheduling. @default '' one tenant for all */
  readonly tenant?: string;
  /** Modules that export lines of business (`defineLine`), as `file:` URLs. @default [] */
  readonly lineModules?: readonly string[];
}

/**
 * Creates a checker that runs on a worker thread. The event loop is blocked only while the file and its rules are copied. Files of other
 * vocabularies than homes and `lineModules`, such as homes with fields of a host, are checked on the caller's thread, because functions
 * cannot be sent to a thread.
 *
 * @example
 *  const checker = createThreadChecker({ pool: sharedWorkerPool() });
 *  const { ruleSet, faults } = await checker.checkRuleSet(file, { fromStranger: true });
 */
export function createThreadChecker({ pool, tenant, lineModules = [] }: ThreadCheckerOptions): RuleChecker {
  const module = createRequire(import.meta.url).resolve('@leeward/engine/check-worker');
  const checkRuleSetFile: PoolTask<RuleSetToCheck, CheckedRuleSet | undefined> = { module, name: 'checkRuleSetFile' };
  const checkOverrideFile: PoolTask<OverrideToCheck, CheckedOverride | undefined> = {
    module,
    name: 'checkOverrideFile',
  };
  const isForThread = (vocabulary: Vocabulary): boolean =>
    vocabulary === homeVocabulary || (vocabulary.line !== homeVocabulary.line && lineModules.length > 0);
  return {
    async checkRuleSet(file, options = {}) {
      const { vocabulary = homeVocabulary, host = {}, fromStranger = false } = options;
      if (isForThread(vocabulary)) {
        const checked = await pool.run(
          checkRuleSetFile,
          {
            file,
            line: vocabulary.line,
            lineModules,
            fromStranger,
            hostFacts: [...(host.facts ?? [])],
            hostOperators: [...(host.operators ?? [])],
          },
          { tenant },
        );
        if (checked?.ruleSet) keepWarnings(checked.ruleSet, checked.warnings);
        if (checked) return checked;
      }
      return syncChecker.checkRuleSet(file, options);
    },
    async checkOverride(file, of, vocabulary) {
      if (isForThread(vocabulary)) {
        const input = { file, line: vocabulary.line, lineModules, existingIds: [...ruleIdsOf(of)] };
        const checked = await pool.run(checkOverrideFile, input, { tenant });
        if (checked) return checked;
      }
      return syncChecker.checkOverride(file, of, vocabulary);
    },
  };
}
