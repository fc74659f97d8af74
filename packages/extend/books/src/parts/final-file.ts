import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A file that appears under its name once it is complete, and then survives a power loss. */
export interface FinalFile {
  write(bytes: Uint8Array): void;
  /** Renames the file, replacing any file of that name. Returns its size in bytes. */
  finish(): number;
  /** Removes the unfinished file. */
  discard(): void;
}

/**
 * Opens a file for writing. Until it is complete, its name begins with a dot and ends with the process id. Unfinished files of the same
 * name that other processes left behind are removed.
 *
 * @throws {Error} with the `path`, if its folder cannot be written.
 *
 * @example
 * const file = createFinalFile('statuses.csv');
 * file.write(Buffer.from('row,bayou\n'));
 * const bytes = file.finish();
 */
export function createFinalFile(path: string): FinalFile {
  const folder = dirname(path);
  const partial = join(folder, `.${basename(path)}.${process.pid}${UNFINISHED}`);
  removeAbandoned(path);
  const file = openSync(partial, 'w');
  let bytes = 0;
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    write(chunk) {
      bytes += chunk.length;
      try {
        for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
      } catch (error) {
        throw withPath(path, error);
      }
    },
    finish() {
      try {
        fsyncSync(file);
      } catch (error) {
        throw withPath(path, error);
      }
      close();
      renameSync(partial, path);
      syncFolder(folder);
      return bytes;
    },
    discard() {
      close();
      rmSync(partial, { force: true });
    },
  };
}

const UNFINISHED = '.unfinished';

/**
 * Writes a whole file.
 *
 * @example
 * writeFinalFile('summary.json', JSON.stringify(summary));
 */
export function writeFinalFile(path: string, text: string | Uint8Array): void {
  const file = createFinalFile(path);
  try {
    file.write(typeof text === 'string' ? Buffer.from(text) : text);
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Adds the path: errors of open files do not contain it. */
function withPath(path: string, error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error;
}

/** Syncs a folder, so that the name of a file survives a power loss. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function removeAbandoned(path: string): void {
  const folder = dirname(path);
  const start = `.${basename(path)}.`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start) || !name.endsWith(UNFINISHED)) continue;
    const id = Number(name.slice(start.length, -UNFINISHED.length));
    if (Number.isInteger(id) && !isRunning(id)) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
