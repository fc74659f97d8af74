import { type EncodedFile, encodeFile } from './bundle/encode-file.ts';
import type { PageFiles } from './bundle/page-files.ts';

/** The page, ready to be mounted: `createLeeward({ …, workbench: await loadWorkbench() })`. */
export interface Workbench {
  /** By name: `index.html`, `manifest.json`, and what those name; undefined where there is no such file. */
  file(name: string): Promise<EncodedFile | undefined>;
}

/**
 * Opens the page. The published package reads its built page on the first request; from source, the first request
 * builds it in memory. Each file is compressed on its first request. A failure rejects `file`, and the next request
 * tries again.
 *
 * @example
 * createLeeward({ directory, underwriting, workbench: await loadWorkbench() });
 */
export async function loadWorkbench(): Promise<Workbench> {
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
        encoding = encodeFile(file);
        encoded.set(name, encoding);
        encoding.catch(() => encoded.delete(name));
      }
      return encoding;
    },
  };
}

/** Import the builder lazily: it brings a compiler, which the start of the service need not load. */
async function load(): Promise<PageFiles> {
  const { openPage } = await import('#page-files');
  return openPage();
}
