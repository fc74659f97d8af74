import { countiesOf, findCounties } from '@leeward/places/counties';
import { type Spelling, spellingLists } from '../spellings/spelling-lists.ts';
import type { BuiltTables } from '../tables/built-tables.ts';

/** Texts and the codes that readers find for them. */
export interface Lookups {
  readonly states: Readonly<Record<string, number>>;
  readonly policy_types: Readonly<Record<string, number>>;
  /** By input of words. */
  readonly words: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By state and FIPS code, the texts; several codes, with a space between them, for a name that counties share; −1 for no county. */
  readonly counties: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** Every spelling of the lists of some tables. */
export function lookupsOf({ vocabulary, inputs }: BuiltTables): Lookups {
  const lists = spellingLists(vocabulary);
  const codes = (list: readonly Spelling[]) => Object.fromEntries(list.map(({ key, code }) => [key, code]));
  const counties: Record<string, Record<string, string[]>> = {};
  const add = (state: string, fips: string, text: string) => {
    counties[state] ??= {};
    counties[state][fips] ??= [];
    counties[state][fips].push(text);
  };
  for (const { key, code } of lists.counties)
    add(key.slice(0, 2), code < 0 ? lists.ambiguous[-2 - code]!.join(' ') : String(code), key.slice(3));
  // Each legal suffix of a state behind and before a name, and without a blank.
  for (const { key } of lists.countySuffixes) {
    const [state, suffix] = [key.slice(0, 2), key.slice(4)];
    const [first] = countiesOf(state);
    const prefixed =
      countiesOf(state).find(({ name }) => findCounties(state, `${suffix} of ${name}`).length > 0) ?? first!;
    const { label, name } = first!;
    for (const text of [`${label} ${suffix}`, `${name} ${suffix}`, `${name}${suffix}`, `${suffix} of ${prefixed.name}`])
      add(
        state,
        findCounties(state, text)
          .map(({ fips }) => Number(fips))
          .join(' ') || '-1',
        text,
      );
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
