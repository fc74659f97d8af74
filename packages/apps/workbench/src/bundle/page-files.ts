import { createHash } from 'node:crypto';

export interface PageFile {
  readonly contentType: string;
  readonly text: string;
}

/** All files by name, with `index.html` and `manifest.json`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** `manifest.json` lists all other files. */
export interface Manifest {
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
};

/** @throws {TypeError} for an unknown extension. */
export function pageFile(name: string, text: string): PageFile {
  const contentType = contentTypes[name.slice(name.lastIndexOf('.') + 1)];
  if (contentType === undefined) throw new TypeError(`${name} is an unknown kind of file.`);
  return { contentType, text };
}

/** Part of a file name: eight characters that change with the texts. */
export function nameHash(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 8).toUpperCase();
}

/** Adds the manifest, with sizes in bytes and SHA-256 hashes. */
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
