import { hash } from 'node:crypto';
import type { Answer } from './answer.ts';

/** Equal for every request, in several encodings. */
export interface StaticContent {
  readonly contentType: string;
  /** Not encoded. */
  readonly bytes: Uint8Array;
  readonly gzip?: Uint8Array | undefined;
  readonly br?: Uint8Array | undefined;
  /** Changes with the bytes: letters, digits and `-`. */
  readonly version: string;
}

/** Smallest answer first. */
const encodings = ['br', 'gzip'] as const;

/** Encodings are computed once: gzip before it resolves, br in the background. */
export async function createStaticContent(text: string, contentType: string): Promise<StaticContent> {
  const bytes = new TextEncoder().encode(text);
  const content: { -readonly [Key in keyof StaticContent]: StaticContent[Key] } = {
    contentType,
    bytes,
    version: hash('sha256', bytes, 'hex').slice(0, 32),
    gzip: await compressed(bytes, 'gzip'),
  };
  // A second for the largest document; requests do not wait.
  void compressed(bytes, 'brotli').then((br) => {
    content.br = br;
  });
  return content;
}

/** undefined if unsupported. */
async function compressed(bytes: Uint8Array<ArrayBuffer>, format: string): Promise<Uint8Array | undefined> {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream(format as 'gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    return undefined;
  }
}

interface RequestFields {
  header(name: string): string | null;
}

/** Smallest accepted encoding, or 304. Caches revalidate unless `headers` has a `cache-control`. */
export function answerStatic(
  content: StaticContent,
  request: RequestFields,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const accepted = request.header('accept-encoding');
  const encoding = encodings.find((name) => content[name] !== undefined && accepts(accepted, name));
  const etag = `"${content.version}${encoding === undefined ? '' : `-${encoding}`}"`;
  const fields = { 'cache-control': 'no-cache', ...headers, etag, vary: 'accept-encoding' };
  if (isKept(request.header('if-none-match'), etag)) return { status: 304, headers: fields };
  return {
    status: 200,
    bytes: encoding === undefined ? content.bytes : content[encoding]!,
    contentType: content.contentType,
    headers: encoding === undefined ? fields : { ...fields, 'content-encoding': encoding },
  };
}

/** True for the encoding, or `*`, with a quality above 0. */
export function accepts(field: string | null, encoding: string): boolean {
  if (field === null) return false;
  let other = false;
  for (const part of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
    const quality = parameters.find((each) => each.startsWith('q='))?.slice(2);
    const isAccepted = quality === undefined || Number(quality) > 0;
    if (name === encoding) return isAccepted;
    if (name === '*') other = isAccepted;
  }
  return other;
}

/** A weak tag names the same bytes. */
function isKept(field: string | null, etag: string): boolean {
  if (field === null) return false;
  return field.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
}
