import { DownloadError } from './download-error.ts';

const MAX_REDIRECTS = 5;

export interface AskOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Follows up to five redirects, never from https to http, which others could tamper with. */
export async function followRedirects(url: string, { headers, signal }: AskOptions): Promise<Response> {
  let address = new URL(url);
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(address.href, { headers, redirect: 'manual', ...(signal && { signal }) });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    if (redirects === MAX_REDIRECTS) throw new DownloadError(`${url}: redirected more than ${MAX_REDIRECTS} times.`);
    const next = URL.canParse(location, address.href) ? new URL(location, address.href) : undefined;
    const isSafe = next?.protocol === 'https:' || (next?.protocol === 'http:' && address.protocol === 'http:');
    if (next === undefined || !isSafe) {
      throw new DownloadError(
        `${url}: redirected to ${JSON.stringify(location.slice(0, 200))}, which is not followed.`,
      );
    }
    address = next;
  }
}
