import { resolve } from 'node:path';
import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { shippedLines } from '@leeward/lines';
import { didYouMean } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { importLine, isModule } from './import-line.ts';

/** Lines of business whose words a command knows: homes, those that come with Leeward, and one that its user wrote. */
export interface KnownLines {
  /** The requested line. Undefined if files name their line. */
  readonly requested: Vocabulary | undefined;
  /** As `--line` gave it, a module by its whole path: what another process is to be given. */
  readonly optionText: string | undefined;
  /** The vocabulary of a line by name. Undefined if unknown. */
  find(line: unknown): Vocabulary | undefined;
}

const homes = 'home';

/** Default: files name their line, either homes or a line included with Leeward. */
export const knownLines: KnownLines = knowing(undefined, undefined);

/** Name and description of `--line`. */
export const lineOption = [
  '--line <line>',
  `the line of business: ${[homes, ...shippedLines.keys()].join(', ')}, or a module (.ts, .js) that exports one of your own`,
] as const;

/**
 * The lines of a command with `--line`: a name, or a module with a custom line (`defineLine`).
 *
 * @throws {CommandError} If the line is unknown or missing in the module.
 */
export async function openKnownLines(optionText: string | undefined, folder: string): Promise<KnownLines> {
  if (optionText === undefined) return knownLines;
  if (isModule(optionText)) {
    const path = resolve(folder, optionText);
    return knowing(path, (await importLine(path, folder)).vocabulary);
  }
  const requested = knownLines.find(optionText);
  if (requested) return knowing(optionText, requested);
  const names = [homes, ...shippedLines.keys()];
  const others = `there are: ${names.join(', ')}, or name a module with a line of your own, as ./renters.ts.`;
  throw new CommandError(`--line is "${optionText}"; ${others}${didYouMean(optionText, names)}`, { exitCode: 2 });
}

/** The vocabulary for reading a file. For an unknown line, that of homes; the check reports it. */
export function wordsOf(lines: KnownLines, line: unknown): Vocabulary {
  return lines.find(line) ?? homeVocabulary;
}

function knowing(optionText: string | undefined, requested: Vocabulary | undefined): KnownLines {
  return {
    requested: requested,
    optionText: optionText,
    find(line) {
      if (line === requested?.line) return requested;
      if (line === homes) return homeVocabulary;
      return typeof line === 'string' ? shippedLines.get(line)?.vocabulary : undefined;
    },
  };
}
