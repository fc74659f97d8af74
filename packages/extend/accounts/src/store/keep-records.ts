import type { StoreReader } from './account-store.ts';
import type { Kind, Records } from './records.ts';

/** Forgetting them costs one read each. */
const MAX_KEPT = 10_000;

/**
 * Caches records by id until any process commits: every request reads its token, and reading the number of commits
 * costs a fraction of that. `commits` returns a new number after every commit; undefined means unknown and turns the
 * cache off.
 */
export function keepRecords(reader: StoreReader, commits: () => number | undefined): StoreReader {
  const kept = new Map<string, unknown>();
  let keptAt: number | undefined;
  return {
    list: reader.list,
    count: reader.count,
    async get<K extends Kind>(kind: K, id: string) {
      const now = commits();
      if (now === undefined) return reader.get(kind, id);
      if (now !== keptAt) {
        kept.clear();
        keptAt = now;
      }
      const key = `${kind} ${id}`;
      const known = kept.get(key) as Records[K] | undefined;
      if (known !== undefined) return known;
      const record = await reader.get(kind, id);
      // Missing records are not cached: strangers could fill the memory with them.
      if (record !== undefined && keptAt === now) {
        if (kept.size >= MAX_KEPT) kept.clear();
        kept.set(key, Object.freeze(record));
      }
      return record;
    },
  };
}
