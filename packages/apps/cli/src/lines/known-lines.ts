import { resolve } from 'node:path';
import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { shippedLines } from '@leeward/lines';
import { didYouMean } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { importLine, isModule } from './import-line.ts';

/** Lines of business whose words a command knows: homes, those that come with Leeward, and one that its user wrote. */
export interface KnownLines {
  /** The line that was asked for; undefined where none was, and files say for themselves. */
  readonly asked: Vocabulary | undefined;
  /** As `--line` gave it, a module by its whole path: what another process is to be given. */
  readonly given: string | undefined;
  /** The words of a line by its name; undefined for one that nobody knows. */
  find(line: unknown): Vocabulary | undefined;
}

const homes = 'home';

/** Where nothing is asked for: files name their line, and it is homes or one that comes with Leeward. */
export const knownLines: KnownLines = knowing(undefined, undefined);

/** What `--line` says of itself. */
export const lineOption = [
  '--line <line>',
  `the line of business: ${[homes, ...shippedLines.keys()].join(', ')}, or a module (.ts, .js) that exports one of your own`,
] as const;

/**
 * The lines that a command knows which was given `--line`: a name, or a module with a line of one's own (`defineLine`).
 *
 * @throws {CommandError} where there is no such line, or the module has none.
 */
export async function openKnownLines(given: string | undefined, folder: string): Promise<KnownLines> {
  if (given === undefined) return knownLines;
  if (isModule(given)) {
    const path = resolve(folder, given);
    return knowing(path, (await importLine(path, folder)).vocabulary);
  }
  const asked = knownLines.find(given);
  if (asked) return knowing(given, asked);
  const names = [homes, ...shippedLines.keys()];
  const others = `there are: ${names.join(', ')}, or name a module with a line of your own, as ./renters.ts.`;
  throw new CommandError(`--line is "${given}"; ${others}${didYouMean(given, names)}`, { exitCode: 2 });
}

/** The words of a line, for who reads a file: those of homes where nobody knows it, whose check says so. */
export function wordsOf(lines: KnownLines, line: unknown): Vocabulary {
  return lines.find(line) ?? homeVocabulary;
}

function knowing(given: string | undefined, asked: Vocabulary | undefined): KnownLines {
  return {
    asked,
    given,
    find(line) {
      if (line === asked?.line) return asked;
      if (line === homes) return homeVocabulary;
      return typeof line === 'string' ? shippedLines.get(line)?.vocabulary : undefined;
    },
  };
}
