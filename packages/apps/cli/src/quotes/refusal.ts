import { CommandError } from '../command-error.ts';
import { printFaults } from '../files/file-fault.ts';
import type { JsonFile } from '../files/json-file.ts';
import { RefusedByServiceError } from './quote-client.ts';

/** Throws the faults that a service named, or the error itself. */
export function throwFaults(error: unknown): never {
  if (!(error instanceof RefusedByServiceError) || error.faults.length === 0) throw error;
  throw new CommandError(error.faults.map(({ message }) => message).join('\n'));
}

/**
 * The faults that a service named, at the lines of the file. Undefined for other errors.
 *
 * @param at Path of the file's content in the request. @default the whole request
 */
export function refusedAtLines(error: unknown, { file, lineOf }: JsonFile, at = ''): CommandError | undefined {
  if (!(error instanceof RefusedByServiceError) || error.faults.length === 0) return undefined;
  const faults = error.faults.map(({ path, message }) => {
    const own = path.startsWith(at) ? path.slice(at.length) : undefined;
    return { file, path: own ?? path, message, code: '', line: own === undefined ? 1 : lineOf(own) };
  });
  return new CommandError(`The service does not take this request:\n\n${printFaults(faults)}`);
}
