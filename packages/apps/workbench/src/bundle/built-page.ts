import { readdir, readFile } from 'node:fs/promises';
import { type PageFiles, pageFile } from './page-files.ts';

export async function openPage(): Promise<PageFiles> {
  const folder = new URL('./page/', import.meta.url);
  const names = await readdir(folder);
  const read = async (name: string) => [name, pageFile(name, await readFile(new URL(name, folder), 'utf8'))] as const;
  return new Map(await Promise.all(names.map(read)));
}
