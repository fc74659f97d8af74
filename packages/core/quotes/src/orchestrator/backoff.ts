/**
 * Wait before the next attempt, in ms: random, up to a bound that doubles with every attempt ("full jitter", Marc Brooker, Exponential
 * Backoff and Jitter, 2015).
 */
export function backoffMs(
  attempt: number,
  bounds: { readonly initialMs: number; readonly maxMs: number },
  random: () => number,
): number {
  return random() * Math.min(bounds.maxMs, bounds.initialMs * 2 ** Math.min(30, attempt - 1));
}
