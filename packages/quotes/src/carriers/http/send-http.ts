import { CarrierFault } from '../../ports/carrier-fault.ts';

export type Fetch = typeof globalThis.fetch;

export interface HttpAnswer {
  readonly status: number;
  /** The body where it can be read, else undefined. */
  readonly body: unknown;
  readonly isRead: boolean;
  readonly retryAfterMs: number | undefined;
  readonly headers: Headers;
}

const MAX_BODY_BYTES = 1024 * 1024;
/** Before anything of a request was sent. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  // Whoever does not take our certificate reads nothing of what comes behind it.
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
]);

/**
 * Sends a request and reads its answer, whatever its status.
 *
 * @param parse throws, or gives undefined, where a text is not what it reads. Default JSON.
 *
 * @throws {CarrierFault} `refused` when the request was never sent, `lost` when no whole answer came, `unreadable` when it is too long.
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
  return readText(about, await readBody(response), parse);
}

/** An answer with its text read, as far as it can be. */
export function readText(
  about: Omit<HttpAnswer, 'body' | 'isRead'>,
  text: string,
  parse: (text: string) => unknown,
): HttpAnswer {
  try {
    const body = text === '' ? undefined : parse(text);
    return { ...about, body, isRead: body !== undefined };
  } catch {
    return { ...about, body: undefined, isRead: false };
  }
}

async function readBody(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  try {
    for await (const chunk of response.body) {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) break;
      text += decoder.decode(chunk, { stream: true });
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
  return text + decoder.decode();
}

/** What a fetch threw: whether anything of the request was sent. */
export function faultOf(error: unknown): CarrierFault {
  if (codesOf(error).length > 0 && codesOf(error).every((code) => neverSent.has(code))) {
    const [code = ''] = codesOf(error);
    return new CarrierFault(`The carrier could not be reached (${code}).`, {
      kind: 'refused',
      code: code === 'ECONNREFUSED' ? 'connection_refused' : 'unreachable',
      cause: error,
    });
  }
  return lost(error);
}

function lost(cause: unknown): CarrierFault {
  return new CarrierFault('The connection to the carrier broke before its answer had come.', {
    kind: 'lost',
    code: 'connection_lost',
    cause,
  });
}

/** The codes behind a failed fetch: several where a name has several addresses. */
function codesOf(error: unknown): string[] {
  const cause = error instanceof Error ? error.cause : undefined;
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return causes.map((each) => String((each as { code?: unknown } | undefined)?.code ?? ''));
}

/** Seconds, or an HTTP date (RFC 9110, section 10.2.3): the latter by the carrier's own clock, where it tells it. */
function readRetryAfter(headers: Headers): number | undefined {
  const said = headers.get('retry-after')?.trim();
  if (said === undefined) return undefined;
  if (/^\d{1,9}$/.test(said)) return Number(said) * 1000;
  const at = Date.parse(said);
  if (Number.isNaN(at)) return undefined;
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, at - (Number.isNaN(now) ? Date.now() : now));
}
