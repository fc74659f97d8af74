/** Longer than any place name with its state. */
const MAX_LENGTH = 120;

const marks = /\p{M}/gu;
const dropped = /['’‘ʼʻ`()[\]]|\p{Default_Ignorable_Code_Point}/gu;
const blanks = /[\p{P}\s]+/gu;
const plain = /^[a-z0-9 ]+$/;
const simple = /^[a-z0-9]+(?: [a-z0-9]+)*$/i;

const spellings = new Map([
  ['saint', 'st'],
  ['sainte', 'ste'],
  ['ft', 'fort'],
]);

/**
 * Decomposed, without accents and apostrophes, lower case, other punctuation as blanks, `saint` as `st`. Empty for long text or
 * characters of no American place name (an emoji, a lone surrogate, another script).
 */
export function words(text: string): readonly string[] {
  if (text.length > MAX_LENGTH) return [];
  const folded = simple.test(text) ? text.toLowerCase() : fold(text);
  if (!plain.test(folded)) return [];
  return folded.split(' ').map((word) => spellings.get(word) ?? word);
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(dropped, '')
    .replace(marks, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(blanks, ' ')
    .trim();
}

/** As words, longest first. */
export const suffixes: readonly (readonly string[])[] = [
  ['city', 'and', 'borough'],
  ['city', 'and', 'county'],
  ['planning', 'region'],
  ['census', 'area'],
  ['municipality'],
  ['municipio'],
  ['district'],
  ['borough'],
  ['county'],
  ['parish'],
  ['island'],
  ['city'],
];

/** People append these although the legal suffix differs; "county" is appended everywhere. */
const interchangeable: Readonly<Record<string, readonly string[]>> = {
  ak: ['city and borough', 'census area', 'municipality', 'borough'],
  as: ['district', 'island'],
  ct: ['planning region'],
  mp: ['municipality', 'island'],
  pr: ['municipio', 'municipality'],
  vi: ['district', 'island'],
};

const abbreviations: ReadonlySet<string> = new Set(['co', 'cnty', 'cty']);

export function spellOutSuffix(name: readonly string[]): readonly string[] {
  const last = name.at(-1);
  return name.length > 1 && last !== undefined && abbreviations.has(last) ? [...name.slice(0, -1), 'county'] : name;
}

/** `County of Harris`, `Municipio de Ponce`; undefined for other names. */
export function moveSuffixBehind(name: readonly string[]): readonly string[] | undefined {
  for (const suffix of suffixes) {
    const link = name[suffix.length];
    if (name.length < suffix.length + 2 || (link !== 'of' && link !== 'de')) continue;
    if (suffix.every((word, index) => name[index] === word)) return [...name.slice(suffix.length + 1), ...suffix];
  }
  return undefined;
}

/** Suffixes that people of a state append freely. */
export function freeSuffixes(stateCode: string): readonly string[] {
  const ofState = Object.hasOwn(interchangeable, stateCode) ? interchangeable[stateCode]! : [];
  return ['county', 'city and county', ...ofState];
}

/** Drops a suffix that people of this state append freely; undefined for a name without one. */
export function withoutFreeSuffix(stateCode: string, name: readonly string[]): readonly string[] | undefined {
  const free = freeSuffixes(stateCode);
  for (const suffix of suffixes) {
    const start = name.length - suffix.length;
    if (start < 1 || !suffix.every((word, index) => name[start + index] === word)) continue;
    if (free.includes(suffix.join(' '))) return name.slice(0, start);
  }
  return undefined;
}
