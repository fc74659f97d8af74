import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Line } from '@leeward/engine';
import { shippedLines } from '@leeward/lines';
import { CommandError } from '../command-error.ts';
import { importLine, isModule } from './import-line.ts';

export interface LinesOn {
  readonly lines: readonly Line[];
  /** Modules as `file:` URLs, which threads import. */
  readonly modules: readonly string[];
}

/**
 * Lines of a setting: names, or module paths.
 *
 * @throws {CommandError} If a module has no line, or one whose name is taken.
 */
export async function openLinesOn(names: readonly string[], folder: string): Promise<LinesOn> {
  const lines: Line[] = [];
  const modules = [pathToFileURL(createRequire(import.meta.url).resolve('@leeward/lines')).href];
  for (const name of names) {
    const shipped = shippedLines.get(name);
    if (shipped) lines.push(shipped);
    if (!isModule(name)) continue;
    const path = resolve(folder, name);
    const line = await importLine(path, folder);
    const own = line.vocabulary.line;
    if (own === 'home' || shippedLines.has(own) || lines.some(({ vocabulary }) => vocabulary.line === own)) {
      throw new CommandError(`${name} has a line ${own}, and there is one of that name; give it another.`, {
        exitCode: 2,
      });
    }
    lines.push(line);
    modules.push(pathToFileURL(path).href);
  }
  return { lines, modules };
}
