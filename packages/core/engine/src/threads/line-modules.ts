import type { Line } from '../line/line.ts';
import { type FieldFile, readFieldFile } from '../vocabulary/field-file.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** A module that exports lines of business, as a `file:` URL; or fields of a line as plain data. */
export type LineSource = string | FieldFile;

/**
 * The vocabularies of homes and of the lines that modules export, by line, with the fields of files. A module is loaded
 * once.
 *
 * @throws RangeError if a file with fields has faults, or names an unknown line
 *
 * @example
 * const vocabulary = (await readLineModules([new URL('./renters.ts', import.meta.url).href])).get('renters');
 */
export async function readLineModules(sources: readonly LineSource[]): Promise<ReadonlyMap<string, Vocabulary>> {
  const vocabularies = new Map<string, Vocabulary>([[homeVocabulary.line, homeVocabulary]]);
  const urls = sources.filter((source) => typeof source === 'string');
  for (const url of urls) {
    const module = (await import(url)) as Readonly<Record<string, unknown>>;
    for (const each of Object.values(module)) {
      const { vocabulary } = (each ?? {}) as Partial<Line>;
      if (vocabulary?.fields) vocabularies.set(vocabulary.line, vocabulary);
    }
  }
  for (const source of sources) {
    if (typeof source === 'string') continue;
    const { line = homeVocabulary.line } = source;
    const { vocabulary, faults } = readFieldFile(source, vocabularies.get(line));
    if (!vocabulary) throw new RangeError(faults.map(({ path, message }) => `${path}: ${message}`).join(' '));
    vocabularies.set(line, vocabulary);
  }
  return vocabularies;
}
