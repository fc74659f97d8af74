import { Problem } from '../problem/problem.ts';
import { redacted } from '../redaction/redacted.ts';

/** A request as a host hands it on, whatever kind of server that is. */
export interface Incoming {
  readonly method: string;
  /** As it was sent: with a host's prefix, without what stands behind a question mark. */
  readonly path: string;
  /** A header field by its name in lower case; null where it was not sent. Repeated fields are joined by commas. */
  header(name: string): string | null;
  /** The body, once. Throws 413 as soon as it is seen to be longer. */
  readBody(maxBytes: number): Promise<Uint8Array>;
  /** Of the other end of the connection, a proxy's perhaps; undefined where the host does not tell. */
  readonly address: string | undefined;
  /** The same as a web request; of a host that has none it is made here, without its body. */
  readonly request: Request;
  /** Aborted when the caller has gone. */
  readonly gone: AbortSignal;
  /** Whether that is so already; asked more often, so nothing is made for it. */
  readonly isGone: boolean;
}

/** What `@hono/node-server` hands on beside a request. */
interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
}

/** @param bindings what the host knows beside the request. */
export function incomingOf(request: Request, bindings: unknown): Incoming {
  return {
    method: request.method,
    path: pathOf(request.url),
    header: (name) => request.headers.get(name),
    readBody: (maxBytes) => readBody(request, maxBytes),
    address: (bindings as NodeBindings | undefined)?.incoming?.socket?.remoteAddress,
    request,
    get gone() {
      return request.signal;
    },
    get isGone() {
      return request.signal.aborted;
    },
  };
}

/** The path of a URL, whole or without its host. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  if (start < 0) return '/';
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port (RFC 9110, section 7.2). */
const host = /^(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{0,5}))?$/;

/**
 * Throws 400 for a Host field that is malformed or repeated: two servers on the way could read it differently. A request
 * without one passes; HTTP/1.0 and HTTP/2 have none.
 */
export function requireHost(field: string | null): void {
  if (field === null) return;
  const match = host.exec(field);
  if (match !== null && Number(match[1] ?? 0) <= 65_535) return;
  const detail =
    'The Host field is malformed or sent more than once; send one, such as "example.com" or "10.0.0.5:3000".';
  throw new Problem('malformed_request', detail);
}

/** Throws 413 for a declared length over the limit, or one that is no length, before anything is read. */
export function requireLength(declared: string, limit: number): void {
  // Written so that NaN fails, too.
  if (!(Number(declared) <= limit)) throw tooLarge(limit);
}

export function tooLarge(limit: number): Problem {
  return new Problem('body_too_large', `The body is over ${limit} bytes; send less at a time.`);
}

/**
 * Reads a body of at most `limit` bytes. A declared length is checked before anything is read; a body that
 * does not tell its length is counted as it comes, and dropped as soon as it is too long.
 */
async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (declared === null || request.headers.has('transfer-encoding')) return readChunks(request.body, limit);
  requireLength(declared, limit);
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.byteLength > limit) throw tooLarge(limit);
  return bytes;
}

async function readChunks(body: ReadableStream<Uint8Array> | null, limit: number): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > limit) {
      void reader.cancel().catch(() => {});
      throw tooLarge(limit);
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

const sane = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/;

/**
 * The caller's own `X-Request-Id` when it is fit for a log line, else a new one. What holds a token, or anything else that
 * redaction would cut out of a line, is not.
 */
export function requestIdOf(given: string | null): string {
  return given !== null && sane.test(given) && isHarmless(given) ? given : crypto.randomUUID();
}

function isHarmless(id: string): boolean {
  return !id.includes('lw_') && redacted(id) === id;
}
