import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { BookFileError } from './source/book-file-error.ts';
import { type BookFormat, type BookSource, bookFormats } from './source/book-source.ts';
import { openCsv } from './text/csv-source.ts';
import { openNdjson } from './text/ndjson-source.ts';

/** Options of `openBook`. */
export interface OpenBookOptions {
  /** Name of the book in messages. @default its path */
  readonly name?: string;
  /** @default recognized by the first bytes, else by the file name, else by the first character */
  readonly format?: BookFormat;
}

/**
 * Opens a file of policies.
 *
 * @throws {BookFileError} if the file does not exist or cannot be read.
 *
 * @example
 * const book = await openBook('policies.parquet');
 * for await (const batch of book.batches()) console.log(batch.rows);
 * await book.close();
 */
export async function openBook(path: string, options: OpenBookOptions = {}): Promise<BookSource> {
  const { name = path } = options;
  const stats = await stat(path).catch(() => undefined);
  const code = 'no_file';
  if (!stats) throw new BookFileError(`There is no file ${name}; name a book in ${listNames(bookFormats)}.`, { code });
  if (stats.isDirectory()) throw new BookFileError(`${name} is a folder; name a file.`, { code });
  switch (options.format ?? (await formatOf(path))) {
    case 'parquet':
      return (await import('./parquet/open-parquet.ts')).openParquet(path, name);
    case 'arrow':
      return (await import('./arrow/arrow-source.ts')).openArrow(path, name);
    case 'csv':
      return openCsv(path, name);
    case 'ndjson':
      return openNdjson(path, name);
  }
}

/**
 * Opens a stream of policies, which can be read once. Parquet is rejected because its metadata is at the end.
 *
 * @throws {BookFileError} if the stream cannot be read.
 *
 * @example
 * const book = await openBookStream(process.stdin, 'ndjson', 'standard input');
 */
export async function openBookStream(stream: Readable, format: BookFormat, name: string): Promise<BookSource> {
  switch (format) {
    case 'parquet':
      throw new BookFileError(
        `${name} cannot be read as Parquet, whose end must be read first; give Arrow, CSV or NDJSON.`,
      );
    case 'arrow':
      return (await import('./arrow/arrow-source.ts')).openArrow(stream as AsyncIterable<Uint8Array>, name);
    case 'csv':
      return openCsv(stream, name);
    case 'ndjson':
      return openNdjson(stream, name);
  }
}

async function formatOf(path: string): Promise<BookFormat> {
  const file = await open(path, 'r');
  const head = Buffer.alloc(1024);
  try {
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const start = head.subarray(0, bytesRead);
    if (start.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet';
    if (start.subarray(0, 6).toString('latin1') === 'ARROW1' || start.subarray(0, 4).equals(CONTINUATION))
      return 'arrow';
    const plain = path.replace(/\.gz$/i, '');
    if (/\.(csv|tsv|txt)$/i.test(plain)) return 'csv';
    if (/\.(ndjson|jsonl)$/i.test(plain)) return 'ndjson';
    if (/\.parquet$/i.test(plain)) return 'parquet';
    if (/\.(arrow|arrows|feather|ipc)$/i.test(plain)) return 'arrow';
    return /^\uFEFF?\s*[{[]/.test(start.toString('utf8')) ? 'ndjson' : 'csv';
  } finally {
    await file.close();
  }
}

const CONTINUATION = Buffer.from([0xff, 0xff, 0xff, 0xff]);

function listNames(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
