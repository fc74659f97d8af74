import { readCells } from './csv-cells.ts';

/** Most likely first: cells rarely contain a tab. */
const delimiters = ['\t', ',', ';'] as const;

/**
 * The delimiter in a first line such as `sep=;`, which spreadsheets write.
 *
 * @example
 * namedDelimiter('sep=;'); // ';'
 */
export function namedDelimiter(firstLine: string): string | undefined {
  return /^\s*"?sep=([^\s"\w]|\t)"?\s*$/i.exec(firstLine)?.[1];
}

/**
 * Recognizes the delimiter of a table: the one with which most lines have as many cells as the heading, at least two. A comma for a
 * table of one column.
 *
 * @example
 * guessDelimiter(['state;county', 'tx;harris']); // ';'
 */
export function guessDelimiter(lines: readonly string[]): string {
  const [heading = '', ...others] = lines;
  let best = { delimiter: ',', alike: -1, width: 1 };
  for (const delimiter of delimiters) {
    const width = widthOf(heading, delimiter);
    if (width < 2) continue;
    const alike = others.filter((line) => widthOf(line, delimiter) === width).length;
    if (alike > best.alike || (alike === best.alike && width > best.width)) best = { delimiter, alike, width };
  }
  return best.delimiter;
}

function widthOf(line: string, delimiter: string): number {
  const cells = readCells(line, delimiter);
  return typeof cells === 'string' ? 0 : cells.length;
}
