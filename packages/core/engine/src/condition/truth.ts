/**
 * Three-valued logic over unknown fields.
 *
 * A completion of a property gives every unknown field one of its possible values. A rule or test should be `true` if it holds in every
 * completion, `false` if in none, and `undecided` otherwise. Evaluators may answer `undecided` too often, but never `true` or `false` if
 * some completion disagrees (soundness).
 *
 * Computed test by test (Kleene logic), `x or not x` is undecided for an unknown `x`. The compiled form reasons about all tests of an
 * axis together, and finds such a rule to be true.
 */
export type Truth = 'true' | 'false' | 'undecided';

/** Swaps true and false. */
export function negate(truth: Truth): Truth {
  return truth === 'true' ? 'false' : truth === 'false' ? 'true' : 'undecided';
}
