import type { Line } from '../line/line.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/**
 * The vocabularies of homes and of the lines that modules export, by line. A module is loaded once.
 *
 * @example
 * const vocabulary = (await readLineModules([new URL('./renters.ts', import.meta.url).href])).get('renters');
 */
export async function readLineModules(urls: readonly string[]): Promise<ReadonlyMap<string, Vocabulary>> {
  const vocabularies = new Map<string, Vocabulary>([[homeVocabulary.line, homeVocabulary]]);
  for (const url of urls) {
    const module = (await import(url)) as Readonly<Record<string, unknown>>;
    for (const each of Object.values(module)) {
      const { vocabulary } = (each ?? {}) as Partial<Line>;
      if (vocabulary?.fields) vocabularies.set(vocabulary.line, vocabulary);
    }
  }
  return vocabularies;
}
