import { describeJsonFault, findUtf8Fault, placeInText, type TextPlace } from '@leeward/terms';
import { Problem } from '../problem/problem.ts';
import type { Incoming } from './incoming.ts';

/** Checks media type (415), then size (413). Empty without a body. */
export async function readJsonBody(incoming: Incoming, maxBytes: number): Promise<Uint8Array> {
  const type = incoming.header('content-type');
  const encoding = incoming.header('content-encoding');
  if (type !== null || encoding !== null) requireJson(type, encoding);
  return incoming.readBody(type === null ? 0 : maxBytes).catch((error: unknown) => {
    if (type === null && error instanceof Problem) requireJson(type, encoding);
    throw error;
  });
}

export function bodyLength(incoming: Incoming, maxBytes: number): number {
  const declared = incoming.header('content-length');
  if (declared === null) return incoming.header('transfer-encoding') === null ? 0 : maxBytes;
  const length = Number(declared);
  return length <= maxBytes ? length : maxBytes;
}

const json = /^application\/(?:[a-z0-9.!#$&^_-]+\+)?json$/;

/** @throws {Problem} `unsupported_media_type` unless uncompressed JSON in UTF-8 */
function requireJson(type: string | null, encoding: string | null): void {
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') {
    throw new Problem(
      'unsupported_media_type',
      `The body is ${quote(encoding)}-encoded; send it without an encoding.`,
      {
        headers: { 'accept-encoding': 'identity' },
      },
    );
  }
  if (type === 'application/json') return;
  if (type === null) throw notJson('no Content-Type');
  const [essence = '', ...parameters] = type.toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (!json.test(essence.trim()) || !utf8) throw notJson(`Content-Type ${quote(type)}`);
}

function notJson(received: string): Problem {
  return new Problem('unsupported_media_type', `The body came with ${received}; send application/json in UTF-8.`, {
    headers: { accept: 'application/json' },
  });
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

/** Safe for recursive functions. */
export const MAX_NESTING = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The last of equal keys counts.
 *
 * @throws {Problem} `malformed_json` if not JSON, not UTF-8, or too deep
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) throw malformed('The body is empty; send a JSON object.');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw malformed(`The body is not UTF-8: an invalid byte is ${placed(findUtf8Fault(bytes)!)}.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(`The body is ${describeJsonFault(text)}.`);
  }
  const tooDeep = nestsDeeper(bytes, MAX_NESTING);
  if (tooDeep !== undefined) {
    const before = decoder.decode(bytes.subarray(0, tooDeep));
    const place = placed(placeInText(before, before.length));
    throw malformed(`The body is nested more than ${MAX_NESTING} levels deep ${place}.`);
  }
  return value;
}

function placed({ line, column }: TextPlace): string {
  return `at line ${line}, column ${column}`;
}

function malformed(detail: string): Problem {
  return new Problem('malformed_json', detail);
}

const QUOTATION_MARK = 0x22;
const BACKSLASH = 0x5c;

/** Returns the place of the first bracket beyond the limit. Counting brackets is faster than walking the value. */
function nestsDeeper(bytes: Uint8Array, limit: number): number | undefined {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTATION_MARK) isText = false;
    } else if (byte === QUOTATION_MARK) isText = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > limit) return at;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return undefined;
}
