import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonText } from './json-text.ts';

/** JSON text of any shape, in which an object may give a key again; and whether one does. */
const written = fc.letrec<{ any: { text: string; isTwice: boolean } }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 0 }).map((value) => ({ text: JSON.stringify(value), isTwice: false })),
    fc.constantFrom('"a: \\"b\\""', '"\\\\"', '" : "', '"{\\"a\\":1}"').map((text) => ({ text, isTwice: false })),
    fc.array(tie('any'), { maxLength: 3 }).map((all) => ({
      text: `[${all.map(({ text }) => text).join(' , ')}]`,
      isTwice: all.some(({ isTwice }) => isTwice),
    })),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', ':', '"', '\\', '1'), tie('any')), { maxLength: 4 })
      .map((all) => ({
        text: `{${all.map(([key, { text }]) => `${JSON.stringify(key)} :${text}`).join(',\n')}}`,
        isTwice: all.some(([, { isTwice }]) => isTwice) || new Set(all.map(([key]) => key)).size < all.length,
      })),
  ),
})).any;

describe('JSON text', () => {
  it('is parsed like JSON, and names each duplicate key with its position', () => {
    fc.assert(
      fc.property(written, ({ text, isTwice }) => {
        const read = readJsonText(text);
        if (isTwice)
          expect('faults' in read && new Set(read.faults.map(({ code }) => code))).toEqual(new Set(['duplicate_key']));
        else expect(read).toMatchObject({ json: { value: JSON.parse(text) } });
      }),
      { numRuns: 300 },
    );
  });

  it('returns the position of a value and of its key', () => {
    const read = readJsonText('{\n  "a": [\n    1, { "b": "c: \\"d\\"" }\n  ]\n}');
    if (!('json' in read)) throw new Error('It was not read.');
    expect(read.json.positionOf('/a/1/b')).toEqual({ line: 3, column: 15 });
    expect(read.json.positionOf('/a/1/b', 'key')).toEqual({ line: 3, column: 10 });
    expect(read.json.positionOf('/a/1/none')).toEqual({ line: 3, column: 8 });
  });

  it('has the place of its first fault', () => {
    const read = readJsonText('{\n  "a": [1, 2\n}');
    const message = 'This is not JSON: a comma or ] is missing before "}".';
    expect(read).toEqual({ faults: [{ line: 3, column: 1, path: '', code: 'malformed_json', message }] });
  });

  it.each<[string, Buffer, object]>([
    ['Latin-1', Buffer.from('{\n "name": "Nuñez" }', 'latin1'), { line: 2, column: 13 }],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), { line: 1, column: 1 }],
    ['UTF-16 without a byte order mark', Buffer.from('{}', 'utf16le'), { line: 1, column: 1 }],
  ])('in %s is refused, not changed', (_, bytes, place) => {
    const message = expect.stringMatching(/^This is not UTF-8\. .*save the file as UTF-8\.$/);
    expect(readJsonText(bytes)).toEqual({ faults: [{ ...place, path: '', code: 'malformed_json', message }] });
  });

  it('with a zero byte is not UTF-16', () => {
    const message = expect.stringMatching(/^This is not JSON: U\+0000 does not begin a value/);
    expect(readJsonText(Buffer.from('[\0]'))).toMatchObject({ faults: [{ line: 1, column: 2, message }] });
  });

  it('in UTF-8 may have a byte order mark', () => {
    expect(readJsonText(Buffer.from('\ufeff{"name": "Nuñez"}'))).toMatchObject({ json: { value: { name: 'Nuñez' } } });
  });

  it('is given up where it nests too deep, and read where it nests deep', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(readJsonText(nested(500))).toMatchObject({ json: {} });
    expect(readJsonText(nested(200_000))).toMatchObject({ faults: [{ message: expect.stringContaining('too deep') }] });
  });
});
