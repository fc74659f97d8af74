import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommanderError } from 'commander';
import { fileTimes } from '../files/file-times.ts';
import type { Terminal } from '../terminal.ts';
import { WrongUse } from './wrong-use.ts';

interface WatchOptions {
  readonly watch?: boolean;
  readonly format: string;
}

const LOOK_MS = 300;
/** As deep as folders of rule sets are searched. */
const DEPTH = 16;

/** Runs an action on files once, or with `--watch` again after each settled change, until stopped. */
export async function watching(
  paths: readonly string[],
  { watch = false, format }: WatchOptions,
  terminal: Terminal,
  work: () => void | Promise<void>,
): Promise<void> {
  if (!watch) return work();
  if (format !== 'text') throw new WrongUse(`--watch is for people to read; leave --format ${format} out.`);
  const files = paths.map((path) => resolve(terminal.folder, path));
  const stop = new AbortController();
  const stopped = terminal.stopAsked().then((reason) => {
    stop.abort();
    return reason;
  });
  for (let previousTimes = ''; !stop.signal.aborted; ) {
    const read = await settled(files, previousTimes, stop.signal);
    if (read === undefined) break;
    previousTimes = read;
    await reportWrongUse(work, terminal);
    terminal.writeError('Watching; Ctrl+C ends it.\n');
  }
  terminal.writeError(`${await stopped}: done.\n`);
}

/** The times of files that differ from those that were seen, once two looks see the same; undefined: it was stopped. */
async function settled(
  files: readonly string[],
  previousTimes: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (let last = previousTimes; ; ) {
    const now = `at ${fileTimes(files, DEPTH)}`;
    if (now !== previousTimes && (now === last || previousTimes === '')) return now;
    last = now;
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return undefined;
  }
}

/** Wrong use ends one run, not the watch. */
async function reportWrongUse(work: () => void | Promise<void>, terminal: Terminal): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof WrongUse) terminal.writeError(`leeward rules: ${error.message}\n`);
    else if (!(error instanceof CommanderError)) throw error;
  }
}
