import { describe, expect, it } from 'vitest';
import { readJsonFile } from './json-file.ts';

describe('readJsonFile', () => {
  it('knows the line of every part, and of the nearest where a part is missing', () => {
    const read = readJsonFile('a.json', '{\n  "rules": [\n    { "id": "x",\n      "a/b": { "c~d": 1 } }\n  ]\n}\n');
    if (!('value' in read)) throw new Error('this is JSON');
    expect(read.value).toEqual({ rules: [{ id: 'x', 'a/b': { 'c~d': 1 } }] });
    expect(
      ['', '/rules', '/rules/0', '/rules/0/id', '/rules/0/a~1b/c~0d', '/rules/0/when', '/rules/7'].map(read.lineOf),
    ).toEqual([1, 2, 3, 3, 4, 3, 2]);
  });

  it('takes a byte order mark', () => {
    expect(readJsonFile('a.json', '\uFEFF{"a":1}')).toMatchObject({ value: { a: 1 } });
  });

  it.each([
    ['{"a": 1,}', 1],
    ['{\n  "a": 1\n  "b": 2\n}', 3],
    ['{\n "a": 1 // why\n}', 2],
    ['', 1],
    ['{"a": [1, 2', 1],
  ])('refuses %j at its line', (text, line) => {
    expect(readJsonFile('a.json', text)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          file: 'a.json',
          line,
          code: 'malformed_json',
          message: expect.stringContaining('not JSON'),
        }),
      ]),
    );
  });

  it('refuses a key given twice, at any depth: a rule would be lost', () => {
    expect(readJsonFile('a.json', '{"a": [{"b": 1,\n "c": 2,\n "b": 3}]}')).toMatchObject([
      { line: 3, path: '/a/0/b', code: 'duplicate_key' },
    ]);
  });
});
