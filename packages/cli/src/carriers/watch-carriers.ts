import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Catalog } from '@leeward/engine';
import { openCatalog } from './carrier-files.ts';

/** How often files are looked at: their times, not what is in them. Notices of a file system get lost on shared ones. */
const LOOK_MS = 500;

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
  on: { changed(catalog: Catalog): Promise<void>; trouble(error: unknown): void },
  lookMs = LOOK_MS,
): WatchedFolder {
  const path = resolve(folder, carriers);
  let read = signatureOf(path);
  let seen = read;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const now = signatureOf(path);
    const isSteady = now === seen;
    seen = now;
    if (!isSteady || now === read) return;
    read = now;
    await on.changed(await openCatalog(carriers, folder));
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

/** Changes with every file that is written, comes or goes. */
function signatureOf(path: string): string {
  const parts: string[] = [];
  const add = (file: string, depth: number) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (!stat.isDirectory()) {
      if (file.endsWith('.json')) parts.push(`${file} ${stat.mtimeMs} ${stat.size} ${stat.ino}`);
    } else if (depth < 2) for (const name of readdirSync(file).sort()) add(join(file, name), depth + 1);
  };
  add(path, 0);
  return parts.join('\n');
}
