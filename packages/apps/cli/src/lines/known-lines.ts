import { resolve } from 'node:path';
import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { shippedLines } from '@leeward/lines';
import { didYouMean } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { importLine, isModule, placeLine, splitLine, withFieldFiles } from './import-line.ts';

/** Lines that a command knows: homes, shipped lines, and a custom one. */
export interface KnownLines {
  /** Undefined if files name their line. */
  readonly requested: Vocabulary | undefined;
  /** As in `--line`, a module by absolute path, for another process. */
  readonly optionText: string | undefined;
  find(line: unknown): Vocabulary | undefined;
}

const homes = 'home';

/** Homes and shipped lines, named by files. */
export const knownLines: KnownLines = knowing(undefined, undefined);

export const lineOption = [
  '--line <line>',
  `the line of business: ${[homes, ...shippedLines.keys()].join(', ')}, or a module (.ts, .js) that exports one of your own; and + a file with more fields: home+./fields.json`,
] as const;

/**
 * Lines for `--line`: a name, or a module with `defineLine`.
 *
 * @throws {CommandError} If the line is unknown or missing in the module.
 */
export async function openKnownLines(optionText: string | undefined, folder: string): Promise<KnownLines> {
  if (optionText === undefined) return knownLines;
  const { base, fieldFiles } = splitLine(optionText);
  const vocabulary = isModule(base)
    ? (await importLine(resolve(folder, base), folder)).vocabulary
    : knownLines.find(base);
  if (vocabulary) return knowing(placeLine(optionText, folder), withFieldFiles(vocabulary, fieldFiles, folder));
  const names = [homes, ...shippedLines.keys()];
  const others = `there are: ${names.join(', ')}, or name a module with a line of your own, as ./renters.ts.`;
  throw new CommandError(`--line is "${optionText}"; ${others}${didYouMean(base, names)}`, { exitCode: 2 });
}

/** Homes for an unknown line, which the check reports. */
export function wordsOf(lines: KnownLines, line: unknown): Vocabulary {
  return lines.find(line ?? homes) ?? homeVocabulary;
}

/** Like `knownLines`, with another vocabulary of homes. */
export function linesWithHome(home: Vocabulary): KnownLines {
  return { ...knowing(undefined, home), requested: undefined };
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
