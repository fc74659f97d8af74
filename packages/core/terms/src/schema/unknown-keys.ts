import { type Fault, pointer, quoteValue } from '../fault/fault.ts';
import { suggest } from '../spelling/suggest.ts';

/** Named one by one. */
const MAX_NAMED = 100;

/** Unknown keys of one object. */
export interface UnknownKeys {
  readonly path: readonly PropertyKey[];
  readonly keys: readonly string[];
  readonly allowed: readonly string[];
}

/** Faults of unknown keys; the last one may count the others. */
export interface UnknownKeyFaults {
  readonly faults: Fault[];
  /** Pointers to suggested keys: a misspelt key is not missing too. */
  readonly suggestedPaths: ReadonlySet<string>;
}

/**
 * Returns one fault per key, with a suggestion if one is near.
 * @example
 * unknownKeyFaults([{ path: [], keys: ['nname'], allowed: ['name'] }]).faults[0]?.message;
 * // '"nname" is not a field of this request. Did you mean "name"?'
 */
export function unknownKeyFaults(places: readonly UnknownKeys[], of: 'request' | 'file' = 'request'): UnknownKeyFaults {
  const code = of === 'file' ? 'unknown_key' : 'unknown_field';
  const faults: Fault[] = [];
  const suggestedPaths = new Set<string>();
  let left = MAX_NAMED;
  for (const { path, keys, allowed } of places) {
    const named = keys.slice(0, left);
    left -= named.length;
    const list = of === 'file' && allowed.length > 0 ? `; use one of: ${allowed.join(', ')}` : '';
    for (const key of named) {
      const nearest = suggest(key, allowed);
      if (nearest !== undefined) suggestedPaths.add(pointer(...path, nearest));
      const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
      const what = of === 'file' ? 'is not a key of this object' : 'is not a field of this request';
      const message = `${quoteValue(key.toWellFormed())} ${what}${list}.${hint}`;
      faults.push({ path: pointer(...path, key.slice(0, 100)), code, message });
    }
    if (named.length < keys.length) {
      const message = `${keys.length - named.length} more keys are unknown.`;
      faults.push({ path: pointer(...path), code, message });
    }
  }
  return { faults, suggestedPaths };
}
