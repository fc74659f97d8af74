import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/**
 * A final file gets its name only once it is complete and synced. Until then it is in the folder `.working` next to it, under a name
 * that ends with the process id and the host name. So a crashed run leaves no partial file under a final name, concurrent runs do not
 * interfere, and files of dead processes can be recognized.
 */

/** Folder of unfinished files, removed when a book is complete. */
export const WORKING = '.working';

/** Error codes for removing a folder that is not empty. */
const FILLED = ['ENOTEMPTY', 'EEXIST'];

/** A file that appears under its name once it is complete, and then survives a power loss. */
export interface FinalFile {
  write(bytes: Uint8Array): void;
  /** Renames the file, replacing any file of that name. Returns its SHA-256 in hexadecimal and its size. */
  finish(): { readonly sha256: string; readonly bytes: number };
  /** Removes the unfinished file. */
  discard(): void;
}

/**
 * Opens a file for writing.
 *
 * @throws {Error} with the `path`, if its folder cannot be written.
 *
 * @example
 * const file = createFinalFile('statuses.csv');
 * file.write(Buffer.from('row,bayou\n'));
 * const { sha256 } = file.finish();
 */
export function createFinalFile(path: string): FinalFile {
  const { file, partial } = openPartial(path);
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
      syncFolder(dirname(path));
      return { sha256: hash.digest('hex'), bytes };
    },
    discard() {
      close();
      rmSync(partial, { force: true });
    },
  };
}

/**
 * Writes a whole file.
 *
 * @example
 * writeFinalFile('summary.json', JSON.stringify(summary));
 */
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

/**
 * Removes files of dead processes in the folder of a complete file, then the folder of unfinished files if it is empty.
 *
 * @example
 * removeWorking('out/statuses.parquet');
 */
export function removeWorking(path: string): void {
  const folder = join(dirname(path), WORKING);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (isAbandoned(folder, name)) rmSync(join(folder, name), { recursive: true, force: true });
  unlessGone(() => rmdirSync(folder), FILLED);
}

/** Removes the folder of unfinished files of a complete plan, unless a file is being written. */
export function removeAllWorking(folder: string): void {
  unlessGone(() => rmSync(join(folder, WORKING), { recursive: true, force: true }), FILLED);
}

/**
 * Removes a folder and its files. The folder is renamed first, so that a late process cannot write into it meanwhile.
 *
 * @example
 * removeFolder('plan');
 */
export function removeFolder(path: string): void {
  while (existsSync(path)) {
    const { result, partial } = inWorking(path, (aside) => {
      renameSync(path, aside);
      return true;
    });
    if (result) rmSync(partial, { recursive: true, force: true });
  }
  removeWorking(path);
}

function openPartial(path: string): { readonly file: number; readonly partial: string } {
  for (;;) {
    const { result: file, partial } = inWorking(path, (partial) => openSync(partial, 'wx'));
    if (file !== undefined) return { file, partial };
  }
}

/**
 * Calls `make` with a new path in the folder of unfinished files.
 *
 * @returns `result` is undefined if the folder or the source disappeared meanwhile.
 */
function inWorking<Result>(path: string, make: (partial: string) => Result) {
  const folder = join(dirname(path), WORKING);
  const partial = join(folder, `${basename(path)}.${randomUUID()}.${process.pid}@${hostname()}`);
  // Parents are not created: a late process must not recreate a removed folder.
  if (!existsSync(folder)) makeFolder(folder);
  // Another run may remove the folder while it is empty.
  return { result: unlessGone(() => make(partial)), partial };
}

const DAY_MS = 86_400_000;

/** True if the process that wrote a file has ended or, on another machine, has not written for a day. */
function isAbandoned(folder: string, name: string): boolean {
  const [, id, host] = /\.(\d+)@(.+)$/.exec(name) ?? [];
  if (id !== undefined && host === hostname()) return !isRunning(Number(id));
  const stat = statSync(join(folder, name), { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > DAY_MS;
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

/** Returns undefined if a file does not exist, or for one of the error codes. */
function unlessGone<Result>(work: () => Result, codes: readonly string[] = []): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!['ENOENT', ...codes].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return undefined;
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
