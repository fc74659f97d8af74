import { CarrierFault } from '@leeward/quotes';
import { decodeBody } from './decode-body.ts';
import { neverSentCode } from './never-sent.ts';

export type Fetch = typeof globalThis.fetch;

export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly isRead: boolean;
  readonly retryAfterMs: number | undefined;
  readonly headers: Headers;
}

const MAX_BODY_BYTES = 1024 * 1024;
/**
 * Any status is an answer. @param parse Throws or returns undefined for invalid text. @default JSON.parse @throws {CarrierFault} of kind
 * `refused` if the request was never sent, `lost` if the answer is incomplete, `unreadable` if it is too long.
 */
export async function sendHttp(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  parse: (text: string) => unknown = JSON.parse,
): Promise<HttpAnswer> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, redirect: 'manual' });
  } catch (error) {
    throw faultOf(error);
  }
  const { status, headers } = response;
  const about = { status, headers, retryAfterMs: readRetryAfter(headers) };
  return readBytes(about, await bytesOf(response), parse);
}

export function readBytes(
  about: Omit<HttpAnswer, 'body' | 'isRead'>,
  bytes: Uint8Array,
  parse: (text: string) => unknown,
): HttpAnswer {
  try {
    const text = decodeBody(bytes, about.headers.get('content-type'));
    const body = text === '' ? undefined : parse(text);
    return { ...about, body, isRead: body !== undefined };
  } catch {
    return { ...about, body: undefined, isRead: false };
  }
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw lost(error);
  }
  if (length > MAX_BODY_BYTES) {
    throw new CarrierFault(`The carrier's answer is longer than ${MAX_BODY_BYTES} bytes.`, {
      kind: 'unreadable',
      code: 'too_long',
    });
  }
  return Buffer.concat(chunks);
}

/** By whether the request may have been sent. */
export function faultOf(error: unknown): CarrierFault {
  const code = neverSentCode(error instanceof Error ? error.cause : undefined);
  if (code !== undefined) {
    return new CarrierFault(`The carrier could not be reached (${code}).`, {
      kind: 'refused',
      code: code === 'ECONNREFUSED' ? 'connection_refused' : 'unreachable',
      cause: error,
    });
  }
  return lost(error);
}

function lost(cause: unknown): CarrierFault {
  return new CarrierFault('The connection to the carrier broke before its answer arrived.', {
    kind: 'lost',
    code: 'connection_lost',
    cause,
  });
}

/** Seconds, or an HTTP date (RFC 9110, section 10.2.3) relative to the answer's `Date`. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return undefined;
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, at - (Number.isNaN(now) ? Date.now() : now));
}
