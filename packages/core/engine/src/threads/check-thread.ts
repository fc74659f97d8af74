import { createRequire } from 'node:module';
import type { PoolTask, WorkerPool } from '@leeward/worker-pool';
import { type CheckedRuleSet, keepWarnings } from '../rule-set/check.ts';
import { type CheckedOverride, ruleIdsOf } from '../rule-set/override.ts';
import { type RuleChecker, syncChecker } from '../rule-set/rule-checker.ts';
import { originOf } from '../vocabulary/field-file.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { OverrideToCheck, RuleSetToCheck } from './check-worker.ts';
import type { LineSource } from './line-modules.ts';

export { type LineSource, readLineModules } from './line-modules.ts';

/** Options of {@link createThreadChecker}. */
export interface ThreadCheckerOptions {
  readonly pool: Pick<WorkerPool, 'run'>;
  /** Tenant key for fair scheduling. @default '' one tenant for all */
  readonly tenant?: string;
  /** Modules that export lines of business (`defineLine`), as `file:` URLs; and fields of lines as data. @default [] */
  readonly lineModules?: readonly LineSource[];
  /** Ends checks that run or wait, with its reason. @default none */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates a checker that runs on a worker thread. The event loop is blocked only while the file and its rules are copied. A thread knows
 * homes, the lines of `lineModules` and the fields of files (`readFieldFile`). Files of other vocabularies, such as homes with fields in
 * code, are checked on the caller's thread, because functions cannot be sent to a thread.
 *
 * @example
 *  const checker = createThreadChecker({ pool: sharedWorkerPool() });
 *  const { ruleSet, faults } = await checker.checkRuleSet(file, { fromStranger: true });
 */
export function createThreadChecker({ pool, tenant, signal, lineModules = [] }: ThreadCheckerOptions): RuleChecker {
  const module = createRequire(import.meta.url).resolve('@leeward/engine/check-worker');
  const checkRuleSetFile: PoolTask<RuleSetToCheck, CheckedRuleSet | undefined> = { module, name: 'checkRuleSetFile' };
  const checkOverrideFile: PoolTask<OverrideToCheck, CheckedOverride | undefined> = {
    module,
    name: 'checkOverrideFile',
  };
  const modules = lineModules.filter((source) => typeof source === 'string');
  /** The sources that rebuild a vocabulary in a thread; undefined if a thread cannot. */
  const sourcesOf = (vocabulary: Vocabulary): readonly LineSource[] | undefined => {
    const { base, files } = originOf(vocabulary);
    const isKnown = base === homeVocabulary || (base.line !== homeVocabulary.line && modules.length > 0);
    return isKnown ? [...modules, ...files] : undefined;
  };
  return {
    async checkRuleSet(file, options = {}) {
      const { vocabulary = homeVocabulary, host = {}, fromStranger = false } = options;
      const sources = sourcesOf(vocabulary);
      if (sources) {
        const checked = await pool.run(
          checkRuleSetFile,
          {
            file,
            line: vocabulary.line,
            lineModules: sources,
            fromStranger,
            hostFacts: [...(host.facts ?? [])],
            hostOperators: [...(host.operators ?? [])],
          },
          { tenant, signal },
        );
        if (checked?.ruleSet) keepWarnings(checked.ruleSet, checked.warnings);
        if (checked) return checked;
      }
      return syncChecker.checkRuleSet(file, options);
    },
    async checkOverride(file, of, vocabulary) {
      const sources = sourcesOf(vocabulary);
      if (sources) {
        const input = { file, line: vocabulary.line, lineModules: sources, existingIds: [...ruleIdsOf(of)] };
        const checked = await pool.run(checkOverrideFile, input, { tenant, signal });
        if (checked) return checked;
      }
      return syncChecker.checkOverride(file, of, vocabulary);
    },
  };
}
