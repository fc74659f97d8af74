import { extname } from 'node:path';
import { type BookFormat, bookFormats, type StatusFormat } from '@leeward/books';
import { CommandError } from '../command-error.ts';

/** How statuses are written into a file: as asked for, else by its ending, else as lines of JSON. */
export function outputFormat(file: string, given: string | undefined): StatusFormat {
  if (given !== undefined) return statusFormatOf(given, '--out-format');
  const ending = extname(file).slice(1).toLowerCase();
  return (bookFormats as readonly string[]).includes(ending) ? (ending as BookFormat) : 'ndjson';
}

export function statusFormatOf(given: string, name: string): StatusFormat {
  if ((bookFormats as readonly string[]).includes(given)) return given as BookFormat;
  throw new CommandError(`${name} is ${JSON.stringify(given)}; give one of: ${bookFormats.join(', ')}.`);
}
