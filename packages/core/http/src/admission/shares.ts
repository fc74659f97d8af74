/** A capacity that several keys share. */
export interface Shares {
  /** False if there is no capacity left. After `true`, call `leave` once with the same weight. */
  enter(key: string, weight?: number): boolean;
  leave(key: string, weight?: number): void;
}

/**
 * Up to `max`, every key is admitted. Above it, a key that holds less than an even share still is, so one that holds everything
 * excludes no other. The total therefore stays below max / 1 + max / 2 + max / 3 … over the keys that hold something, and returns
 * to `max` when no new keys come.
 *
 * @param maxPerKey maximum of one key, even if it is alone
 *
 * @example
 * const exchanges = createShares(50, 5);
 * if (!exchanges.enter(network)) throw unavailable('The sign-in');
 */
export function createShares(max: number, maxPerKey: number = Number.POSITIVE_INFINITY): Shares {
  const weights = new Map<string, number>();
  let total = 0;
  return {
    enter(key, weight = 1) {
      const own = weights.get(key) ?? 0;
      if (own + weight > maxPerKey) return false;
      const holders = weights.size + (own === 0 ? 1 : 0);
      if (total + weight > max && own + weight > max / holders) return false;
      weights.set(key, own + weight);
      total += weight;
      return true;
    },
    leave(key, weight = 1) {
      const own = (weights.get(key) ?? 0) - weight;
      if (own > 0) weights.set(key, own);
      else weights.delete(key);
      total -= weight;
    },
  };
}
