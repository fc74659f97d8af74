import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, as fast-check's `unit: 'binary'`, value for value: that one makes a table of all 1.1 million of them to find
 * its way back from a character, which takes most of a second in every process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || text !== String.fromCodePoint(code) || !(text as string).isWellFormed())
      throw new Error('no character');
    return code < SURROGATES.from ? code : code - SURROGATES.count;
  },
);

/** Text of any characters. */
export function anyText(constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter });
}
