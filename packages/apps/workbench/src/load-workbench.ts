import { type EncodedFile, encodeFile } from './bundle/encode-file.ts';
import { type PageFiles, withManifest } from './bundle/page-files.ts';

/** The page, ready to be mounted: `createLeeward({ …, workbench: await loadWorkbench() })`. */
export interface Workbench {
  /** By name: `index.html`, `manifest.json` and the files of the manifest. */
  file(name: string): Promise<EncodedFile | undefined>;
}

/** Options of the page. */
export interface WorkbenchOptions {
  /**
   * If true, a browser tab keeps its sign-in until it is closed, also after a reload: the tokens are then in its session storage. If
   * false, they are only in memory. @default false
   */
  readonly keepSignIn?: boolean;
}

/**
 * Opens the page. The published package reads its built page; from source, the first request builds it. After a failure, the next
 * request tries again.
 *
 * @example
 * createLeeward({ directory, underwriting, workbench: await loadWorkbench() });
 */
export async function loadWorkbench({ keepSignIn = false }: WorkbenchOptions = {}): Promise<Workbench> {
  const encoded = new Map<string, Promise<EncodedFile>>();
  let opening: Promise<PageFiles> | undefined;
  const open = () => {
    opening ??= load(keepSignIn).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    async file(name) {
      const file = (await open()).get(name);
      if (file === undefined) return undefined;
      let encoding = encoded.get(name);
      if (encoding === undefined) {
        encoding = encodeFile(file);
        encoded.set(name, encoding);
        encoding.catch(() => encoded.delete(name));
      }
      return encoding;
    },
  };
}

/** Imports lazily: the builder loads a compiler. */
async function load(keepSignIn: boolean): Promise<PageFiles> {
  const { openPage } = await import('#page-files');
  const files = await openPage();
  return keepSignIn ? keepingSignIn(files) : files;
}

/** Marks the page for `session.ts`, in the manifest too. */
function keepingSignIn(files: PageFiles): PageFiles {
  const texts = [...files].map(([name, { text }]): [string, string] => [
    name,
    name === 'index.html' ? text.replace('<html ', '<html data-keep-sign-in ') : text,
  ]);
  return withManifest(new Map(texts.filter(([name]) => name !== 'manifest.json')));
}
