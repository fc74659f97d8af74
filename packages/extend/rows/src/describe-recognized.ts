import type { Recognized } from './open-rows.ts';

const delimiterNames: Readonly<Record<string, string>> = {
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
  ',': 'commas',
};

/**
 * Describes the recognized properties of a file, one sentence each. Empty for UTF-8 with commas.
 *
 * @example
 * for (const sentence of describeRecognized('policies.csv', file.recognized())) console.error(sentence);
 */
export function describeRecognized(name: string, { encoding, delimiter, windows1252 }: Recognized): readonly string[] {
  const sentences: string[] = [];
  if (encoding !== 'utf-8') sentences.push(`${name} is read as UTF-16.`);
  if (delimiter !== undefined && delimiter !== ',') {
    const between = delimiterNames[delimiter] ?? JSON.stringify(delimiter);
    sentences.push(`${name} is read with ${between} between cells.`);
  }
  const { lines, firstLine } = windows1252;
  if (firstLine !== undefined) {
    const others = lines === 1 ? '' : `, and ${(lines - 1).toLocaleString('en-US')} more,`;
    const were = lines === 1 ? 'is not UTF-8 and was' : 'are not UTF-8 and were';
    sentences.push(`Line ${firstLine} of ${name}${others} ${were} read as Windows-1252.`);
  }
  return sentences;
}
