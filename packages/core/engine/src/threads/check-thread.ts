import { createRequire } from 'node:module';
import type { PoolTask, WorkerPool } from '@leeward/worker-pool';
import { type CheckedRuleSet, keepWarnings } from '../rule-set/check.ts';
import { type CheckedOverride, ruleIdsOf } from '../rule-set/override.ts';
import { type RuleChecker, syncChecker } from '../rule-set/rule-checker.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { OverrideToCheck, RuleSetToCheck } from './check-worker.ts';

export { readLineModules } from './line-modules.ts';

/** Where files are checked, and for whom. */
export interface ThreadCheckerOptions {
  readonly pool: Pick<WorkerPool, 'run'>;
  /** Tenants take turns on the threads. @default '' one tenant for all */
  readonly tenant?: string;
  /** Modules that export lines of business (`defineLine`), as `file:` URLs. @default [] */
  readonly lineModules?: readonly string[];
}

/**
 * Checks files on a worker thread, so that the event loop is held only while the file and its rules are copied.
 *
 * A thread knows homes, and the lines of `lineModules`. Files of another vocabulary, such as homes with fields of a host, are
 * checked at once on the caller's thread: fields are functions, which a thread cannot be sent.
 *
 * @example
 * const checker = createThreadChecker({ pool: sharedWorkerPool() });
 * const { ruleSet, faults } = await checker.checkRuleSet(file, { fromStranger: true });
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
        const input = { file, line: vocabulary.line, lineModules, takenIds: [...ruleIdsOf(of)] };
        const checked = await pool.run(checkOverrideFile, input, { tenant });
        if (checked) return checked;
      }
      return syncChecker.checkOverride(file, of, vocabulary);
    },
  };
}
