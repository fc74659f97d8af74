import { readFileSync } from 'node:fs';
import type { CoastFiles } from '@leeward/artifact';
import { coastlineUsFiles, conflationFile, tidalWaterFiles } from '@leeward/coastline-us';

/** The shipped shores and waters, as `compileCoast` takes them. */
export function coastFiles(): CoastFiles {
  const urls = { ...coastlineUsFiles, ...tidalWaterFiles, conflation: conflationFile };
  return Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [name, readFileSync(url)]),
  ) as unknown as CoastFiles;
}
