import { type EncodedFile, encodeFile } from './bundle/encode-file.ts';
import type { PageFiles } from './bundle/page-files.ts';

/** The page, ready to be mounted: `createLeeward({ …, workbench: await loadWorkbench() })`. */
export interface Workbench {
  /** By name: `index.html`, `manifest.json`, and what those name; undefined where there is no such file. */
  file(name: string): Promise<EncodedFile | undefined>;
}

/**
 * Opens the page. The published package has it built and reads it when it is first asked for; from source it is made then, in
 * memory. Each file is compressed when it is first asked for. What goes wrong rejects `file`, and is tried again when it is asked
 * for again.
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

/** What makes the page brings a compiler along: a service starts without. */
async function load(): Promise<PageFiles> {
  const { openPage } = await import('#page-files');
  return openPage();
}
