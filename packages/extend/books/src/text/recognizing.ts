import type { Encoding, Recognized, TextLine } from '@leeward/rows';

/** Collects the recognized properties of a text file. */
export interface Recognizing {
  see(lines: readonly TextLine[]): void;
  recognized(): Recognized;
}

export function createRecognizing(encoding: Encoding, delimiter: string | undefined): Recognizing {
  let lines = 0;
  let firstLine: number | undefined;
  return {
    see(read) {
      for (const { isWindows1252, isTooLong, number } of read) {
        if (!isWindows1252 || isTooLong) continue;
        lines += 1;
        firstLine ??= number;
      }
    },
    recognized: () => ({ encoding, delimiter, windows1252: { lines, firstLine } }),
  };
}
