import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { carriersOfLine, shippedLines } from '@leeward/lines';
import { CommandError } from '../command-error.ts';

/**
 * The invented carriers of a line (default homes).
 *
 * @throws {CommandError} For a custom line.
 */
export function demoCarriersOf(vocabulary: Vocabulary = homeVocabulary): string {
  const { line } = vocabulary;
  if (line === 'home') return demoCarriersFolder();
  if (shippedLines.get(line)?.vocabulary === vocabulary) return fileURLToPath(carriersOfLine(line));
  throw new CommandError(`No carriers of the line ${line} come with Leeward; give yours with --carriers.`);
}

/** In the published package, or the fixtures of the workspace. */
export function demoCarriersFolder(): string {
  const published = fileURLToPath(new URL('./demo/carriers', import.meta.url));
  return existsSync(published)
    ? published
    : fileURLToPath(new URL('../../../../../fixtures/carriers', import.meta.url));
}
