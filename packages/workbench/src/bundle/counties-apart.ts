import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

const table = /[\\/]places[\\/].*[\\/]data\.generated\.ts$/;
export const COUNTIES_FILE = 'counties-packed.json';

/** As the program waits for it before it begins. */
const loading = `
const response = await fetch(new URL('./${COUNTIES_FILE}', import.meta.url));
if (!response.ok) throw new Error('The table of counties did not come: ' + response.status);
const { kinds: k, packedCounties: p } = await response.json();
export const kinds = new Map(k);
export const packedCounties = new Map(p);
`;

/** Keeps the table of counties out of the programs: it is data, a file of its own that each of them loads. `take` is given its text. */
export const countiesApart = (take: (text: string) => void): Plugin => ({
  name: 'counties-apart',
  setup(build) {
    build.onLoad({ filter: table }, async ({ path }) => {
      const { kinds, packedCounties } = (await import(pathToFileURL(path).href)) as Record<string, Map<string, string>>;
      take(JSON.stringify({ kinds: [...kinds!], packedCounties: [...packedCounties!] }));
      return { contents: loading, loader: 'js' };
    });
  },
});
