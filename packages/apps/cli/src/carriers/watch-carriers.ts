import { resolve } from 'node:path';
import type { Catalog, Line, RuleChecker } from '@leeward/engine';
import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { fileTimes } from '../files/file-times.ts';
import { openCatalog } from './carrier-files.ts';

/** Interval between file checks. */
const LOOK_MS = 500;
/** Carriers, their files, and the files of their areas. */
const DEPTH = 3;

export interface WatchedFolder {
  stop(): void;
}

/** Reads a folder again after its files changed and settled. A folder with faults is reported and not applied. */
export function watchCarriers(
  carriers: string,
  folder: string,
  on: {
    /** In addition to homes. */
    readonly lines?: readonly Line[];
    /** Homes, with the fields of files. */
    readonly home?: Vocabulary;
    /** True if their rule sets are in the same folder. */
    readonly isShared?: boolean;
    readonly checker?: RuleChecker;
    /** Called for homes (without a line) and for each line. */
    changed(catalog: Catalog, line: Line | undefined): Promise<void>;
    failed(error: unknown): void;
  },
  lookMs = LOOK_MS,
): WatchedFolder {
  const path = resolve(folder, carriers);
  let read = fileTimes([path], DEPTH);
  let previousTimes = read;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const now = fileTimes([path], DEPTH);
    const isSteady = now === previousTimes;
    previousTimes = now;
    if (!isSteady || now === read) return;
    read = now;
    const { lines = [], home = homeVocabulary, isShared = false } = on;
    const checker = on.checker ? { checker: on.checker } : {};
    const catalogs = [[await openCatalog(carriers, folder, { home, others: lines, ...checker }), undefined] as const];
    // Read all before serving any: a fault changes nothing.
    const ofLines = isShared
      ? await Promise.all(
          lines.map(async (line) => [await openCatalog(carriers, folder, { line, ...checker }), line] as const),
        )
      : [];
    for (const [catalog, line] of [...catalogs, ...ofLines]) await on.changed(catalog, line);
  };
  const next = () => {
    timer = setTimeout(() => {
      look()
        .catch((error: unknown) => {
          if (!isStopped) on.failed(error);
        })
        .finally(() => {
          if (!isStopped) next();
        });
    }, lookMs);
    timer.unref();
  };
  next();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
