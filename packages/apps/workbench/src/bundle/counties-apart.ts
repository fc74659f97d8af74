import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { nameHash } from './page-files.ts';

const table = /[\\/]places[\\/].*[\\/]data\.generated\.ts$/;
const extents = /[\\/]places[\\/].*[\\/]extents\.generated\.ts$/;

/** The program waits for this file. */
const loading = (file: string) => `
const response = await fetch(new URL('./${file}', import.meta.url));
if (!response.ok) throw new Error('The table of counties did not come: ' + response.status);
const { kinds: k, packedCounties: p } = await response.json();
export const kinds = new Map(k);
export const packedCounties = new Map(p);
`;

const loadingExtents = (file: string) => `
const response = await fetch(new URL('./${file}', import.meta.url));
if (!response.ok) throw new Error('The extents of counties did not come: ' + response.status);
export const packedExtents = (await response.json()).packedExtents;
`;

/** Moves the tables of counties from the programs into data files that each loads. `take` receives their names and texts. */
export const countiesApart = (take: (name: string, text: string) => void): Plugin => ({
  name: 'counties-apart',
  setup(build) {
    build.onLoad({ filter: table }, async ({ path }) => {
      const { kinds, packedCounties } = (await import(pathToFileURL(path).href)) as Record<string, Map<string, string>>;
      const text = JSON.stringify({ kinds: [...kinds!], packedCounties: [...packedCounties!] });
      const file = `counties-packed-${nameHash(text)}.json`;
      take(file, text);
      return { contents: loading(file), loader: 'js' };
    });
    build.onLoad({ filter: extents }, async ({ path }) => {
      const { packedExtents } = (await import(pathToFileURL(path).href)) as { packedExtents: string };
      const text = JSON.stringify({ packedExtents });
      const file = `county-extents-${nameHash(text)}.json`;
      take(file, text);
      return { contents: loadingExtents(file), loader: 'js' };
    });
  },
});
