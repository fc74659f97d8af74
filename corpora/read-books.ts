import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sourceFlags } from '../test/support/node-flags.ts';
import type { BookRead, BookToRead } from './read-books.program.ts';

/** A book that takes longer is taken for one that never ends. The largest needs a second; a busy machine is slow. */
const MAX_SECONDS = 30;
/** Heap of the process: a book that needs more ends it. */
const MAX_HEAP_MB = 512;
/**
 * Memory that any book may need. The garbage of Node's young generation takes up to 3 × 16 MB before it is collected, and belongs to no
 * file; buffers of readers take a few MB more.
 */
const MEMORY_FLOOR = 64 * 2 ** 20;
const MAX_MEMORY_PER_BYTE = 20;

/** A book as it was read; or why its process ended. */
export type BookOutcome = BookRead | { readonly ended: string };

/** Reads many books in a process, and goes on in another one after a book that ended it. */
export async function readBooks(books: readonly BookToRead[]): Promise<ReadonlyMap<string, BookOutcome>> {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-corpora-'));
  const outcomes = new Map<string, BookOutcome>();
  try {
    while (outcomes.size < books.length) {
      const list = join(folder, 'books.json');
      writeFileSync(list, JSON.stringify(books.filter(({ id }) => !outcomes.has(id))));
      const before = outcomes.size;
      await readUntilEnd(list, outcomes);
      if (outcomes.size === before) throw new Error('The process that reads books ended before it read one.');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return outcomes;
}

async function readUntilEnd(list: string, outcomes: Map<string, BookOutcome>): Promise<void> {
  const program = join(import.meta.dirname, 'read-books.program.ts');
  const flags = [...sourceFlags, '--expose-gc', `--max-old-space-size=${MAX_HEAP_MB}`];
  const child = spawn(process.execPath, [...flags, program, list], { stdio: ['ignore', 'pipe', 'pipe'] });
  let isSlow = false;
  const stop = () => {
    isSlow = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(stop, MAX_SECONDS * 1000);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  let current: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    clearTimeout(timer);
    timer = setTimeout(stop, MAX_SECONDS * 1000);
    const report = JSON.parse(line) as BookRead | { readonly begins: string };
    if ('begins' in report) current = report.begins;
    else {
      outcomes.set(report.id, report);
      current = undefined;
    }
  }
  clearTimeout(timer);
  if (current !== undefined)
    outcomes.set(current, { ended: isSlow ? `not read within ${MAX_SECONDS} s` : `it ended the process: ${errors}` });
}

/** Texts about code, not about a file. */
const UNNAMED =
  /Cannot |undefined|of null|is not (a function|iterable|safe)|Invalid (typed array|array|time)|out of (bounds|memory)|outside the bounds|call stack|Received/;

/** Returns the fault of a book, read or refused: a process that ended, memory, an error without a name, or values that change. */
export function faultOf({ path, id }: BookToRead, outcome: BookOutcome): string | undefined {
  if ('ended' in outcome) return outcome.ended;
  const { error, columns, unstable, memory } = outcome;
  const max = Math.max(MEMORY_FLOOR, MAX_MEMORY_PER_BYTE * statSync(path).size);
  if (memory > max) return `took ${memory} bytes of memory, ${max} are allowed`;
  if (outcome.id !== id) return `was read as ${outcome.id}`;
  const errors = [
    ...(error === undefined ? [] : [error]),
    ...columns.flatMap((each) => ('error' in each ? [each.error] : [])),
  ];
  for (const each of errors) {
    // Names of damaged columns may have any text.
    const text = each.replace(/"(?:[^"\\]|\\.)*"/g, '""');
    if (!/^BookFileError: book\b/.test(text) || UNNAMED.test(text)) return `is not named: ${each}`;
    if (!/\b[Ww]rit(e|ten)\b/.test(text)) return `has no way out: ${each}`;
  }
  return unstable.length > 0 ? `differs: ${unstable.join('; ')}` : undefined;
}

/** Files below folders of a corpus, in a stable order. */
export function filesOf(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => pattern.test(path) && statSync(join(folder, path)).isFile())
    .sort();
}

/** Names of columns; those of the same name are numbered from the second on. */
export function columnIds(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}~${count}`;
  });
}
