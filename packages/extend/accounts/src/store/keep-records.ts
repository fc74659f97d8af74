import type { StoreReader } from './account-store.ts';
import type { Kind, Records } from './records.ts';

const MAX_KEPT = 10_000;

/**
 * Caches records by id until any process commits; reading the number of commits is cheaper than reading a record. `commits` returns
 * undefined if unknown, which turns the cache off.
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
      // Caching missing records would let strangers fill the memory.
      if (record !== undefined && keptAt === now) {
        if (records.size >= MAX_KEPT) records.clear();
        records.set(key, Object.freeze(record));
      }
      return record;
    },
  };
}
