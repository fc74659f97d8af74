/** A rule or test of a property of which some fields are unknown. */
export type Truth = 'true' | 'false' | 'undecided';

/** True becomes false and false true; undecided stays. */
export function negate(truth: Truth): Truth {
  return truth === 'true' ? 'false' : truth === 'false' ? 'true' : 'undecided';
}
