/** Estimated memory of a checked file per character. */
const BYTES_A_CHARACTER = 12;
/** Number of entries from which unused ones are removed. */
const MIN_ENTRIES_SWEPT = 1024;

/** A checked file and its estimated size. Callers with equal files share it. */
export interface HeldFile<T extends object> {
  readonly checked: T;
  readonly bytes: number;
}

/** Checked files by hash, shared while a caller holds them. */
export interface SharedFiles<T extends object> {
  find(key: string | undefined): HeldFile<T> | undefined;
  /** Returns the file of an earlier call with the same key, if any. */
  add(key: string | undefined, file: unknown, checked: T): HeldFile<T>;
}

export function createSharedFiles<T extends object>(): SharedFiles<T> {
  const byKey = new Map<string, WeakRef<HeldFile<T>>>();
  let sweptAt = MIN_ENTRIES_SWEPT;
  const find: SharedFiles<T>['find'] = (key) => (key === undefined ? undefined : byKey.get(key)?.deref());
  return {
    find,
    add(key, file, checked) {
      const existing = find(key);
      if (existing) return existing;
      const heldFile = { checked, bytes: BYTES_A_CHARACTER * lengthOf(file) };
      if (key === undefined) return heldFile;
      if (byKey.size >= sweptAt) {
        for (const [each, reference] of byKey) if (!reference.deref()) byKey.delete(each);
        sweptAt = Math.max(MIN_ENTRIES_SWEPT, 2 * byKey.size);
      }
      byKey.set(key, new WeakRef(heldFile));
      return heldFile;
    },
  };
}

function lengthOf(file: unknown): number {
  try {
    return JSON.stringify(file)?.length ?? 0;
  } catch {
    return 0;
  }
}
