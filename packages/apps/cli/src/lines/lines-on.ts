import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Line } from '@leeward/engine';
import { shippedLines } from '@leeward/lines';
import { CommandError } from '../command-error.ts';
import { importLine, isModule } from './import-line.ts';

/** Lines of business in addition to homes. */
export interface LinesOn {
  readonly lines: readonly Line[];
  /** Modules that have them, as `file:` URLs: for threads, which read them on their own. */
  readonly modules: readonly string[];
}

/**
 * The lines that a setting names: shipped ones by name, one's own by the path of a module.
 *
 * @throws {CommandError} where a module has no line, or one whose name is taken.
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
