import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { describeRecognized } from '@leeward/rows';
import { openBook } from '../open-book.ts';
import type { BookFormat } from '../source/book-source.ts';
import type { CountedInput } from './book-plan.ts';

/** Finds out what a file holds: its hash, its rows and where it can be cut. Throws a `BookFileError`. */
export async function countInput(file: string, name: string, format?: BookFormat): Promise<CountedInput> {
  const source = await openBook(file, { name, ...(format ? { format } : {}) });
  try {
    const { sha256, bytes } = await hashFile(file);
    const slices = await source.slices();
    const recognized = source.recognized ? describeRecognized(name, source.recognized()) : [];
    const rows = slices.reduce((sum, slice) => sum + slice.rows, 0);
    return { input: { file, format: source.format, bytes, sha256, rows }, slices, recognized };
  } finally {
    await source.close();
  }
}

/** SHA-256 of a file, in hexadecimal, and its bytes. */
export async function hashFile(file: string): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}
