import { forgetCompiled } from '../compiled/compiled-programs.ts';
import { type CheckedRuleSet, checkRuleSetInSteps } from '../rule-set/check.ts';
import { type CheckedOverride, checkOverrideInSteps } from '../rule-set/override.ts';
import type { Steps } from '../turns/steps.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Catalog } from './catalog.ts';
import { catalogOf } from './catalog-of.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { createSharedFiles, type HeldFile } from './shared-files.ts';
import type { Carrier } from './versions.ts';

const DEFAULT_MAX_BYTES = 192 * 1024 * 1024;
/** What keeping a carrier takes beside its tables. */
const BYTES_A_CARRIER = 4096;

/** How many bytes of rule sets are kept compiled. */
export interface RuleSetPoolOptions {
  /** Compiled tables kept, in bytes as estimated; default 192 MiB. */
  readonly maxBytes?: number;
}

/**
 * Rule sets of many organizations: what several have is checked and compiled once, and what was compiled is dropped,
 * the longest not asked for first, when all of it takes more memory than it may.
 */
export interface RuleSetPool {
  /**
   * Checks an organization's own rule set: a file as JSON has it, or a function that reads it, which is called only
   * where nobody holds the file of this hash. Whoever gives a hash vouches for it. In steps, as is the next.
   */
  ruleSet(file: unknown, vocabulary: Vocabulary, sha256?: string): Steps<HeldFile<CheckedRuleSet>>;
  override(file: unknown, vocabulary: Vocabulary, sha256?: string): Steps<HeldFile<CheckedOverride>>;
  /** A carrier by itself, ready to judge; the same for everybody who has the same versions of it. */
  judge(carrier: Carrier, options: CatalogOptions): Catalog;
  /** What is kept compiled takes so much, as estimated. */
  readonly compiledBytes: number;
}

interface Kept {
  readonly catalog: Catalog;
  readonly carrier: Carrier;
  bytes: number;
}

/** Makes a pool: one for a process. */
export function createRuleSetPool({ maxBytes = DEFAULT_MAX_BYTES }: RuleSetPoolOptions = {}): RuleSetPool {
  const ruleSets = createSharedFiles<CheckedRuleSet>();
  const overrides = createSharedFiles<CheckedOverride>();
  const kept = new Map<string, Kept>();
  let compiledBytes = 0;
  /** The last is in use, and stays whatever it takes. */
  const makeRoom = () => {
    for (const [key, { carrier, bytes }] of kept) {
      if (compiledBytes <= maxBytes || kept.size === 1) return;
      kept.delete(key);
      compiledBytes -= bytes;
      for (const { ruleSet } of carrier.versions) forgetCompiled(ruleSet);
    }
  };
  const keep = (key: string, carrier: Carrier, options: CatalogOptions): Kept => {
    const onBuilt = (bytes: number) => {
      // What was dropped meanwhile is counted no more.
      if (kept.get(key) !== entry) return;
      entry.bytes += bytes;
      compiledBytes += bytes;
      makeRoom();
    };
    const entry: Kept = { catalog: catalogOf([carrier], options, onBuilt), carrier, bytes: BYTES_A_CARRIER };
    compiledBytes += entry.bytes;
    return entry;
  };
  return {
    ruleSet: (file, vocabulary, sha256) =>
      ruleSets.get(file, sha256 && `${vocabulary.line} ${sha256}`, (read) =>
        checkRuleSetInSteps(read, { vocabulary, fromStranger: true }),
      ),
    override: (file, vocabulary, sha256) =>
      overrides.get(file, sha256 && `${vocabulary.line} ${sha256}`, (read) =>
        checkOverrideInSteps(read, [], vocabulary),
      ),
    judge(carrier, options) {
      const key = carrier.versions
        .map(({ ruleSet, source, overrideSha256 }) => `${source} ${ruleSet.sha256} ${overrideSha256 ?? ''}`)
        .join();
      let entry = kept.get(key);
      if (entry && entry.catalog.options === options) kept.delete(key);
      else {
        if (entry) compiledBytes -= entry.bytes;
        entry = keep(key, carrier, options);
      }
      // Moved to the end: the first is the one that was asked for the longest ago.
      kept.set(key, entry);
      makeRoom();
      return entry.catalog;
    },
    get compiledBytes() {
      return compiledBytes;
    },
  };
}
