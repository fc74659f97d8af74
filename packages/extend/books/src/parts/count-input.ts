import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { describeRecognized } from '@leeward/rows';
import { openBook } from '../open-book.ts';
import type { BookFormat } from '../source/book-source.ts';
import type { CountedInput } from './book-plan.ts';

/**
 * Reads a file's hash, number of rows and slices, for `planBook`.
 *
 * @param name The name of the file in messages.
 * @throws {BookFileError} if the file cannot be read.
 *
 * @example
 * const counted = await countInput('/data/policies.parquet', 'policies.parquet');
 */
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

const BYTES_AT_ONCE = 1 << 20;

/**
 * SHA-256 of a file, in hexadecimal, and its size.
 *
 * @example
 * const { sha256, bytes } = await hashFile('policies.csv');
 */
export async function hashFile(path: string): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(BYTES_AT_ONCE);
  const file = await open(path, 'r');
  try {
    for (let bytes = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, bytes);
      if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}
