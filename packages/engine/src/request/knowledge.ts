/**
 * What is known of one field: its value, bounds within which it lies, a set of words it is one of, or
 * (undefined) nothing.
 */
export type Knowledge = number | string | Within | undefined;

/** A fact known within bounds (ends included), or one of several words. */
export type Within =
  | { readonly kind: 'between'; readonly min: number; readonly max: number }
  | { readonly kind: 'one of'; readonly words: readonly string[] };

/** What a host may say of a field: knowledge as the axis holds it, or in the field's own form. */
export type GivenKnowledge =
  | Knowledge
  | boolean
  | readonly string[]
  | { readonly kind: 'between'; readonly min: string; readonly max: string };

export function between(min: number, max: number): number | Within {
  return min === max ? min : { kind: 'between', min, max };
}

export function isWithin(value: unknown): value is Within {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'between' || value.kind === 'one of')
  );
}
