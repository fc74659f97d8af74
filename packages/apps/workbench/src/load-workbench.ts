import { type EncodedFile, encodeFile } from './bundle/encode-file.ts';
import type { PageFile, PageFiles } from './bundle/page-files.ts';

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
    opening ??= load().catch((error: unknown) => {
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
        encoding = encodeFile(name === 'index.html' && keepSignIn ? keepingSignIn(file) : file);
        encoded.set(name, encoding);
        encoding.catch(() => encoded.delete(name));
      }
      return encoding;
    },
  };
}

/** Marks the page for `session.ts`. */
function keepingSignIn({ text, ...file }: PageFile): PageFile {
  return { ...file, text: text.replace('<html ', '<html data-keep-sign-in ') };
}

/** Import lazily: the builder loads a compiler. */
async function load(): Promise<PageFiles> {
  const { openPage } = await import('#page-files');
  return openPage();
}
