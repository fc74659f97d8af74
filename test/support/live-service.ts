import type { RunningLeeward } from './running-leeward.ts';

export type Service<Leeward extends RunningLeeward = RunningLeeward> = Leeward & { readonly url: string };

/** Starts a service on a free port. */
export async function startService<Leeward extends RunningLeeward>(
  startProcess: (words: string[], environment: Record<string, string>) => Promise<Leeward>,
  environment: Record<string, string>,
  carriers: string,
): Promise<Service<Leeward>> {
  const started = await startProcess(['serve', '--carriers', carriers, '--port', '0'], environment);
  const url = /Leeward is up at (\S+)/.exec(started.output())![1]!;
  return Object.assign(started, { url });
}

/** Posts JSON and returns the JSON of the answer. */
export async function post(url: string, path: string, token: string, body: unknown) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
