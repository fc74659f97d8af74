import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createLetters, type LetterTemplates, TemplateError, type WriteLetters } from '@leeward/certificate';
import { CommandError } from '../command-error.ts';

const FILES = { text: 'letter.txt', html: 'letter.html' } as const;

/**
 * Templates of a folder: `letter.txt` and `letter.html` for all, and those of the organizations in folders with their identifiers.
 *
 * @returns the letters of an organization
 * @throws {CommandError} with the file and line of a fault
 */
export function readLetterFolder(folder: string | undefined): (organizationId: string | null) => WriteLetters {
  if (folder === undefined) {
    const usual = createLetters();
    return () => usual;
  }
  const shared = templatesIn(folder);
  const usual = lettersOf(shared, folder);
  const own = new Map<string, WriteLetters>();
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) own.set(name, lettersOf({ ...shared, ...templatesIn(path) }, path));
  }
  return (organizationId) => own.get(organizationId ?? '') ?? usual;
}

/** Letters with one template, for text, or for HTML if the name ends in `.html`. */
export function readLetterFile(path: string, name: string): WriteLetters {
  const text = readTemplateFile(path);
  if (text === undefined) throw new CommandError(`There is no file ${name}.`, { exitCode: 2 });
  return lettersOf(/\.html?$/i.test(path) ? { html: text } : { text }, name);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`The folder of letters ${folder} cannot be read (${code}); correct LEEWARD_LETTERS.`);
  }
}

function templatesIn(folder: string): LetterTemplates {
  const [text, html] = [FILES.text, FILES.html].map((name) => readTemplateFile(join(folder, name)));
  return { ...(text === undefined ? {} : { text }), ...(html === undefined ? {} : { html }) };
}

function readTemplateFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new CommandError(`${path} cannot be read (${code}).`, { exitCode: 2 });
  }
}

function lettersOf(templates: LetterTemplates, name: string): WriteLetters {
  try {
    return createLetters(templates);
  } catch (error) {
    if (error instanceof TemplateError) throw new CommandError(`The letters of ${name}: ${error.message}`);
    throw error;
  }
}
