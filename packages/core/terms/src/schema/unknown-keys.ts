import { type Fault, pointer, quoteValue } from '../fault/fault.ts';
import { suggest } from '../spelling/suggest.ts';

/** Named one by one; an object of thousands is no misspelling. */
const MAX_NAMED = 100;

/** Keys that may not stand where they stand. */
export interface UnknownKeys {
  /** Where they stand. */
  readonly path: readonly PropertyKey[];
  readonly keys: readonly string[];
  /** The keys that may stand there; they are suggested, and named where they are told. */
  readonly known: readonly string[];
}

/** What is said of keys that mean nothing: a fault each, and how many more there are. */
export interface UnknownKeyFaults {
  readonly faults: Fault[];
  /** Places of the keys that were likely meant: what is misspelt is not missing as well. */
  readonly meant: ReadonlySet<string>;
}

/** Faults for keys that nobody knows, each with the key that was likely meant. */
export function unknownKeyFaults(places: readonly UnknownKeys[], of: 'request' | 'file' = 'request'): UnknownKeyFaults {
  const code = of === 'file' ? 'unknown_key' : 'unknown_field';
  const faults: Fault[] = [];
  const meant = new Set<string>();
  let left = MAX_NAMED;
  for (const { path, keys, known } of places) {
    const named = keys.slice(0, left);
    left -= named.length;
    const list = of === 'file' && known.length > 0 ? `; there are: ${known.join(', ')}` : '';
    for (const key of named) {
      const nearest = suggest(key, known);
      if (nearest !== undefined) meant.add(pointer(...path, nearest));
      const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
      const what = of === 'file' ? 'means nothing here' : 'is not a field of this request';
      const message = `${quoteValue(key.toWellFormed())} ${what}${list}.${hint}`;
      faults.push({ path: pointer(...path, key.slice(0, 100)), code, message });
    }
    if (named.length < keys.length) {
      const message = `${keys.length - named.length} more keys are not known here.`;
      faults.push({ path: pointer(...path), code, message });
    }
  }
  return { faults, meant };
}
