import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';

/** Connection of an adapter, from configuration only. */
export interface ServerOptions {
  /** `https://geocoder.example.org/path`. */
  readonly baseUrl: string;
  /** `name` or `name:port`; all others are refused. @default none */
  readonly redirectHosts?: readonly string[] | undefined;
  /** @default the platform's */
  readonly userAgent?: string | undefined;
  /** For example `Authorization`. Not sent to redirect hosts. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** @default the platform's `fetch` */
  readonly fetch?: typeof fetch | undefined;
}

const MAX_BYTES = 2_000_000;
const MAX_REDIRECTS = 3;

/** Follows redirects to configured hosts only. No message contains a URL, which can contain a key. @throws {GeocoderUnavailableError} */
export async function fetchJson(
  geocoder: string,
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
  options: ServerOptions,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const base = new URL(options.baseUrl);
  let url = new URL(`${base.pathname.replace(/\/+$/, '')}${path}`, base);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const hosts = new Set([base.host, ...(options.redirectHosts ?? [])]);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await request(geocoder, url, url.host === base.host, options, signal);
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) return readAnswer(geocoder, response, signal);
    await response.body?.cancel();
    url = checkRedirect(geocoder, url, location, hosts);
  }
  throw new GeocoderUnavailableError(geocoder, 'redirected', `the server redirected more than ${MAX_REDIRECTS} times.`);
}

async function request(
  geocoder: string,
  url: URL,
  isFirstHost: boolean,
  options: ServerOptions,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = new Headers(isFirstHost ? options.headers : undefined);
  headers.set('accept', 'application/json');
  if (options.userAgent !== undefined) headers.set('user-agent', options.userAgent);
  try {
    return await (options.fetch ?? fetch)(url.href, { headers, redirect: 'manual', signal: signal ?? null });
  } catch (error) {
    signal?.throwIfAborted();
    throw new GeocoderUnavailableError(geocoder, 'unreachable', `no connection (${reasonOf(error)}).`, {
      cause: error,
    });
  }
}

function checkRedirect(geocoder: string, from: URL, location: string, hosts: ReadonlySet<string>): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  const isAllowed =
    to !== undefined && hosts.has(to.host) && (to.protocol === from.protocol || to.protocol === 'https:');
  if (isAllowed) return to;
  const where = to === undefined ? 'an invalid address' : `${to.protocol}//${to.host}`;
  throw new GeocoderUnavailableError(
    geocoder,
    'redirected',
    `the server redirects to ${where}, which is not configured.`,
  );
}

async function readAnswer(geocoder: string, response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  if (!response.ok) {
    await response.body?.cancel();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const retryAfterSeconds = Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
    const detail = `the server answered with status ${response.status}.`;
    throw new GeocoderUnavailableError(geocoder, 'bad_status', detail, { retryAfterSeconds });
  }
  const text = await readText(geocoder, response, signal);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const kind = /^\s*</.test(text) ? 'HTML or XML' : `${text.length} characters`;
    throw new GeocoderUnavailableError(
      geocoder,
      'malformed_answer',
      `the server answered with ${kind} instead of JSON.`,
    );
  }
}

async function readText(geocoder: string, response: Response, signal: AbortSignal | undefined): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) {
        const detail = `the server answered with more than ${MAX_BYTES} bytes.`;
        throw new GeocoderUnavailableError(geocoder, 'answer_too_large', detail);
      }
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    if (error instanceof GeocoderUnavailableError) throw error;
    signal?.throwIfAborted();
    throw new GeocoderUnavailableError(geocoder, 'unreachable', `the answer broke off (${reasonOf(error)}).`, {
      cause: error,
    });
  }
  return text + decoder.decode();
}

/** Not the error's message: it can contain a URL. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.name : 'unknown';
}
