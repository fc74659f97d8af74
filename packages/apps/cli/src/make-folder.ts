import { statSync } from 'node:fs';
import { makeFolder as make } from '@leeward/database/make-folder';
import { CommandError } from './command-error.ts';

/** Makes a folder, and those above it, for their owner alone. Throws a `CommandError` that ends with the way out. */
export function makeFolder(path: string, wayOut: string): void {
  try {
    make(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`The folder ${path} cannot be made (${code}): ${wayOut}.`);
  }
  if (!statSync(path).isDirectory()) throw new CommandError(`${path} is not a folder: ${wayOut}.`);
}

/** Way out for a bad data folder. */
export const nameDataFolder = 'name another one with LEEWARD_DATA_DIR';
