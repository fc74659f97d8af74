/** Programs that run beside the page, by the names that `index.html` gives them. */
export type WorkerName = 'judge' | 'rules';

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

let policy: ReturnType<Policies['createPolicy']> | undefined;

/**
 * Starts a program beside the page. Its address comes from the page itself, never from what anybody typed; the page's policy wants
 * that said by a trusted type.
 */
export function startWorker(name: WorkerName): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  policy ??= trustedTypes?.createPolicy('leeward-workers', { createScriptURL: (url) => url });
  const file = document.documentElement.dataset[`worker${name[0]!.toUpperCase()}${name.slice(1)}`] ?? '';
  const url = new URL(file, document.baseURI).href;
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' });
}
