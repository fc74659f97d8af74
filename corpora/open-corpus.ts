import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CorpusName } from './catalog.ts';

/**
 * The folder of a corpus: below `LEEWARD_CORPORA` the whole of it, as `npm run corpora -- fetch` made it, otherwise what is pinned in
 * this repository; undefined if neither exists.
 */
export function openCorpus(name: CorpusName): { readonly folder: string; readonly isWhole: boolean } | undefined {
  const fetched = process.env['LEEWARD_CORPORA'];
  if (fetched !== undefined) {
    const folder = join(fetched, name);
    if (!existsSync(folder)) throw new Error(`${folder} does not exist: npm run corpora -- fetch ${name}`);
    return { folder, isWhole: true };
  }
  const folder = join(import.meta.dirname, 'pinned', name);
  return existsSync(folder) ? { folder, isWhole: false } : undefined;
}
