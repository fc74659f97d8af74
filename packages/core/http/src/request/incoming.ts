import { Problem } from '../problem/problem.ts';
import { redacted } from '../redaction/redacted.ts';

/** A request of any kind of server. */
export interface Incoming {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** @param name in lower case @returns repeated fields joined by commas; null if missing */
  header(name: string): string | null;
  /** Call it once. @throws {Problem} `body_too_large` */
  readBody(maxBytes: number): Promise<Uint8Array>;
  /** Peer of the connection, perhaps a proxy; undefined if unknown. */
  readonly address: string | undefined;
  /** Without the body, unless the host has a web request. */
  readonly request: Request;
  /** Aborted when the caller closes the connection. */
  readonly gone: AbortSignal;
  /** Without making a signal. */
  readonly isGone: boolean;
}

/** The bindings of `@hono/node-server`. */
interface NodeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
}

/** @param bindings of the host, for the address of the client */
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

export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  if (start < 0) return '/';
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}

/** RFC 9110, section 7.2. */
const host = /^(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{0,5}))?$/;

/**
 * Rejects a `Host` field that two servers could read differently. HTTP/1.0 and HTTP/2 may lack it.
 *
 * @throws {Problem} `malformed_request`
 */
export function requireHost(field: string | null): void {
  if (field === null) return;
  const match = host.exec(field);
  if (match !== null && Number(match[1] ?? 0) <= 65_535) return;
  const detail =
    'The Host field is malformed or sent more than once; send one, such as "example.com" or "10.0.0.5:3000".';
  throw new Problem('malformed_request', detail);
}

/** @throws {Problem} `body_too_large` for the declared length */
export function requireLength(declared: string, limit: number): void {
  // NaN fails this comparison.
  if (!(Number(declared) <= limit)) throw tooLarge(limit);
}

export function tooLarge(limit: number): Problem {
  return new Problem('body_too_large', `The body is larger than ${limit} bytes; send less at a time.`);
}

/** Checks a declared length first, then counts bytes. */
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

const valid = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/;

/** The caller's valid `X-Request-Id` if a log would not redact it, else a new one. */
export function requestIdOf(header: string | null): string {
  return header !== null && valid.test(header) && isHarmless(header) ? header : crypto.randomUUID();
}

function isHarmless(id: string): boolean {
  return !id.includes('lw_') && redacted(id) === id;
}
