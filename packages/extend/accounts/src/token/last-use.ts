/** Minimum time between two writes for a token. */
const RESOLUTION_MS = 60_000;
/** Forgetting a token costs a write. */
const MAX_REMEMBERED = 10_000;

export interface TokenUse {
  readonly tokenId: string;
  readonly atMs: number;
}

export interface LastUse {
  /** Returns at once. Skips recent uses, and ignores failures of the later write. */
  note(tokenId: string, recordedMs: number | null): void;
  settle(): Promise<void>;
}

export function createLastUse(write: (uses: readonly TokenUse[]) => Promise<void>, now: () => number): LastUse {
  const noted = new Map<string, number>();
  let pending: TokenUse[] = [];
  let writing: Promise<void> | undefined;

  const flush = async (): Promise<void> => {
    // Concurrent requests share a write.
    await new Promise(setImmediate);
    while (pending.length > 0) {
      const uses = pending;
      pending = [];
      // A failure is not worth a failed request; the next use tries again.
      await write(uses).catch(() => {});
    }
    writing = undefined;
  };

  return {
    note(tokenId, recordedMs) {
      const atMs = now();
      if (atMs - Math.max(recordedMs ?? 0, noted.get(tokenId) ?? 0) < RESOLUTION_MS) return;
      if (noted.size >= MAX_REMEMBERED) noted.clear();
      noted.set(tokenId, atMs);
      pending.push({ tokenId, atMs });
      writing ??= flush();
    },
    async settle() {
      await writing;
    },
  };
}
