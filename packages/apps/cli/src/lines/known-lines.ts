import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { homeVocabulary, type Vocabulary } from '@leeward/engine';
import { shippedLines } from '@leeward/lines';
import { didYouMean } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { nearPath } from '../near-path.ts';
import { importLine, isModule, lineOfFieldFile, placeLine, splitLine, withFieldFiles } from './import-line.ts';
import type { LinesOn } from './lines-on.ts';

/** Lines that a command knows: homes, shipped lines, and a custom one. */
export interface KnownLines {
  /** Undefined if files name their line. */
  readonly requested: Vocabulary | undefined;
  /** As in `--line`, a module by absolute path, for another process. */
  readonly optionText: string | undefined;
  /** True if an option or a setting names the lines: files with fields next to rule sets are then ignored. */
  readonly isSet: boolean;
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

/**
 * Lines with the fields of a file `fields.json` next to a rule set, unless an option or a setting names the lines.
 *
 * @throws {CommandError} If the file has faults.
 */
export function linesBeside(ruleSetPath: string, lines: KnownLines, folder: string): KnownLines {
  const path = lines.isSet ? undefined : fieldFileBeside(ruleSetPath);
  if (path === undefined) return lines;
  const base = lineOfFieldFile(path);
  const vocabulary = lines.find(base);
  if (!vocabulary) throw new CommandError(`${nearPath(path, folder)} extends the line ${base}, which is not on.`);
  const extended = withFieldFiles(vocabulary, [path], folder);
  return { ...lines, find: (line) => (line === base ? extended : lines.find(line)) };
}

/** The file `fields.json` in the folder of a rule set; undefined without one. */
export function fieldFileBeside(ruleSetPath: string): string | undefined {
  const path = join(dirname(ruleSetPath), 'fields.json');
  return existsSync(path) ? path : undefined;
}

/** Homes for an unknown line, which the check reports. */
export function wordsOf(lines: KnownLines, line: unknown): Vocabulary {
  return lines.find(line ?? homes) ?? homeVocabulary;
}

/** The lines of a setting, and those that come with Leeward. */
export function linesOn({ home, lines }: LinesOn): KnownLines {
  const vocabularies = new Map([home, ...lines.map(({ vocabulary }) => vocabulary)].map((each) => [each.line, each]));
  return { ...knownLines, isSet: true, find: (line) => vocabularies.get(line as string) ?? knownLines.find(line) };
}

/** Like `knownLines`, with another vocabulary of homes. */
export function linesWithHome(home: Vocabulary): KnownLines {
  return { ...knowing(undefined, home), requested: undefined, isSet: true };
}

function knowing(optionText: string | undefined, requested: Vocabulary | undefined): KnownLines {
  return {
    requested: requested,
    optionText: optionText,
    isSet: requested !== undefined,
    find(line) {
      if (line === requested?.line) return requested;
      if (line === homes) return homeVocabulary;
      return typeof line === 'string' ? shippedLines.get(line)?.vocabulary : undefined;
    },
  };
}
