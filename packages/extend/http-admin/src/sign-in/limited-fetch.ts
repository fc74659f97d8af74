const MAX_BYTES = 512 * 1024;

/** Statuses whose responses cannot have a body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Signature of `fetch` as a caller with a prepared request uses it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Only these URLs are requested; plain `http` stays on this machine. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** @param hostname of a `URL` */
export function isLoopback(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';
}

/**
 * `fetch` for answers of an identity provider: requests only secure URLs, follows no redirect, ends when `timeoutMs` are over or more than 512 KiB have
 * arrived.
 */
export function createLimitedFetch(timeoutMs: number): Fetch {
  return async (url, init) => {
    const { protocol, host } = new URL(url);
    if (!isSecure(new URL(url))) throw new TypeError(`${protocol}//${host} is not requested: only https: is.`);
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    const body = await readLimited(response);
    const { status, statusText, headers } = response;
    return new Response(WITHOUT_BODY.has(status) ? null : body, { status, statusText, headers });
  };
}

async function readLimited({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_BYTES) throw new TypeError(`The answer is larger than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
