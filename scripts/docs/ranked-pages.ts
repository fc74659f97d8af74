import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Index {
  search(words: string): readonly { readonly id: string }[];
}

interface IndexLibrary {
  readonly default: { loadJSON(json: string, options: object): Index };
}

/** The addresses that the search box of the built site finds, best first. */
export async function rankedPages(site: string, words: string): Promise<string[]> {
  const load = async (path: string): Promise<unknown> => import(pathToFileURL(join(site, path)).href);
  const chunks = 'dist/assets/chunks';
  const file = readdirSync(join(site, chunks)).find((name) => name.startsWith('@localSearchIndexroot'));
  const library = (await load('node_modules/minisearch/dist/es/index.js')) as IndexLibrary;
  const { default: json } = (await load(join(chunks, file ?? ''))) as { default: string };
  const { searchOptions } = (await load('.vitepress/search-options.js')) as { searchOptions: object };
  const index = library.default.loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    // As the theme's search box has them.
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, ...searchOptions },
  });
  return index.search(words).map(({ id }) => id);
}
