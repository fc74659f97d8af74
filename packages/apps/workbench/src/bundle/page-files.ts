import { createHash } from 'node:crypto';

/** A file of the page, before it is compressed. */
export interface PageFile {
  readonly contentType: string;
  readonly text: string;
}

/** All files of the page by name, `index.html` and `manifest.json` among them. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** `manifest.json`: an entry for each file except itself. */
export interface Manifest {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
};

/** Throws a `TypeError` for a name of a kind that the page has not. */
export function pageFile(name: string, text: string): PageFile {
  const contentType = contentTypes[name.slice(name.lastIndexOf('.') + 1)];
  if (contentType === undefined) throw new TypeError(`${name} is an unknown kind of file.`);
  return { contentType, text };
}

/** Part of a file's name: eight characters that change with the texts. A name with one always holds the same. */
export function nameHash(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 8).toUpperCase();
}

/** The files and the manifest that lists them with their sizes (bytes) and hashes (SHA-256). */
export function withManifest(texts: ReadonlyMap<string, string>): PageFiles {
  const names = [...texts.keys()].sort();
  const manifest: Manifest = {
    files: names.map((name) => {
      const bytes = Buffer.from(texts.get(name)!);
      return { name, bytes: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  };
  const files = new Map(names.map((name) => [name, pageFile(name, texts.get(name)!)]));
  return files.set('manifest.json', pageFile('manifest.json', JSON.stringify(manifest)));
}
