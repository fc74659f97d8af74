/** So much of something may be held at once, by all together and each by its share. */
export interface Shares {
  /** False where it would be too much. Every true wants one `leave` of the same weight. */
  enter(key: string, weight?: number): boolean;
  leave(key: string, weight?: number): void;
}

/**
 * While there is room, everybody may take it. Where there is none, whoever holds less than an even share is let in all the
 * same: one who holds everything keeps nobody else out. So all together hold at most the sum of max / 1, max / 2, max / 3
 * … over those who hold something, and no more than `max` as soon as nobody new has come for a while.
 *
 * @param maxPerKey what one may hold, even alone.
 */
export function createShares(max: number, maxPerKey: number = Number.POSITIVE_INFINITY): Shares {
  const held = new Map<string, number>();
  let total = 0;
  return {
    enter(key, weight = 1) {
      const own = held.get(key) ?? 0;
      if (own + weight > maxPerKey) return false;
      const holders = held.size + (own === 0 ? 1 : 0);
      if (total + weight > max && own + weight > max / holders) return false;
      held.set(key, own + weight);
      total += weight;
      return true;
    },
    leave(key, weight = 1) {
      const own = (held.get(key) ?? 0) - weight;
      if (own > 0) held.set(key, own);
      else held.delete(key);
      total -= weight;
    },
  };
}
