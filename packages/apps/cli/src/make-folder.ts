import { statSync } from 'node:fs';
import { makeFolder as make } from '@leeward/database/make-folder';
import { CommandError } from './command-error.ts';

/** Creates a folder and its parents, readable by their owner only. Throws a `CommandError` that ends with the way out. */
export function makeFolder(path: string, wayOut: string): void {
  try {
    make(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`The folder ${path} cannot be made (${code}): ${wayOut}.`);
  }
  if (!statSync(path).isDirectory()) throw new CommandError(`${path} is not a folder: ${wayOut}.`);
}

export const nameDataFolder = 'name another one with LEEWARD_DATA_DIR';
