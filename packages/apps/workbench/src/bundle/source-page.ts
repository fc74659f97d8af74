import { type PoolTask, sharedWorkerPool } from '@leeward/worker-pool';
import { encodeText, manifestOf, type Page } from './page-files.ts';

const task: PoolTask<void, ReadonlyMap<string, string>> = {
  module: new URL('./bundle-page.ts', import.meta.url).href,
  name: 'bundlePage',
};

/** Builds the page from source on another thread: it takes seconds. Compresses a file when it is requested. */
export async function openPage(): Promise<Page> {
  const texts = await sharedWorkerPool().run(task, undefined, { isLong: true });
  return {
    index: texts.get('index.html')!,
    manifest: manifestOf(texts),
    async file(name) {
      const text = texts.get(name);
      return text === undefined ? undefined : encodeText(name, text);
    },
  };
}
