import { resolve } from 'node:path';
import type { Catalog, Line } from '@leeward/engine';
import { fileTimes } from '../files/file-times.ts';
import { openCatalog } from './carrier-files.ts';

/** How often files are looked at. */
const LOOK_MS = 500;
/** A folder, its carriers, and their files. */
const DEPTH = 2;

export interface WatchedFolder {
  stop(): void;
}

/**
 * Reads a folder of carriers again whenever a file of it changes, once it has stopped changing. A folder with faults is told,
 * and changes nothing.
 */
export function watchCarriers(
  carriers: string,
  folder: string,
  on: {
    /** Lines whose rule sets stand in the same folder; they are read at the start alone. */
    readonly others?: readonly Line[];
    changed(catalog: Catalog): Promise<void>;
    trouble(error: unknown): void;
  },
  lookMs = LOOK_MS,
): WatchedFolder {
  const path = resolve(folder, carriers);
  let read = fileTimes([path], DEPTH);
  let seen = read;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const now = fileTimes([path], DEPTH);
    const isSteady = now === seen;
    seen = now;
    if (!isSteady || now === read) return;
    read = now;
    await on.changed(await openCatalog(carriers, folder, { others: on.others ?? [] }));
  };
  const next = () => {
    timer = setTimeout(() => {
      look()
        .catch((error: unknown) => {
          if (!isStopped) on.trouble(error);
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
