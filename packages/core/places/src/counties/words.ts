/** Longer than any name of a place with its state; what is longer is not looked at. */
const MAX_LENGTH = 120;

const marks = /\p{M}/gu;
const dropped = /['’‘ʼʻ`()[\]]|\p{Default_Ignorable_Code_Point}/gu;
const blanks = /[\p{P}\s]+/gu;
const plain = /^[a-z0-9 ]+$/;
/** As most names are written: nothing in it to fold but capital letters. */
const simple = /^[a-z0-9]+(?: [a-z0-9]+)*$/i;

const spellings = new Map([
  ['saint', 'st'],
  ['sainte', 'ste'],
  ['ft', 'fort'],
]);

/**
 * A name as comparable words: decomposed, without marks and apostrophes, in lower case, every other punctuation mark a
 * blank, `saint` as `st`. Empty when the text is too long or holds a character no American place name has (an emoji, a
 * lone surrogate, another script): such text is no name rather than a name with something added.
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

/** Suffixes as words, longest first. */
const suffixes: readonly (readonly string[])[] = [
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

/** What people append to a name although the county's own suffix is another; "county" is appended everywhere. */
const interchangeable: Readonly<Record<string, readonly string[]>> = {
  ak: ['city and borough', 'census area', 'municipality', 'borough'],
  as: ['district', 'island'],
  ct: ['planning region'],
  mp: ['municipality', 'island'],
  pr: ['municipio', 'municipality'],
  vi: ['district', 'island'],
};

const abbreviations: ReadonlySet<string> = new Set(['co', 'cnty', 'cty']);

/** `Harris Co.` as `harris county`. */
export function spellOutSuffix(name: readonly string[]): readonly string[] {
  const last = name.at(-1);
  return name.length > 1 && last !== undefined && abbreviations.has(last) ? [...name.slice(0, -1), 'county'] : name;
}

/** `County of Harris` as `harris county`, `Municipio de Ponce` as `ponce municipio`; undefined for other names. */
export function moveSuffixBehind(name: readonly string[]): readonly string[] | undefined {
  for (const suffix of suffixes) {
    const link = name[suffix.length];
    if (name.length < suffix.length + 2 || (link !== 'of' && link !== 'de')) continue;
    if (suffix.every((word, index) => name[index] === word)) return [...name.slice(suffix.length + 1), ...suffix];
  }
  return undefined;
}

/** The name without a trailing suffix that people of this state append freely; undefined if it has none. */
export function withoutFreeSuffix(stateCode: string, name: readonly string[]): readonly string[] | undefined {
  const free = Object.hasOwn(interchangeable, stateCode) ? interchangeable[stateCode] : undefined;
  for (const suffix of suffixes) {
    const start = name.length - suffix.length;
    if (start < 1 || !suffix.every((word, index) => name[start + index] === word)) continue;
    const text = suffix.join(' ');
    if (text === 'county' || text === 'city and county' || free?.includes(text)) return name.slice(0, start);
  }
  return undefined;
}
