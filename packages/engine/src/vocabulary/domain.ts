/**
 * What a field could be when nobody said: all numbers from `min` to `max` (whole ones only where
 * `integer`), or one of `words`.
 */
export type Domain =
  | { readonly kind: 'numbers'; readonly min: number; readonly max: number; readonly integer: boolean }
  | { readonly kind: 'words'; readonly words: readonly string[] };

/** What domains and ages hang on besides the value itself. */
export interface DomainContext {
  /** Calendar year of the effective date. */
  readonly effectiveYear: number;
}

export function inDomain(value: unknown, domain: Domain): boolean {
  if (domain.kind === 'words') return typeof value === 'string' && domain.words.includes(value);
  return (
    typeof value === 'number' &&
    value >= domain.min &&
    value <= domain.max &&
    (!domain.integer || Number.isInteger(value))
  );
}
