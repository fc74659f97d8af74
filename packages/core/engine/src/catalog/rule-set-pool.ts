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
/** Estimated memory of a cached carrier without its tables. */
const BYTES_A_CARRIER = 4096;

/** Options of {@link createRuleSetPool}. */
export interface RuleSetPoolOptions {
  /** Maximum estimated size of cached tables, in bytes. @default 201326592 */
  readonly maxBytes?: number;
}

/**
 * Shares rule sets among organizations: equal files are checked and compiled once. Above the maximum size, the least recently used
 * tables are removed.
 */
export interface RuleSetPool {
  /**
   * Checks a rule set of an organization.
   *
   * @param file parsed JSON, or a function that returns it; called only for an unknown hash
   * @param sha256 hash of the file, which the caller guarantees
   */
  ruleSet(file: unknown, vocabulary: Vocabulary, sha256?: string): HeldFile<CheckedRuleSet>;
  override(file: unknown, vocabulary: Vocabulary, sha256?: string): HeldFile<CheckedOverride>;
  /** Like `ruleSet` and `override`, but checks new files with a checker. */
  withChecker(checker: RuleChecker): CheckingPool;
  /** A catalog with a single carrier. Callers with the same versions of it share the catalog. */
  catalogOf(carrier: Carrier, options: CatalogOptions): Catalog;
  /** Estimated size of the cached tables, in bytes. */
  readonly compiledBytes: number;
}

/** Like {@link RuleSetPool}, but checks files with a checker. */
export interface CheckingPool {
  ruleSet(file: unknown, vocabulary: Vocabulary, sha256?: string): Promise<HeldFile<CheckedRuleSet>>;
  override(file: unknown, vocabulary: Vocabulary, sha256?: string): Promise<HeldFile<CheckedOverride>>;
}

interface CachedCarrier {
  readonly catalog: Catalog;
  readonly carrier: Carrier;
  bytes: number;
}

/**
 * Creates a pool. One for each process is enough.
 *
 * @example const view = createOrganizationCatalog({ ...rules, pool: createRuleSetPool({ maxBytes: 64 * 1024 * 1024 }) });
 */
export function createRuleSetPool({ maxBytes = DEFAULT_MAX_BYTES }: RuleSetPoolOptions = {}): RuleSetPool {
  const ruleSets = createSharedFiles<CheckedRuleSet>();
  const overrides = createSharedFiles<CheckedOverride>();
  const cache = new Map<string, CachedCarrier>();
  let compiledBytes = 0;
  /** The most recent table is in use and stays. */
  const evict = () => {
    for (const [key, { carrier, bytes }] of cache) {
      if (compiledBytes <= maxBytes || cache.size === 1) return;
      cache.delete(key);
      compiledBytes -= bytes;
      for (const { ruleSet } of carrier.versions) forgetCompiled(ruleSet);
    }
  };
  const add = (key: string, carrier: Carrier, options: CatalogOptions): CachedCarrier => {
    const onBuilt = (bytes: number) => {
      if (cache.get(key) !== entry) return;
      entry.bytes += bytes;
      compiledBytes += bytes;
      evict();
    };
    const entry: CachedCarrier = { catalog: catalogOf([carrier], options, onBuilt), carrier, bytes: BYTES_A_CARRIER };
    compiledBytes += entry.bytes;
    return entry;
  };
  return {
    ruleSet(file, vocabulary, sha256) {
      const key = keyOf(vocabulary, sha256);
      const heldFile = ruleSets.find(key);
      if (heldFile) return heldFile;
      const read = readFile(file);
      return ruleSets.add(key, read, checkRuleSet(read, { vocabulary, fromStranger: true }));
    },
    override(file, vocabulary, sha256) {
      const key = keyOf(vocabulary, sha256);
      const heldFile = overrides.find(key);
      if (heldFile) return heldFile;
      const read = readFile(file);
      return overrides.add(key, read, checkOverride(read, [], vocabulary));
    },
    withChecker: (checker) => ({
      ruleSet: (file, vocabulary, sha256) =>
        checkOnce(ruleSets, file, keyOf(vocabulary, sha256), (read) =>
          checker.checkRuleSet(read, { vocabulary, fromStranger: true }),
        ),
      override: (file, vocabulary, sha256) =>
        checkOnce(overrides, file, keyOf(vocabulary, sha256), (read) => checker.checkOverride(read, [], vocabulary)),
    }),
    catalogOf(carrier, options) {
      const key = carrier.versions
        .map(({ ruleSet, source, overrideSha256 }) => `${source} ${ruleSet.sha256} ${overrideSha256 ?? ''}`)
        .join();
      let entry = cache.get(key);
      if (entry && entry.catalog.options === options) cache.delete(key);
      else {
        if (entry) compiledBytes -= entry.bytes;
        entry = add(key, carrier, options);
      }
      cache.set(key, entry);
      evict();
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
  const heldFile = files.find(key);
  if (heldFile) return heldFile;
  const read = readFile(file);
  return files.add(key, read, await check(read));
}
