import { readFile } from 'node:fs/promises';
import { decodeFile, type Manifest, type Page } from './page-files.ts';

/** The page of the build output, compressed by `write-page.program.ts`. Reads a file when it is requested. */
export async function openPage(): Promise<Page> {
  const folder = new URL('./page/', import.meta.url);
  const read = (name: string) => readFile(new URL(name, folder));
  const [index, list] = await Promise.all([read('index.html'), read('manifest.json')]);
  const manifest = JSON.parse(String(list)) as Manifest;
  const names = new Set(manifest.files.map(({ name }) => name));
  return {
    index: String(index),
    manifest,
    async file(name) {
      if (!names.has(name)) return undefined;
      const [gzip, br] = await Promise.all([read(`${name}.gz`), read(`${name}.br`)]);
      return decodeFile(name, { gzip, br });
    },
  };
}
