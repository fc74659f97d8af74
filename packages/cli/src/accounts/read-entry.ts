import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Fault } from '@leeward/accounts';
import { CommandError } from '../command-error.ts';
import { printFaults } from '../files/file-fault.ts';
import { type JsonFile, readJsonFile } from '../files/json-file.ts';
import type { Terminal } from '../terminal.ts';

/** A JSON file to be entered for an organization; `-` is standard input. */
export async function readEntry(file: string, terminal: Terminal): Promise<JsonFile> {
  const name = file === '-' ? 'standard input' : file;
  let text: string;
  try {
    text = file === '-' ? await terminal.readInput() : await readFile(resolve(terminal.folder, file), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`);
  }
  const read = readJsonFile(name, text);
  if ('value' in read) return read;
  throw new CommandError(`${name} cannot be read:\n\n${printFaults(read)}`);
}

/** Says what was refused of a file at its lines, and what has nothing to do with the file as it is. */
export function explainEntry({ file, lineOf }: JsonFile, within: string): (faults: readonly Fault[]) => string {
  return (faults) => {
    const located = faults.map(({ path, code, message }) => {
      const inFile = path === within || path.startsWith(`${within}/`);
      const own = inFile ? path.slice(within.length) : path;
      return { file, line: inFile ? lineOf(own) : undefined, path: own, code, message };
    });
    return `${file} is refused, and nothing was entered:\n\n${printFaults(located)}`;
  };
}
