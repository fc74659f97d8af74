/** Names in `index.html`. */
export type WorkerName = 'evaluator' | 'rules';

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

let policy: ReturnType<Policies['createPolicy']> | undefined;

/** The URL comes from the page, never from user input; the content security policy requires a trusted type. */
export function startWorker(name: WorkerName): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  policy ??= trustedTypes?.createPolicy('leeward-workers', { createScriptURL: (url) => url });
  const file = document.documentElement.dataset[`worker${name[0]!.toUpperCase()}${name.slice(1)}`] ?? '';
  const url = new URL(file, document.baseURI).href;
  return new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' });
}
