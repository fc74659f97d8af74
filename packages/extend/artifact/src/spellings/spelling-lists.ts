import type { Vocabulary } from '@leeward/engine';
import { countySpellings, countySuffixes, stateCodes, stateKeys, states } from '@leeward/places/counties';

/** A folded text and its code. */
export interface Spelling {
  readonly key: string;
  readonly code: number;
}

/** Lists in which readers look up texts. Each is sorted by the bytes of its keys. */
export interface SpellingLists {
  /** Code: place in `states` of @leeward/places, from 1. */
  readonly states: readonly Spelling[];
  /** Code: place in `vocabulary.policyTypes`, from 1. */
  readonly policyTypes: readonly Spelling[];
  /** Keys are a state code, a space, and a name or FIPS code. Code: FIPS code, or −2−n for entry n of `ambiguous`. */
  readonly counties: readonly Spelling[];
  /** Keys are a state code, ` *` and a legal suffix of counties in words. Code: 1 if names are looked up without it as well, else 2. */
  readonly countySuffixes: readonly Spelling[];
  /** FIPS codes of names that several counties share. */
  readonly ambiguous: readonly (readonly number[])[];
  /** For each field with words; fields with the same words share a list. Code: place of the word, from 1. */
  readonly words: ReadonlyMap<string, readonly Spelling[]>;
}

/**
 * Folds a text for a lookup in the lists: lower case without accents, only letters and digits, `&` as `and`.
 * @example
 * foldKey('Doña Ana'); // 'donaana'
 */
export function foldKey(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^a-z0-9]+/g, '');
}

const byVocabulary = new WeakMap<Vocabulary, SpellingLists>();

/**
 * Lists the spellings that requests of a line accept. The lists of a vocabulary are made once.
 *
 * @throws {RangeError} If two words of a field differ only in punctuation: a lookup could not tell them apart.
 * @example
 * spellingLists(homeVocabulary).policyTypes.find(({ key }) => key === 'ho0003')?.code; // 1
 */
export function spellingLists(vocabulary: Vocabulary): SpellingLists {
  const cached = byVocabulary.get(vocabulary);
  if (cached) return cached;
  const { policyTypes, policyTypeSpellings, fields } = vocabulary;
  const lists: SpellingLists = {
    ...placeLists(),
    policyTypes: wordList('policy_type', policyTypes, policyTypeSpellings),
    words: new Map(
      fields.flatMap((field) => {
        const domain = field.domain({ effectiveYear: 2000 });
        return domain.kind === 'words' ? [[field.name, wordList(field.name, domain.words, field.spellings)]] : [];
      }),
    ),
  };
  byVocabulary.set(vocabulary, lists);
  return lists;
}

type PlaceLists = Pick<SpellingLists, 'states' | 'counties' | 'countySuffixes' | 'ambiguous'>;
let places: PlaceLists | undefined;

/** The lists of states and counties, which all vocabularies share. */
function placeLists(): PlaceLists {
  if (places) return places;
  const ambiguous: number[][] = [];
  const codeOf = (fips: readonly number[]) => (fips.length === 1 ? fips[0]! : -1 - ambiguous.push([...fips]));
  const counties = stateCodes.flatMap((state) =>
    Array.from(countySpellings(state), ([key, matches]) => ({
      key: `${state} ${key}`,
      code: codeOf(matches.map(({ fips }) => Number(fips))),
    })),
  );
  places = {
    states: sortedByKey(Array.from(stateKeys, ([key, state]) => ({ key, code: states.indexOf(state) + 1 }))),
    counties: sortedByKey(counties),
    countySuffixes: stateCodes.flatMap((state) =>
      countySuffixes(state).map(({ suffix, isFree }) => ({ key: `${state} *${suffix}`, code: isFree ? 1 : 2 })),
    ),
    ambiguous,
  };
  return places;
}

function wordList(
  name: string,
  words: readonly string[],
  spellings: Readonly<Record<string, string>> = {},
): readonly Spelling[] {
  const codes = new Map<string, number>();
  for (const [text, word] of [...words.map((word) => [word, word] as const), ...Object.entries(spellings)]) {
    const [key, code] = [foldKey(text), words.indexOf(word) + 1];
    if ((codes.get(key) ?? code) !== code) {
      throw new RangeError(`${name}: "${text}" and "${words[codes.get(key)! - 1]}" differ only in punctuation.`);
    }
    codes.set(key, code);
  }
  return sortedByKey(Array.from(codes, ([key, code]) => ({ key, code })));
}

/** Sorts by bytes: keys are ASCII, so code units are bytes. */
export function sortedByKey(list: readonly Spelling[]): readonly Spelling[] {
  return [...list].sort((a, b) => (a.key < b.key ? -1 : 1));
}
