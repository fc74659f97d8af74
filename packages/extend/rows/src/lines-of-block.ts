import { piecesOf } from './pieces-of-block.ts';
import type { TextLine } from './text-lines.ts';

/**
 * The lines of a block of whole lines, the first with number `firstNumber`. Each line is UTF-8 where it can be, and Windows-1252
 * where it cannot.
 */
export function linesOfBlock(block: Uint8Array, firstNumber: number, maxCharacters: number): TextLine[] {
  const lines: TextLine[] = [];
  for (const { text, isWindows1252 } of piecesOf(block)) {
    const parts = text.split(/\r\n|\r|\n/);
    // The last end of a line has no line behind it.
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
