import { readCells } from './csv-cells.ts';

/** What stands between cells, the likeliest of equals first: a tab hardly ever stands within a cell. */
const delimiters = ['\t', ',', ';'] as const;

/** The delimiter that a first line of `sep=;` names, as spreadsheets write it. */
export function namedDelimiter(firstLine: string): string | undefined {
  return /^\s*"?sep=([^\s"\w]|\t)"?\s*$/i.exec(firstLine)?.[1];
}

/**
 * The delimiter of a table by its first lines: the one that gives most of them as many cells as the heading, two at least. A
 * comma where none does: the table has one column.
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
