import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault, findUtf8Fault, placeInText } from './json-fault.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const pieces = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    'u',
    '0',
    '1',
    '-',
    '.',
    'e',
    '+',
    't',
    'true',
    'null',
    ' ',
    '\n',
    '\u0001',
  ],
  ...['"a"', '"a":', '\\u00e9', '\\n', '\ufeff', 'é', '\ud800'],
);
/** JSON, with or without a change, and text of its parts. */
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
  fc
    .tuple(fc.json({ depthSize: 'medium' }), fc.nat(), fc.nat(2), fc.array(pieces, { maxLength: 2 }))
    .map(([json, at, length, all]) => {
      const from = at % (json.length + 1);
      return json.slice(0, from) + all.join('') + json.slice(from + length);
    }),
);

describe('the first fault of a text', () => {
  it('exists exactly if JSON.parse refuses the text', () => {
    let malformed = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const fault = findJsonFault(text);
        expect({ text, isJson: fault === undefined }).toEqual({ text, isJson: isJson(text) });
        if (fault !== undefined) malformed += 1;
      }),
      { numRuns: 3000 },
    );
    expect(malformed).toBeGreaterThan(500);
  });

  it.each([
    ['', 1, 1, 'the text is empty'],
    [' \n ', 2, 2, 'the text is empty'],
    ['[1,,2]', 1, 4, 'a value is missing before ","'],
    ['[1,]', 1, 4, 'a comma is before "]"; remove it'],
    ['{"a":1,\n}', 2, 1, 'a comma is before "}"; remove it'],
    ['[1 2]', 1, 4, 'a comma or ] is missing before "2"'],
    ['{"a":1]', 1, 7, 'a comma or } is missing before "]"'],
    ['{"a" 1}', 1, 6, 'a colon is missing after the key'],
    ["{'a':1}", 1, 2, 'a key in double quotes is missing before "\'"'],
    ['{"a":', 1, 6, 'a value is missing: the text ends before the closing }'],
    ['[1,\n 2', 2, 3, 'the text ends before the closing ]'],
    ['{"a":1}{', 1, 8, 'the value ends before "{"; remove the rest'],
    ['["a\tb"]', 1, 4, 'U+0009 is within a string; write it as \\t'],
    ['["\\x"]', 1, 3, 'a backslash is before "x"; write \\\\ for a backslash'],
    ['["\\u12"]', 1, 3, '\\u needs four hexadecimal digits'],
    ['["a', 1, 2, 'this string has no closing quotation mark'],
    ['[-]', 1, 3, 'a digit is missing after the minus sign'],
    ['[1.]', 1, 4, 'a digit is missing after the decimal point'],
    ['[1e+]', 1, 5, 'a digit is missing after the e of the exponent'],
    ['[012]', 1, 2, 'a number begins with a superfluous 0'],
    ['NaN', 1, 1, '"N" does not begin a value: all but numbers, true, false and null is in double quotes'],
    ['[\u2060]', 1, 2, 'U+2060 does not begin a value: all but numbers, true, false and null is in double quotes'],
  ])('of %j is on line %i, column %i', (text, line, column, message) => {
    expect(findJsonFault(text)).toEqual({ line, column, message });
  });

  it('is found below any number of brackets', () => {
    expect(findJsonFault('['.repeat(100_000))).toMatchObject({ line: 1, column: 100_001 });
    expect(findJsonFault('[{"":'.repeat(50_000))).toMatchObject({ line: 1, column: 250_001 });
    expect(findJsonFault('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined();
  });
});

describe('the first byte that is not UTF-8', () => {
  it.each<[string, readonly number[], number, number]>([
    ['a byte of Latin-1', [0x22, 0xe9, 0x22], 1, 2],
    ['on the second line', [0x61, 0x0a, 0x62, 0xff], 2, 2],
    ['behind characters of several bytes', [...Buffer.from('é💧\ud7ff'), 0x80], 1, 5],
    ['a character that is cut off', [0x61, 0xe2, 0x82], 1, 2],
    ['an overlong form', [0xc0, 0xaf], 1, 1],
    ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 1, 2],
  ])('is found: %s', (_, bytes, line, column) => {
    expect(findUtf8Fault(Uint8Array.from(bytes))).toEqual({ line, column });
  });

  it('does not exist in text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => findUtf8Fault(Buffer.from(text)) === undefined));
  });

  it('is where an invalid byte was put', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        const text = before.toWellFormed().replace(/^\ufeff+/, '');
        const bytes = Buffer.concat([Buffer.from(text), Buffer.of(0xff), Buffer.from(after)]);
        expect(findUtf8Fault(bytes)).toEqual(placeInText(text, text.length));
      }),
    );
  });
});
