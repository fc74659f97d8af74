import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitCsvLine } from './split-csv-line.ts';

describe('splitCsvLine', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['', ['']],
    ['a,b,c', ['a', 'b', 'c']],
    ['a,,', ['a', '', '']],
    ['"a,b",c', ['a,b', 'c']],
    ['"a ""b""",c', ['a "b"', 'c']],
    ['"",""', ['', '']],
    ['a,"b"', ['a', 'b']],
    ['"a",', ['a', '']],
    ['a "b",c', ['a "b"', 'c']],
    ['"a" b,c', undefined],
    ['"a,b', undefined],
    ['a,"', undefined],
  ])('%s', (line, fields) => {
    expect(splitCsvLine(line)).toEqual(fields);
  });

  it('reads back whatever was quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (fields) => {
        const line = fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',');
        expect(splitCsvLine(line)).toEqual(fields);
      }),
    );
  });
});
