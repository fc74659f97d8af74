import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { carriersOfLine, shippedLines } from '@leeward/lines';
import { CommandError } from '../command-error.ts';
import type { KnownLines } from '../lines/known-lines.ts';

/** The folder of the invented carriers of a line. Throws a `CommandError` for a line of one's own, which has none. */
export function demoCarriersOf({ asked }: KnownLines): string {
  if (asked === undefined || asked.line === 'home') return demoCarriersFolder();
  if (shippedLines.get(asked.line)?.vocabulary === asked) return fileURLToPath(carriersOfLine(asked.line));
  throw new CommandError(`No carriers of the line ${asked.line} come with Leeward; give yours with --carriers.`);
}

/** The folder of invented carriers of homes: carried by the published package, read from the fixtures in the workspace. */
export function demoCarriersFolder(): string {
  const published = fileURLToPath(new URL('./demo/carriers', import.meta.url));
  return existsSync(published) ? published : fileURLToPath(new URL('../../../../fixtures/carriers', import.meta.url));
}
