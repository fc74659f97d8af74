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
/** The part of an answer that arrived. */
export interface Received {
  readonly response: Response | undefined;
  readonly bytes: Uint8Array | undefined;
  readonly fault: CarrierFault | undefined;
}

/**
 * Any status is an answer. @param parse Throws or returns undefined for invalid text. @default JSON.parse @throws {CarrierFault} of kind
 * `refused` if the request was never sent, `lost` if the answer is incomplete, `unreadable` if it is too long.
 */
export async function sendHttp(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  parse: (text: string) => unknown = JSON.parse,
  observe: (received: Received) => void = () => {},
): Promise<HttpAnswer> {
  let response: Response | undefined;
  let bytes: Uint8Array | undefined;
  let fault: CarrierFault | undefined;
  try {
    response = await fetch(url, { ...init, redirect: 'manual' });
    bytes = await bytesOf(response);
  } catch (error) {
    fault = error instanceof CarrierFault ? error : faultOf(error);
  }
  observe({ response, bytes, fault });
  if (fault !== undefined) throw fault;
  const { status, headers } = response!;
  return readBytes({ status, headers, retryAfterMs: readRetryAfter(headers) }, bytes!, parse);
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
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  if (Number.isNaN(at)) return undefined;
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, at - (Number.isNaN(now) ? Date.now() : now));
}
