import type { Steps } from '../turns/steps.ts';

/** What a checked file takes in memory for each character of its text: its values, and its conditions as read. */
const BYTES_A_CHARACTER = 12;
/** Entries from which what nobody holds any more is swept out. */
const SWEPT_FROM = 1024;

/** A checked file that somebody holds: one for all who have the same, and what it takes in memory, as estimated. */
export interface HeldFile<T extends object> {
  readonly checked: T;
  readonly bytes: number;
}

/** Checked files by hash, shared for as long as anybody holds them. */
export interface SharedFiles<T extends object> {
  /** The file of this hash; checked by `check` where nobody has it. Without a hash it is checked in any case. */
  get(file: unknown, sha256: string | undefined, check: (file: unknown) => Steps<T>): Steps<HeldFile<T>>;
}

export function createSharedFiles<T extends object>(): SharedFiles<T> {
  const byHash = new Map<string, WeakRef<HeldFile<T>>>();
  let sweptAt = SWEPT_FROM;
  return {
    *get(file, sha256, check) {
      const known = () => (sha256 === undefined ? undefined : byHash.get(sha256)?.deref());
      const before = known();
      if (before) return before;
      const read: unknown = typeof file === 'function' ? file() : file;
      yield;
      const checked = yield* check(read);
      // Somebody else may have checked the same meanwhile.
      const meanwhile = known();
      if (meanwhile) return meanwhile;
      const held = { checked, bytes: BYTES_A_CHARACTER * lengthOf(read) };
      if (sha256 === undefined) return held;
      if (byHash.size >= sweptAt) {
        for (const [hash, held] of byHash) if (!held.deref()) byHash.delete(hash);
        sweptAt = Math.max(SWEPT_FROM, 2 * byHash.size);
      }
      byHash.set(sha256, new WeakRef(held));
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
