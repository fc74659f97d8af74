import { piecesOf } from './pieces-of-block.ts';
import type { TextLine } from './text-lines.ts';

/**
 * Splits a block of whole lines. Each line is decoded as UTF-8, or as Windows-1252 if it is not valid UTF-8.
 *
 * @param firstNumber The number of the first line.
 *
 * @example
 * const lines = linesOfBlock(Buffer.from('a,b\nc,d\n'), 1, 1000);
 */
export function linesOfBlock(block: Uint8Array, firstNumber: number, maxCharacters: number): TextLine[] {
  const lines: TextLine[] = [];
  for (const { text, isWindows1252 } of piecesOf(block)) {
    const parts = text.split(/\r\n|\r|\n/);
    // No line follows the last line end.
    if (parts.at(-1) === '') parts.pop();
    for (const part of parts) {
      const isTooLong = part.length > maxCharacters;
      lines.push({
        number: firstNumber + lines.length,
        text: isTooLong ? part.slice(0, 200) : part,
        isTooLong,
        isWindows1252,
      });
    }
  }
  return lines;
}
