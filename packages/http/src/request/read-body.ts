import { Problem } from '../problem/problem.ts';

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
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
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
