import { piecesOf, type TextPiece } from './pieces-of-block.ts';

/** A line of a text file. */
export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** Without the line end. Only the beginning if `isTooLong`. */
  readonly text: string;
  readonly isTooLong: boolean;
  readonly isWindows1252: boolean;
}

const SHOWN_CHARACTERS = 200;

/** Splits text into lines, which end with LF, CR LF or CR. Keeps only the beginning of a line that is too long. */
export async function* textLines(
  pieces: AsyncIterable<TextPiece>,
  maxCharacters: number,
): AsyncGenerator<readonly TextLine[]> {
  let number = 0;
  let rest = '';
  let isTooLong = false;
  let isWindows1252 = false;
  let endedWithReturn = false;
  const add = (part: string) => {
    if (isTooLong) return;
    rest = rest === '' ? part : rest + part;
    if (rest.length <= maxCharacters) return;
    isTooLong = true;
    // Copied through a buffer: a slice would keep the long text alive.
    rest = Buffer.from(rest.slice(0, SHOWN_CHARACTERS)).toString();
  };
  const finish = (): TextLine => {
    number += 1;
    const line = { number, text: rest, isTooLong, isWindows1252 };
    rest = '';
    isTooLong = false;
    isWindows1252 = false;
    return line;
  };
  for await (const piece of pieces) {
    const text = endedWithReturn && piece.text.startsWith('\n') ? piece.text.slice(1) : piece.text;
    if (piece.text !== '') endedWithReturn = piece.text.endsWith('\r');
    if (text === '') continue;
    const parts = text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n');
    const last = parts.pop()!;
    if (piece.isWindows1252) isWindows1252 = true;
    const lines = parts.map((part) => {
      add(part);
      return finish();
    });
    if (last !== '') {
      if (lines.length > 0 && piece.isWindows1252) isWindows1252 = true;
      add(last);
    }
    if (lines.length > 0) yield lines;
  }
  if (rest !== '' || isTooLong) yield [finish()];
}

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
    if (parts.at(-1) === '') parts.pop();
    for (const part of parts) {
      const isTooLong = part.length > maxCharacters;
      lines.push({
        number: firstNumber + lines.length,
        text: isTooLong ? part.slice(0, SHOWN_CHARACTERS) : part,
        isTooLong,
        isWindows1252,
      });
    }
  }
  return lines;
}
