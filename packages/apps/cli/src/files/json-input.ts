import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import { printFaults } from './file-fault.ts';
import { type JsonFile, readJsonFile } from './json-file.ts';

/**
 * Reads JSON from a file, or from standard input for `-`.
 *
 * @param what Name of the input in messages, such as `The home`.
 * @throws {CommandError} If it is missing or not JSON.
 */
export async function readJsonInput(file: string, terminal: Terminal, what?: string): Promise<JsonFile> {
  const name = file === '-' ? 'standard input' : file;
  let bytes: Uint8Array;
  try {
    bytes = file === '-' ? await terminal.readInput() : await readFile(resolve(terminal.folder, file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`, {
      exitCode: 2,
    });
  }
  const read = readJsonFile(name, bytes);
  if ('value' in read) return read;
  throw new CommandError(`${what ?? name} cannot be read:\n\n${printFaults(read)}`);
}
