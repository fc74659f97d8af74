import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { BookFileError } from './source/book-file-error.ts';
import { type BookFormat, type BookSource, bookFormats } from './source/book-source.ts';
import { openCsv } from './text/csv-source.ts';
import { openNdjson } from './text/ndjson-source.ts';

/** What is not told by the file: its name in messages, and its format. */
export interface OpenBookOptions {
  /** What messages call it. Default its path. */
  readonly name?: string;
  /** Default by the file's first bytes, else by its name, else by its first character. */
  readonly format?: BookFormat;
}

/** Opens a file of policies. What reads a format is loaded with the first book of it. Throws a `BookFileError` that names what cannot be read. */
export async function openBook(path: string, options: OpenBookOptions = {}): Promise<BookSource> {
  const { name = path } = options;
  const found = await stat(path).catch(() => undefined);
  const code = 'no_file';
  if (!found) throw new BookFileError(`There is no file ${name}; name a book as ${listed(bookFormats)}.`, { code });
  if (found.isDirectory()) throw new BookFileError(`${name} is a folder; name a file.`, { code });
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

/** Opens a stream of policies, to be read once. Throws a `BookFileError`; Parquet cannot be read from its beginning. */
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

/** How a message of an Arrow stream begins. */
const CONTINUATION = Buffer.from([0xff, 0xff, 0xff, 0xff]);

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
