import type { PageFile, PageFiles } from './bundle/page-files.ts';

/** The page, ready to be mounted: `createLeeward({ …, workbench: await loadWorkbench() })`. */
export interface Workbench {
  /** By name: `index.html`, `manifest.json`, and what those name; undefined where there is no such file. */
  file(name: string): Promise<PageFile | undefined>;
}

/**
 * Opens the page. The published package has it built and reads it when it is first asked for; from source it is made then, in
 * memory. What goes wrong rejects `file`, and is tried again when it is asked for again.
 */
export async function loadWorkbench(): Promise<Workbench> {
  let opening: Promise<PageFiles> | undefined;
  const open = () => {
    opening ??= load().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return { file: async (name) => (await open()).get(name) };
}

/** What makes the page brings a compiler along: a service starts without. */
async function load(): Promise<PageFiles> {
  const { openPage } = await import('#page-files');
  return openPage();
}
