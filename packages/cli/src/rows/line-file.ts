import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

const FLUSH_CHARACTERS = 1 << 16;

/**
 * A file of whole lines that has its name only when it is complete: until then it is `<path>.partial`, and
 * only whole lines are ever written to it.
 */
export interface LineFile {
  readonly lines: number;
  write(line: string): void;
  /** Writes what is left and gives the file its name. A file without lines is not made. */
  finish(): void;
  /** Writes what is left and keeps the partial file, whose path is given back; nothing where it is empty. */
  keepPartial(): string | undefined;
}

export function createLineFile(path: string): LineFile {
  const partial = `${path}.partial`;
  let descriptor: number | undefined;
  let pending = '';
  let lines = 0;
  const flush = () => {
    if (pending === '') return;
    descriptor ??= openSync(partial, 'w');
    const bytes = Buffer.from(pending, 'utf8');
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    pending = '';
  };
  const close = () => {
    flush();
    if (descriptor !== undefined) closeSync(descriptor);
  };
  return {
    get lines() {
      return lines;
    },
    write(line) {
      pending += `${line}\n`;
      lines++;
      if (pending.length >= FLUSH_CHARACTERS) flush();
    },
    finish() {
      close();
      if (descriptor === undefined) rmSync(partial, { force: true });
      else renameSync(partial, path);
    },
    keepPartial() {
      close();
      return descriptor === undefined ? undefined : partial;
    },
  };
}
