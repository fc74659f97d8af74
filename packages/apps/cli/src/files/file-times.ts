import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A value that changes when a JSON or GeoJSON file under the paths is written, added or removed. It uses file times, because
 * change notifications are lost on shared file systems.
 */
export function fileTimes(paths: readonly string[], maxDepth: number): string {
  const parts: string[] = [];
  const add = (file: string, depth: number) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (!stat.isDirectory()) {
      if (/\.(geo)?json$/.test(file)) parts.push(`${file} ${stat.mtimeMs} ${stat.size} ${stat.ino}`);
    } else if (depth < maxDepth) for (const name of readdirSync(file).sort()) add(join(file, name), depth + 1);
  };
  for (const path of paths) add(path, 0);
  return parts.join('\n');
}
