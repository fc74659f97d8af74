import { distance } from 'fastest-levenshtein';

const MIN_LETTERS = 4;
const MAX_LETTERS = 40;
const MAX_SUGGESTIONS = 3;

interface Spelling {
  readonly key: string;
  /** A bit for each letter and digit in it. */
  readonly letters: number;
}

/**
 * Suggests names whose keys are nearest to a misspelled key: two neighboring letters in the wrong order are one step, as is a wrong, missing or
 * added letter. Compares only keys of similar length and letters, so a search through all names takes milliseconds.
 */
export function createSuggester<Name extends { readonly state: string }>(
  names: ReadonlyMap<string, readonly Name[]>,
  order: (a: Name, b: Name) => number,
): (key: string, state?: string) => readonly Name[] {
  const everywhere = '';
  const spellings = new Map<string, readonly Spelling[]>();
  const spellingsIn = (state: string | undefined): readonly Spelling[] => {
    const cached = spellings.get(state ?? everywhere);
    if (cached !== undefined) return cached;
    const listed = [...names].filter(
      ([, places]) => state === undefined || places.some((name) => name.state === state),
    );
    const list = listed.map(([key]) => ({ key, letters: lettersOf(key) }));
    spellings.set(state ?? everywhere, list);
    return list;
  };
  return (key, state) => {
    if (key.length < MIN_LETTERS || key.length > MAX_LETTERS) return [];
    const namesOf = (each: string) =>
      (names.get(each) ?? []).filter((name) => state === undefined || name.state === state);
    const nearest = new Set(swaps(key).flatMap(namesOf));
    let limit = nearest.size > 0 ? 1 : maxSteps(key);
    const letters = lettersOf(key);
    for (const { key: other, letters: otherLetters } of spellingsIn(state)) {
      if (Math.abs(other.length - key.length) > limit) continue;
      if (count(letters & ~otherLetters) > limit || count(otherLetters & ~letters) > limit) continue;
      const steps = distance(key, other);
      if (steps > limit) continue;
      const similar = namesOf(other);
      if (similar.length === 0) continue;
      if (steps < limit) nearest.clear();
      for (const name of similar) nearest.add(name);
      limit = steps;
    }
    return [...nearest].sort(order).slice(0, MAX_SUGGESTIONS);
  };
}

function maxSteps({ length }: string): number {
  return length <= 4 ? 1 : length <= 8 ? 2 : 3;
}

function swaps(key: string): readonly string[] {
  return Array.from({ length: key.length - 1 }, (_, index) => {
    return key.slice(0, index) + key[index + 1] + key[index] + key.slice(index + 2);
  });
}

function lettersOf(key: string): number {
  let bits = 0;
  for (const letter of key) bits |= 1 << (letter.charCodeAt(0) % 31);
  return bits;
}

function count(bits: number): number {
  let [rest, ones] = [bits, 0];
  for (; rest !== 0; rest &= rest - 1) ones += 1;
  return ones;
}
