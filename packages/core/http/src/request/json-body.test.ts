import { describe, expect, it } from 'vitest';
import { Problem } from '../problem/problem.ts';
import { type Incoming, incomingOf } from './incoming.ts';
import { MAX_NESTING, parseJson, readJsonBody } from './json-body.ts';

const LIMIT = 1024;

function request(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Request {
  return new Request('http://leeward.test/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
}

/** As a request's body is read and parsed. */
async function jsonBody(incoming: Incoming, maxBytes: number, isOptional: boolean): Promise<unknown> {
  const bytes = await readJsonBody(incoming, maxBytes);
  return isOptional && bytes.byteLength === 0 ? undefined : parseJson(bytes);
}

async function outcome(sent: Request, optional = false): Promise<unknown> {
  try {
    return await jsonBody(incomingOf(sent, undefined), LIMIT, optional);
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

/** A body in chunks without a declared length; counts the chunks that are read. */
function pieces(piece: string, times: number) {
  const taken = { count: 0 };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken.count++ < times) controller.enqueue(new TextEncoder().encode(piece));
      else controller.close();
    },
  });
  return { stream, taken };
}

describe('the media type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/merge-patch+json',
  ])('takes %s', async (type) => {
    expect(await outcome(request('{}', { 'content-type': type }))).toEqual({});
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'application/jsonp',
    'json',
    '',
  ])('refuses %j', async (type) => {
    expect(await outcome(request('{}', { 'content-type': type }))).toBe('unsupported_media_type');
  });

  it('rejects a compressed body, and one without a media type', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(await outcome(request('{}', headers))).toBe('unsupported_media_type');
    expect(await outcome(request(new TextEncoder().encode('{}'), {}))).toBe('unsupported_media_type');
    expect(await outcome(request(pieces('x', 100).stream, {}))).toBe('unsupported_media_type');
  });
});

describe('the size', () => {
  it('is checked by its declared length before reading', async () => {
    const { stream, taken } = pieces('{}', 1_000_000);
    for (const length of ['1025', '1e9', 'NaN', '-', '99999999999999999999']) {
      const sent = request(stream, { 'content-type': 'application/json', 'content-length': length });
      expect(await outcome(sent)).toBe('body_too_large');
    }
    expect(taken.count).toBeLessThan(3);
  });

  it('is counted where it is not declared, and reading ends soon after the limit', async () => {
    const { stream, taken } = pieces('x'.repeat(100), 1_000_000);
    expect(await outcome(request(stream))).toBe('body_too_large');
    expect(taken.count).toBeLessThan(15);
  });

  it('does not believe a length that is too small', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '2' };
    expect(await outcome(request(`"${'x'.repeat(2000)}"`, headers))).toBe('body_too_large');
  });

  it('lets a body of just the limit pass', async () => {
    const text = `"${'x'.repeat(LIMIT - 2)}"`;
    expect(await outcome(request(text))).toBe('x'.repeat(LIMIT - 2));
    expect(await outcome(request(pieces(text, 1).stream))).toBe('x'.repeat(LIMIT - 2));
    expect(await outcome(request(`${text} `))).toBe('body_too_large');
  });
});

describe('the JSON', () => {
  it.each(['', ' ', '{', '{"a":1,}', "{'a':1}", 'NaN', '{"a":01}', 'undefined', '{"a":1}{"b":2}'])(
    'refuses %j',
    async (text) => {
      expect(await outcome(request(text))).toBe('malformed_json');
    },
  );

  it.each<[string | Uint8Array, string]>([
    ['{"a":1,}', 'The body is not JSON at line 1, column 8: a comma is before "}"; remove it.'],
    ['{"state":\n  tx}', 'The body is not JSON at line 2, column 3: "t" does not begin a value'],
    ['{"state": "tx"', 'The body is not JSON at line 1, column 15: the text ends before the closing }.'],
    [Buffer.from('{\n"a":"f\xff"}', 'latin1'), 'The body is not UTF-8: an invalid byte is at line 2, column 7.'],
    [`{"é":\n${'['.repeat(65)}${']'.repeat(65)}}`, 'The body is nested more than 64 levels deep at line 2, column 64.'],
  ])('names the place of the fault in %j', (body, detail) => {
    const parse = () => parseJson(typeof body === 'string' ? Buffer.from(body) : body);
    expect(parse).toThrow(detail);
  });

  it('refuses what is not UTF-8', async () => {
    expect(await outcome(request(new Uint8Array([0x22, 0xff, 0xfe, 0x22])))).toBe('malformed_json');
  });

  it('refuses nesting past the limit, however deep, and takes what is at it', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(await outcome(request(nested(MAX_NESTING)))).toBeInstanceOf(Array);
    expect(await outcome(request(nested(MAX_NESTING + 1)))).toBe('malformed_json');
    expect(
      await jsonBody(incomingOf(request(nested(100_000)), undefined), 1e6, false).catch((error) => error.code),
    ).toBe('malformed_json');
    expect(await outcome(request(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`))).toBe('malformed_json');
  });

  it('may be missing only where an operation can do without', async () => {
    expect(await outcome(request(null, {}), true)).toBeUndefined();
    expect(await outcome(request(null, {}))).toBe('malformed_json');
    expect(await outcome(request('', { 'content-type': 'application/json' }), true)).toBeUndefined();
  });
});
