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
  const records = new Map<string, unknown>();
  let keptAt: number | undefined;
  return {
    list: reader.list,
    count: reader.count,
    async get<K extends Kind>(kind: K, id: string) {
      const now = commits();
      if (now === undefined) return reader.get(kind, id);
      if (now !== keptAt) {
        records.clear();
        keptAt = now;
      }
      const key = `${kind} ${id}`;
      const cached = records.get(key) as Records[K] | undefined;
      if (cached !== undefined) return cached;
      const record = await reader.get(kind, id);
      // Missing records are not cached: strangers could fill the memory with them.
      if (record !== undefined && keptAt === now) {
        if (records.size >= MAX_KEPT) records.clear();
        records.set(key, Object.freeze(record));
      }
      return record;
    },
  };
}
