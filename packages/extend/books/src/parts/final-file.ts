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

/** Where files stand until they are complete; removed when a book is. */
export const WORKING = '.working';

/** Codes of a folder that is not removed because it is not empty. */
const FILLED = ['ENOTEMPTY', 'EEXIST'];

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

/**
 * Removes where files stood that are complete now; `path` is one of them. What another run is still writing beside them stays, and so
 * does the folder then; what was left by one that is over goes.
 */
export function removeWorking(path: string): void {
  const folder = join(dirname(path), WORKING);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (isLeft(folder, name)) rmSync(join(folder, name), { recursive: true, force: true });
  unlessGone(() => rmdirSync(folder), FILLED);
}

/** Removes where parts of a plan stood until they were complete, whoever wrote them: the plan is done. What is just being written stays. */
export function removeAllWorking(folder: string): void {
  unlessGone(() => rmSync(join(folder, WORKING), { recursive: true, force: true }), FILLED);
}

/**
 * Removes a folder at once, with what is in it. Emptied where it stands, it could be filled meanwhile by whoever is late, and not be
 * removed then; this way there is no folder for them any more.
 */
export function removeFolder(path: string): void {
  while (existsSync(path)) {
    const { made, partial } = inWorking(path, (aside) => {
      renameSync(path, aside);
      return true;
    });
    if (made) rmSync(partial, { recursive: true, force: true });
  }
  removeWorking(path);
}

/** Opens a file beside `path`, named after it and whoever writes it. */
function openPartial(path: string): { readonly file: number; readonly partial: string } {
  for (;;) {
    const { made: file, partial } = inWorking(path, (partial) => openSync(partial, 'wx'));
    if (file !== undefined) return { file, partial };
  }
}

/**
 * Makes something where files stand until they are complete, named after `path` and whoever makes it. `made` is undefined where something
 * that it takes was gone.
 */
function inWorking<Made>(path: string, make: (partial: string) => Made) {
  const folder = join(dirname(path), WORKING);
  const partial = join(folder, `${basename(path)}.${randomUUID()}.${process.pid}@${hostname()}`);
  // Not what stands above it: whoever comes too late must not bring back a folder that was put away.
  if (!existsSync(folder)) makeFolder(folder);
  // Another run may remove the folder, which is empty, before there is anything in it.
  return { made: unlessGone(() => make(partial)), partial };
}

const DAY_MS = 86_400_000;

/** Whether nobody goes on writing a file: its process is over, or, where that ran on another machine, nobody did for a day. */
function isLeft(folder: string, name: string): boolean {
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
    // One that belongs to somebody else runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** What the work gives; undefined where what it is about is not there, or for another reason that is allowed. */
function unlessGone<Result>(work: () => Result, codes: readonly string[] = []): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!['ENOENT', ...codes].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return undefined;
  }
}

/** Others may make it at the same time. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
