import { relative } from 'node:path';

/** A path relative to the folder if it is below it, otherwise unchanged. */
export function nearPath(path: string, folder: string): string {
  const near = relative(folder, path);
  return near === '' || near.startsWith('..') ? path : near;
}
