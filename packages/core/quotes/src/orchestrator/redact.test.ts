import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';

const secret = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' }).filter((text) => text.trim().length >= 8);
/** Places in which a request or an answer may repeat a secret. */
const places: Record<string, (text: string) => string | Uint8Array> = {
  text: (text) => `before ${text} after`,
  json: (text) => JSON.stringify({ note: [`<${text}>`], [text]: 1 }),
  xml: (text) => `<a>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</a>`,
  form: (text) => new URLSearchParams({ note: text }).toString(),
  address: (text) => `https://carrier.example/${encodeURIComponent(text)}?q=1`,
  base64: (text) => Buffer.from(text).toString('base64'),
  'utf-16': (text) => Buffer.from(`{ "a": "${text}" }`, 'utf16le'),
  'big-endian utf-16': (text) => Buffer.from(`"${text}"`, 'utf16le').swap16(),
};
const marked = (redacted: Buffer) => redacted.toString('latin1').includes('[redacted]');

describe('redaction', () => {
  it.each(Object.entries(places))('removes listed secrets in %s', (_, write) => {
    fc.assert(
      fc.property(secret, (text) => {
        const bytes = Buffer.from(write(text) as string);
        const redacted = createRedactor([text]).bytes(bytes);
        expect(marked(redacted)).toBe(true);
        for (const form of [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]) {
          // Parts of the mark itself do not count.
          if (!'[redacted]'.includes(form)) expect(redacted.includes(form)).toBe(false);
        }
        expect(redacted.includes(Buffer.from(text, 'utf16le'))).toBe(false);
      }),
    );
  });

  it('removes short secrets only as whole words', () => {
    const { text } = createRedactor(['42', 'key']);
    expect(text('{"id":"42","premium":1842.42,"other":142,"keys":"key"}')).toBe(
      '{"id":"[redacted]","premium":1842.42,"other":142,"keys":"[redacted]"}',
    );
  });

  it('removes values whose names suggest a secret, and leaves others', () => {
    const { text, headers } = createRedactor([]);
    const json = '{"user":"a","Password":"p\\"q","apiKey":12,"access_token" : "t","premium":1.5,"tokens":["x"]}';
    expect(JSON.parse(text(json))).toEqual({
      ...{ user: 'a', Password: '[redacted]', apiKey: '[redacted]', access_token: '[redacted]' },
      ...{ premium: 1.5, tokens: ['x'] },
    });
    expect(text('<q:Login a="1" apiKey="k"><q:Password type="x">p</q:Password><Name>n</Name></q:Login>')).toBe(
      '<q:Login a="1" apiKey="[redacted]"><q:Password type="x">[redacted]</q:Password><Name>n</Name></q:Login>',
    );
    expect(text('https://c.example/q?form=ho3&api_key=k1&zip=34471')).toBe(
      'https://c.example/q?form=ho3&api_key=[redacted]&zip=34471',
    );
    expect(text('user=a&client_secret=s')).toBe('user=a&client_secret=[redacted]');
    const sent = {
      authorization: 'Bearer t',
      cookie: 'c',
      'set-cookie': 'd',
      'X-Api-Key': 'k',
      accept: 'a',
      'idempotency-key': 'i',
    };
    expect(headers(sent)).toEqual({
      ...{ authorization: '[redacted]', cookie: '[redacted]', 'set-cookie': '[redacted]', 'X-Api-Key': '[redacted]' },
      ...{ accept: 'a', 'idempotency-key': 'i' },
    });
  });

  it('leaves bytes without secrets unchanged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(createRedactor(['a long secret']).bytes(bytes)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each(['"token', '"token":"', '<token ', ' token="', 'token=', '&token', '"a'])(
    'takes linear time for %s repeated',
    (part) => {
      const startedAt = performance.now();
      createRedactor(['a long secret']).text(part.repeat(1_000_000 / part.length));
      expect(performance.now() - startedAt).toBeLessThan(3000);
    },
  );
});
