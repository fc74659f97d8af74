import type { StoreReader } from './account-store.ts';
import type { Kind, Records } from './records.ts';

/** Forgetting them costs one read each. */
const MAX_KEPT = 10_000;

/**
 * Keeps what was read by its id for as long as nothing is committed, by whichever process: every request asks for its
 * token, and asking whether anything has changed costs a fraction of reading it. `commits` is another number after every
 * commit, or undefined where that is not known, and then nothing is kept.
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
      // What is not there is not kept: strangers could fill the memory with it.
      if (record !== undefined && keptAt === now) {
        if (kept.size >= MAX_KEPT) kept.clear();
        kept.set(key, Object.freeze(record));
      }
      return record;
    },
  };
}
