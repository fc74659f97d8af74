import { extname } from 'node:path';
import { type BookFormat, bookFormats, type StatusFormat } from '@leeward/books';
import { CommandError } from '../command-error.ts';

/** The requested format, by file name extension, or NDJSON. */
export function outputFormat(file: string, format: string | undefined): StatusFormat {
  if (format !== undefined) {
    if ((bookFormats as readonly string[]).includes(format)) return format as BookFormat;
    throw new CommandError(`--out-format is ${JSON.stringify(format)}; give one of: ${bookFormats.join(', ')}.`);
  }
  const ending = extname(file).slice(1).toLowerCase();
  return (bookFormats as readonly string[]).includes(ending) ? (ending as BookFormat) : 'ndjson';
}
