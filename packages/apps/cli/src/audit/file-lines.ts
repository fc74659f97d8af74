import { openChunks } from '@leeward/rows';
import { CommandError } from '../command-error.ts';

/** A line without its line feed. */
export interface FileLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** False if the file ends within the line. */
  readonly isWhole: boolean;
}

/** Longer than any entry; bounds the memory for a file of another kind. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Lines of a file, or of a gzip file, that end with a line feed and nothing else. */
export async function* fileLines(path: string, name: string): AsyncGenerator<FileLine> {
  const { chunks, close } = openChunks(path);
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  const line = (isWhole: boolean): FileLine => {
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    length = 0;
    number++;
    return { text, number, isWhole };
  };
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch((error: NodeJS.ErrnoException) => {
        throw new CommandError(`The file ${name} cannot be read (${error.code ?? error.name}).`, { exitCode: 2 });
      });
      if (done) break;
      let start = 0;
      for (let end = value.indexOf(0x0a); end >= 0; end = value.indexOf(0x0a, start)) {
        parts.push(value.subarray(start, end));
        yield line(true);
        start = end + 1;
      }
      parts.push(value.subarray(start));
      length += value.length - start;
      if (length > MAX_LINE_BYTES) throw new CommandError(`${name}:${number + 1}: this line is longer than 64 MiB.`);
    }
    if (parts.some((part) => part.length > 0)) yield line(false);
  } finally {
    close();
  }
}
