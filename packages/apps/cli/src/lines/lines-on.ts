import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { homeVocabulary, type Line, type Vocabulary } from '@leeward/engine';
import type { LineSource } from '@leeward/engine/check-thread';
import { originOf } from '@leeward/engine/vocabulary';
import { shippedLines } from '@leeward/lines';
import { CommandError } from '../command-error.ts';
import { importLine, isModule, splitLine, withFieldFiles } from './import-line.ts';

export interface LinesOn {
  /** Homes, with the fields of files. */
  readonly home: Vocabulary;
  readonly lines: readonly Line[];
  /** Modules as `file:` URLs, which threads import, and fields as data. */
  readonly modules: readonly LineSource[];
}

/**
 * Lines of a setting: names, or module paths.
 *
 * @throws {CommandError} If a module has no line, or one whose name is taken.
 */
export async function openLinesOn(names: readonly string[], folder: string): Promise<LinesOn> {
  const lines: Line[] = [];
  const modules: LineSource[] = [pathToFileURL(createRequire(import.meta.url).resolve('@leeward/lines')).href];
  let home = homeVocabulary;
  const withFields = (line: Line, fieldFiles: readonly string[]): Line => {
    const vocabulary = withFieldFiles(line.vocabulary, fieldFiles, folder);
    modules.push(...originOf(vocabulary).files);
    return fieldFiles.length === 0 ? line : { ...line, vocabulary };
  };
  for (const written of names) {
    const { base: name, fieldFiles } = splitLine(written);
    if (name === 'home') {
      home = withFieldFiles(homeVocabulary, fieldFiles, folder);
      modules.push(...originOf(home).files);
    }
    const shipped = shippedLines.get(name);
    if (shipped) lines.push(withFields(shipped, fieldFiles));
    if (!isModule(name)) continue;
    const path = resolve(folder, name);
    const line = withFields(await importLine(path, folder), fieldFiles);
    const own = line.vocabulary.line;
    if (own === 'home' || shippedLines.has(own) || lines.some(({ vocabulary }) => vocabulary.line === own)) {
      throw new CommandError(`${name} has a line ${own}, and there is one of that name; give it another.`, {
        exitCode: 2,
      });
    }
    lines.push(line);
    modules.push(pathToFileURL(path).href);
  }
  return { home, lines, modules };
}
