import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DownloadError, errorOfNetwork, errorOfStatus } from './download-error.ts';

export interface DownloadOptions {
  readonly url: string;
  /** A partial download is `<path>.part`. */
  readonly path: string;
  /** Expected hash, hexadecimal. */
  readonly sha256?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Pauses before retries. @default 1, 4 and 15 seconds */
  readonly pausesMs?: readonly number[] | undefined;
}

export interface DownloadedFile {
  readonly bytes: number;
  readonly sha256: string;
  /** Bytes of an earlier run. */
  readonly resumedAt: number;
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Identifies the file of a partial download. */
interface PartState {
  readonly url: string;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

const usualPausesMs = [1_000, 4_000, 15_000];

/**
 * Resumes a partial download if the server still has the same file (`If-Range`), otherwise restarts. The file appears under its name
 * when complete, with the right hash. Throws a `DownloadError`.
 */
export async function downloadFile(options: DownloadOptions): Promise<DownloadedFile> {
  const { path, signal, pausesMs = usualPausesMs } = options;
  const part = `${path}.part`;
  const resumedAt = sizeOf(part);
  for (let tries = 0; ; tries += 1) {
    signal?.throwIfAborted();
    try {
      const state = await downloadRest(options, part);
      return finish(options, part, state, resumedAt);
    } catch (error) {
      signal?.throwIfAborted();
      const downloadError = error instanceof DownloadError ? error : errorOfNetwork(error, options.url);
      const pauseMs = downloadError.isPassing ? pausesMs[tries] : undefined;
      if (pauseMs === undefined) throw downloadError;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

/** Appends the missing bytes. */
async function downloadRest({ url, signal }: DownloadOptions, part: string): Promise<PartState> {
  const before = readState(part, url);
  const validator = before?.etag ?? before?.lastModified;
  const have = validator === undefined ? 0 : sizeOf(part);
  const headers = {
    // Request the stored encoding: lengths and hashes are those of the stored file.
    'accept-encoding': 'identity',
    ...(have > 0 && validator !== undefined ? { range: `bytes=${have}-`, 'if-range': validator } : {}),
  };
  const response = await followRedirects(url, { headers, signal });
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '');
  if (response.status === 416) {
    await response.body?.cancel();
    if (before !== undefined && range?.[2] === String(have)) return before;
    discard(part);
    throw new DownloadError(`${url}: the downloaded part no longer matches the file.`, { isPassing: true });
  }
  if (response.status !== 200 && response.status !== 206) {
    await response.body?.cancel();
    throw errorOfStatus(response.status, url);
  }
  const isRest = response.status === 206 && have > 0 && range?.[1] === String(have);
  if (response.status === 206 && !isRest) {
    await response.body?.cancel();
    discard(part);
    throw new DownloadError(`${url}: the server sent a different part than requested.`, { isPassing: true });
  }
  const state = stateOf(url, response.headers);
  if (!isRest) writeFileSync(part, '');
  writeFileSync(`${part}.json`, JSON.stringify(state));
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const whole = isRest ? Number(range?.[2]) : length;
  if (response.body !== null) {
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(body, createWriteStream(part, { flags: 'a' }), ...(signal ? [{ signal }] : []));
  }
  if (Number.isFinite(whole) && sizeOf(part) !== whole) {
    const text = `${sizeOf(part).toLocaleString('en-US')} of ${whole.toLocaleString('en-US')} bytes`;
    throw new DownloadError(`${url}: cut after ${text}; the same command goes on from there.`, { isPassing: true });
  }
  return state;
}

async function finish(
  { url, path, sha256: expectedHash }: DownloadOptions,
  part: string,
  { etag, lastModified }: PartState,
  resumedAt: number,
): Promise<DownloadedFile> {
  const sha256 = await sha256Of(part);
  const bytes = sizeOf(part);
  if (expectedHash !== undefined && expectedHash.toLowerCase() !== sha256) {
    discard(part);
    throw new DownloadError(`${url}: its SHA-256 is ${sha256}, not ${expectedHash.toLowerCase()}; it is not kept.`);
  }
  renameSync(part, path);
  rmSync(`${part}.json`, { force: true });
  return { bytes, sha256, resumedAt, ...(etag && { etag }), ...(lastModified && { lastModified }) };
}

/** In hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

function stateOf(url: string, headers: Headers): PartState {
  const etag = headers.get('etag') ?? undefined;
  return {
    url,
    // A weak tag does not guarantee equal bytes.
    etag: etag?.startsWith('W/') ? undefined : etag,
    lastModified: headers.get('last-modified') ?? undefined,
  };
}

function readState(part: string, url: string): PartState | undefined {
  try {
    const state = JSON.parse(readFileSync(`${part}.json`, 'utf8')) as PartState;
    return state.url === url ? state : undefined;
  } catch {
    return undefined;
  }
}

function discard(part: string): void {
  rmSync(part, { force: true });
  rmSync(`${part}.json`, { force: true });
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

const MAX_REDIRECTS = 5;

interface AskOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Follows up to five redirects, never from https to http, which others could tamper with. */
async function followRedirects(url: string, { headers, signal }: AskOptions): Promise<Response> {
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
