import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { homeVocabulary, type Line, type Vocabulary } from '@leeward/engine';
import { readFieldFile } from '@leeward/engine/vocabulary';
import { describeJsonFault, isObject } from '@leeward/terms';
import { CommandError } from '../command-error.ts';
import { nearPath } from '../near-path.ts';

/** A line, named or in a module, and files with more fields: `home+./fields.json`. */
export interface WrittenLine {
  readonly base: string;
  readonly fieldFiles: readonly string[];
}

/** Splits `home+./fields.json`. */
export function splitLine(written: string): WrittenLine {
  const [base = '', ...fieldFiles] = written.split('+').map((part) => part.trim());
  return { base, fieldFiles };
}

/** Joins a line and its files, with absolute paths. */
export function placeLine(written: string, folder: string): string {
  const { base, fieldFiles } = splitLine(written);
  return [isModule(base) ? resolve(folder, base) : base, ...fieldFiles.map((path) => resolve(folder, path))].join('+');
}

/**
 * Adds the fields of files to a vocabulary.
 *
 * @throws {CommandError} With all faults of the first file that has any.
 */
export function withFieldFiles(vocabulary: Vocabulary, paths: readonly string[], folder: string): Vocabulary {
  let extended = vocabulary;
  for (const path of paths) {
    const file = resolve(folder, path);
    const displayPath = nearPath(file, folder);
    const { value, fault } = readJsonFile(file);
    if (fault !== undefined) throw new CommandError(`${displayPath} ${fault}`, { exitCode: 2 });
    const { vocabulary: next, faults } = readFieldFile(value, extended);
    if (!next)
      throw new CommandError(
        faults.map(({ path: at, message }) => `${displayPath} at ${at || '/'}: ${message}`).join('\n'),
        {
          exitCode: 2,
        },
      );
    extended = next;
  }
  return extended;
}

/** The line that a file with fields names. Faults of the file are left to `withFieldFiles`. */
export function lineOfFieldFile(path: string): string {
  const { value } = readJsonFile(path);
  const line = isObject(value) ? value['line'] : undefined;
  return typeof line === 'string' ? line : homeVocabulary.line;
}

function readJsonFile(path: string): { readonly value?: unknown; readonly fault?: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { fault: `cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}` };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: `is ${describeJsonFault(text)}.` };
  }
}

/** True for a module path. */
export function isModule(name: string): boolean {
  return /[\\/.]/.test(name);
}

/**
 * The only line of a module.
 *
 * @throws {CommandError} If there is none or more than one.
 */
export async function importLine(path: string, folder: string): Promise<Line> {
  const file = nearPath(path, folder);
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(path).href)) as typeof module;
  } catch (error) {
    throw new CommandError(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, {
      exitCode: 2,
    });
  }
  const lines = new Set(Object.values(module).filter(isLine));
  const [line] = lines;
  if (line && lines.size === 1) return line;
  const has = lines.size === 0 ? 'no line' : `${lines.size} lines`;
  throw new CommandError(`${file} exports ${has}; export one that defineLine made.`, { exitCode: 2 });
}

function isLine(value: unknown): value is Line {
  const { vocabulary, products } = (value ?? {}) as Partial<Line>;
  // A catalog has a vocabulary too.
  return typeof vocabulary?.line === 'string' && Array.isArray(vocabulary.fields) && Array.isArray(products);
}
