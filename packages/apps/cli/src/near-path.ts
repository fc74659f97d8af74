import { relative } from 'node:path';

/** A path as its reader would write it: relative where it lies below the folder, else as it is. */
export function nearPath(path: string, folder: string): string {
  const near = relative(folder, path);
  return near === '' || near.startsWith('..') ? path : near;
}
