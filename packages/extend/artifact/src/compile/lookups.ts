import { type Spelling, spellingLists } from '../spellings/spelling-lists.ts';
import type { BuiltTables } from '../tables/built-tables.ts';

/** Texts and the codes that readers find for them. */
export interface Lookups {
  readonly states: Readonly<Record<string, number>>;
  readonly policy_types: Readonly<Record<string, number>>;
  /** By input of words. */
  readonly words: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By state and FIPS code, the texts; several codes, with a space between them, for a name that counties share. */
  readonly counties: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** Every spelling of the lists of some tables. */
export function lookupsOf({ vocabulary, inputs }: BuiltTables): Lookups {
  const lists = spellingLists(vocabulary);
  const codes = (list: readonly Spelling[]) => Object.fromEntries(list.map(({ key, code }) => [key, code]));
  const counties: Record<string, Record<string, string[]>> = {};
  for (const { key, code } of lists.counties) {
    const [state, fips] = [key.slice(0, 2), code < 0 ? lists.ambiguous[-2 - code]!.join(' ') : String(code)];
    counties[state] ??= {};
    counties[state][fips] ??= [];
    counties[state][fips].push(key.slice(3));
  }
  const words = inputs.flatMap(({ source, name }) => {
    const field =
      source.kind === 'field' && source.certainty === undefined ? vocabulary.fields[source.field]! : undefined;
    const list = field && !field.member && !field.form ? lists.words.get(field.name) : undefined;
    return list ? [[name, codes(list)] as const] : [];
  });
  return {
    states: codes(lists.states),
    policy_types: codes(lists.policyTypes),
    words: Object.fromEntries(words),
    counties,
  };
}
