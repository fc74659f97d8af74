import { extname } from 'node:path';
import { type BookFormat, bookFormats, type StatusFormat } from '@leeward/books';
import { CommandError } from '../command-error.ts';

/** The requested format, by file name extension, or NDJSON. */
export function outputFormat(file: string, format: string | undefined): StatusFormat {
  if (format !== undefined) return statusFormatOf(format, '--out-format');
  const ending = extname(file).slice(1).toLowerCase();
  return (bookFormats as readonly string[]).includes(ending) ? (ending as BookFormat) : 'ndjson';
}

export function statusFormatOf(format: string, name: string): StatusFormat {
  if ((bookFormats as readonly string[]).includes(format)) return format as BookFormat;
  throw new CommandError(`${name} is ${JSON.stringify(format)}; give one of: ${bookFormats.join(', ')}.`);
}
