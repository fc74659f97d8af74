import type { Property } from '../request/property.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** The names of a vocabulary that can be asked for, worked out once. */
interface AskedNames {
  /** In the order in which they are told. */
  readonly names: readonly string[];
  readonly placeOf: ReadonlyMap<string, number>;
  /** By name, the places of its fields in the vocabulary. */
  readonly fields: readonly (readonly number[])[];
  /** Names that are only given together. */
  readonly pairs: readonly (readonly [number, number])[];
}

const byVocabulary = new WeakMap<Vocabulary, AskedNames>();

function askedNames(vocabulary: Vocabulary): AskedNames {
  let asked = byVocabulary.get(vocabulary);
  if (!asked) {
    const names = [...new Set(['county', ...vocabulary.fields.map((field) => field.requestName)])];
    const placeOf = new Map(names.map((name, place) => [name, place]));
    asked = {
      names,
      placeOf,
      fields: names.map((name) => [
        ...vocabulary.fields.flatMap((field, index) => (field.requestName === name ? [index] : [])),
      ]),
      pairs: vocabulary.givenTogether.flatMap((pair): [number, number][] => {
        const [a, b] = pair.map((name) => placeOf.get(name));
        return a === undefined || b === undefined ? [] : [[a, b]];
      }),
    };
    byVocabulary.set(vocabulary, asked);
  }
  return asked;
}

/**
 * What to ask for, in the vocabulary's order: not what is known already (a test of one fact against another
 * hangs on both names), and with a field its partner, where the two are only given together.
 */
export function fieldsToAskFor(missing: Iterable<string>, property: Property): string[] {
  const { names, placeOf, fields, pairs } = askedNames(property.vocabulary);
  const wanted = new Uint8Array(names.length);
  const others: string[] = [];
  for (const name of missing) {
    const place = placeOf.get(name);
    if (place !== undefined) wanted[place] = 1;
    else if (name !== 'state' && name !== 'policy_type') others.push(name);
  }
  for (const [a, b] of pairs) if (wanted[a] === 1 || wanted[b] === 1) wanted[a] = wanted[b] = 1;
  const result: string[] = [];
  for (let place = 0; place < names.length; place++) {
    if (wanted[place] === 1 && !isKnown(names[place]!, fields[place]!, property)) result.push(names[place]!);
  }
  return others.length > 0 ? [...result, ...new Set(others)] : result;
}

function isKnown(name: string, fields: readonly number[], { counties, values, given = values }: Property): boolean {
  if (name === 'county' && fields.length === 0) return counties?.length === 1;
  for (const field of fields) {
    const value = given[field];
    if (typeof value !== 'number' && typeof value !== 'string') return false;
  }
  return true;
}
