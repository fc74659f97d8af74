import { forgetCompiled } from '../compiled/compiled-programs.ts';
import { type CheckedRuleSet, checkRuleSet } from '../rule-set/check.ts';
import { type CheckedOverride, checkOverride } from '../rule-set/override.ts';
import type { RuleChecker } from '../rule-set/rule-checker.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Catalog } from './catalog.ts';
import { catalogOf } from './catalog-of.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { createSharedFiles, type HeldFile, type SharedFiles } from './shared-files.ts';
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
   * Checks the rule set of an organization: a file as JSON has it, or a function that reads it. The function is called only if
   * nobody holds a file with this hash. The caller answers for the hash.
   */
  ruleSet(file: unknown, vocabulary: Vocabulary, sha256?: string): HeldFile<CheckedRuleSet>;
  override(file: unknown, vocabulary: Vocabulary, sha256?: string): HeldFile<CheckedOverride>;
  /** Like `ruleSet` and `override`, but files that nobody holds are checked by `checker`. */
  withChecker(checker: RuleChecker): CheckingPool;
  /** A carrier by itself, ready to judge; the same for everybody who has the same versions of it. */
  judge(carrier: Carrier, options: CatalogOptions): Catalog;
  /** What is kept compiled takes so much, as estimated. */
  readonly compiledBytes: number;
}

/** Checks files with a checker, and shares them as its pool does. */
export interface CheckingPool {
  ruleSet(file: unknown, vocabulary: Vocabulary, sha256?: string): Promise<HeldFile<CheckedRuleSet>>;
  override(file: unknown, vocabulary: Vocabulary, sha256?: string): Promise<HeldFile<CheckedOverride>>;
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
    ruleSet(file, vocabulary, sha256) {
      const key = keyOf(vocabulary, sha256);
      const known = ruleSets.find(key);
      if (known) return known;
      const read = readFile(file);
      return ruleSets.keep(key, read, checkRuleSet(read, { vocabulary, fromStranger: true }));
    },
    override(file, vocabulary, sha256) {
      const key = keyOf(vocabulary, sha256);
      const known = overrides.find(key);
      if (known) return known;
      const read = readFile(file);
      return overrides.keep(key, read, checkOverride(read, [], vocabulary));
    },
    withChecker: (checker) => ({
      ruleSet: (file, vocabulary, sha256) =>
        checkOnce(ruleSets, file, keyOf(vocabulary, sha256), (read) =>
          checker.checkRuleSet(read, { vocabulary, fromStranger: true }),
        ),
      override: (file, vocabulary, sha256) =>
        checkOnce(overrides, file, keyOf(vocabulary, sha256), (read) => checker.checkOverride(read, [], vocabulary)),
    }),
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

function keyOf({ line }: Vocabulary, sha256: string | undefined): string | undefined {
  return sha256 && `${line} ${sha256}`;
}

function readFile(file: unknown): unknown {
  return typeof file === 'function' ? file() : file;
}

async function checkOnce<T extends object>(
  files: SharedFiles<T>,
  file: unknown,
  key: string | undefined,
  check: (file: unknown) => Promise<T>,
): Promise<HeldFile<T>> {
  const known = files.find(key);
  if (known) return known;
  const read = readFile(file);
  return files.keep(key, read, await check(read));
}
