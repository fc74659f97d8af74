/** Longer than any name of a place with its state; what is longer is not looked at. */
const maximumLength = 120;

const marks = /\p{M}/gu;
const dropped = /['’‘ʼʻ`()[\]]|\p{Default_Ignorable_Code_Point}/gu;
const blanks = /[\p{P}\s]+/gu;
const plain = /^[a-z0-9 ]+$/;

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
  if (text.length > maximumLength) return [];
  const folded = text
    .normalize('NFKD')
    .replace(dropped, '')
    .replace(marks, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(blanks, ' ')
    .trim();
  if (!plain.test(folded)) return [];
  return folded.split(' ').map((word) => spellings.get(word) ?? word);
}
