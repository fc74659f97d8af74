/** A token's last use is written when the one on record is older than this: once a minute, not once a request. */
const RESOLUTION_MS = 60_000;
/** Tokens remembered at most; forgetting one costs a write. */
const MAX_REMEMBERED = 10_000;

export interface TokenUse {
  readonly tokenId: string;
  readonly atMs: number;
}

export interface LastUse {
  /**
   * Records a use, unless the last one on record is recent. Returns at once; a later write saves it and ignores
   * failures.
   */
  note(tokenId: string, recordedMs: number | null): void;
  /** Resolves when everything noted has been written, or has failed to be. */
  settle(): Promise<void>;
}

export function createLastUse(write: (uses: readonly TokenUse[]) => Promise<void>, now: () => number): LastUse {
  const noted = new Map<string, number>();
  let pending: TokenUse[] = [];
  let writing: Promise<void> | undefined;

  const flush = async (): Promise<void> => {
    // Requests of one moment share a write.
    await new Promise(setImmediate);
    while (pending.length > 0) {
      const uses = pending;
      pending = [];
      // When a token was last used is worth no failed request; the next use after a minute tries again.
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
