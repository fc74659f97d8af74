import type { Outcome } from '../ports/outcome.ts';

/** `quoted`, and `referred` with a premium, are successes; everything else is an error of one kind or another. */
export function statusOf(outcome: Outcome, hasPremium: boolean): 'success' | 'error' {
  return outcome === 'quoted' || (outcome === 'referred' && hasPremium) ? 'success' : 'error';
}
