import { createHash, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Where files stand until they are complete; removed when a book is. */
export const WORKING = '.working';

/** A file that has its name only when it is complete, and its bytes then survive a loss of power. */
export interface FinalFile {
  write(bytes: Uint8Array): void;
  /** Gives the file its name, in place of whatever bore it. Gives its SHA-256 in hexadecimal, and its bytes. */
  finish(): { readonly sha256: string; readonly bytes: number };
  /** Removes what was written. */
  discard(): void;
}

/** A file that appears under its name once it is whole. Throws where its folder cannot be written. */
export function createFinalFile(path: string): FinalFile {
  const folder = join(dirname(path), WORKING);
  // Not what stands above it: whoever comes too late must not bring back a folder that was put away.
  if (!existsSync(folder)) makeFolder(folder);
  const partial = join(folder, `${basename(path)}.${randomUUID()}`);
  const file = openSync(partial, 'wx');
  const hash = createHash('sha256');
  let bytes = 0;
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    write(chunk) {
      hash.update(chunk);
      bytes += chunk.length;
      try {
        for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
      } catch (error) {
        throw naming(path, error);
      }
    },
    finish() {
      try {
        fsyncSync(file);
      } catch (error) {
        throw naming(path, error);
      }
      close();
      renameSync(partial, path);
      syncFolder(dirname(path));
      return { sha256: hash.digest('hex'), bytes };
    },
    discard() {
      close();
      rmSync(partial, { force: true });
    },
  };
}

/** Writes a file that has its name only when it is complete. */
export function writeFinalFile(path: string, text: string): void {
  const file = createFinalFile(path);
  try {
    file.write(Buffer.from(text));
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** What goes wrong with an open file does not say with which. */
function naming(path: string, error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error;
}

/** A name survives a loss of power once its folder is written. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Removes where files stood that are complete now, or were given up; `path` is one of them. */
export function removeWorking(path: string): void {
  rmSync(join(dirname(path), WORKING), { recursive: true, force: true });
}

/** Others may make it at the same time. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
