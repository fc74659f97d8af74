import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerStatic, createStaticContent, type StaticContent } from './static-content.ts';

const text = 'a home near the coast '.repeat(200);
const content: StaticContent = {
  contentType: 'text/plain',
  version: 'v1',
  ...{ bytes: Buffer.from('plain'), gzip: Buffer.from('zipped'), br: Buffer.from('brotli') },
};
const asked = (fields: Readonly<Record<string, string>> = {}) => ({ header: (name: string) => fields[name] ?? null });

describe('static content', () => {
  it.each([
    [undefined, 'plain'],
    ['', 'plain'],
    ['gzip, deflate', 'zipped'],
    ['gzip, deflate, br', 'brotli'],
    ['BR', 'brotli'],
    ['gzip;q=1.0, br;q=0', 'zipped'],
    ['br; q=0.1', 'brotli'],
    ['*', 'brotli'],
    ['br;q=0, *', 'zipped'],
    ['*;q=0', 'plain'],
    ['gzip;q=nonsense', 'plain'],
    ['zstd, deflate', 'plain'],
  ])('is encoded for Accept-Encoding %j as %s', (field, expected) => {
    const answer = answerStatic(content, asked(field === undefined ? {} : { 'accept-encoding': field }));
    expect(Buffer.from(answer.bytes!).toString()).toBe(expected);
    expect(answer.headers?.['vary']).toBe('accept-encoding');
    const encoding = { plain: undefined, zipped: 'gzip', brotli: 'br' }[expected];
    expect(answer.headers?.['content-encoding']).toBe(encoding);
    expect(answer.headers?.['etag']).toBe(encoding === undefined ? '"v1"' : `"v1-${encoding}"`);
  });

  it.each([
    ['"v1-gzip"', 304],
    ['"other", W/"v1-gzip"', 304],
    ['*', 304],
    ['"v1"', 200],
    ['"v1-br"', 200],
    ['v1-gzip', 200],
  ])('is answered to If-None-Match %s with %i', (field, status) => {
    const answer = answerStatic(content, asked({ 'accept-encoding': 'gzip', 'if-none-match': field }));
    expect(answer).toMatchObject({ status, headers: { etag: '"v1-gzip"', 'cache-control': 'no-cache' } });
    expect(answer.bytes === undefined).toBe(status === 304);
    expect(answer.headers?.['content-encoding']).toBe(status === 304 ? undefined : 'gzip');
  });

  it('is compressed once, and changes its version with its bytes', async () => {
    const made = await createStaticContent(text, 'text/plain');
    expect(gunzipSync(made.gzip!).toString()).toBe(text);
    expect(made.gzip!.byteLength).toBeLessThan(text.length / 10);
    if (process.versions.node.startsWith('24.')) {
      await expect.poll(() => made.br && brotliDecompressSync(made.br).toString()).toBe(text);
    }
    expect(made.version).toMatch(/^[0-9a-f]{32}$/);
    expect((await createStaticContent(text, 'text/plain')).version).toBe(made.version);
    expect((await createStaticContent(`${text}.`, 'text/plain')).version).not.toBe(made.version);
  });
});
