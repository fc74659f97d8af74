/** What a checked file takes in memory for each character of its text: its values, and its conditions as read. */
const BYTES_A_CHARACTER = 12;
/** Entries from which what nobody holds any more is swept out. */
const SWEPT_FROM = 1024;

/** A checked file that somebody holds: one for all who have the same, and what it takes in memory, as estimated. */
export interface HeldFile<T extends object> {
  readonly checked: T;
  readonly bytes: number;
}

/** Checked files by hash, shared while anyone holds them. */
export interface SharedFiles<T extends object> {
  find(key: string | undefined): HeldFile<T> | undefined;
  /** Keeps a checked file. If another caller kept the same key before, its file is returned. */
  keep(key: string | undefined, file: unknown, checked: T): HeldFile<T>;
}

export function createSharedFiles<T extends object>(): SharedFiles<T> {
  const byKey = new Map<string, WeakRef<HeldFile<T>>>();
  let sweptAt = SWEPT_FROM;
  const find: SharedFiles<T>['find'] = (key) => (key === undefined ? undefined : byKey.get(key)?.deref());
  return {
    find,
    keep(key, file, checked) {
      const before = find(key);
      if (before) return before;
      const held = { checked, bytes: BYTES_A_CHARACTER * lengthOf(file) };
      if (key === undefined) return held;
      if (byKey.size >= sweptAt) {
        for (const [each, reference] of byKey) if (!reference.deref()) byKey.delete(each);
        sweptAt = Math.max(SWEPT_FROM, 2 * byKey.size);
      }
      byKey.set(key, new WeakRef(held));
      return held;
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
