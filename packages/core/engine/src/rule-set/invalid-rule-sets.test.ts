import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkRuleSet } from './check.ts';

const folder = new URL('../../../../../fixtures/invalid-rule-sets/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

interface Expected {
  readonly file: string;
  readonly code: string;
  readonly path: string;
}
const expected = read('expected.ndjson')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Expected);

describe('files with one mistake each', () => {
  it('are at least twenty, and every one is expected to fail in its way', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(files.length).toBeGreaterThanOrEqual(20);
    expect(expected.map((each) => each.file).sort()).toEqual(files.sort());
  });

  const readable = expected.filter((each) => each.code !== 'malformed_json');
  it.each(readable)('$file has one fault, $code at $path', ({ file, code, path }) => {
    expect(checkRuleSet(JSON.parse(read(file))).faults).toEqual([{ code, path, message: expect.any(String) }]);
  });

  it.each(expected.filter((each) => each.code === 'malformed_json'))('$file is not JSON', ({ file }) => {
    expect(() => JSON.parse(read(file))).toThrow(SyntaxError);
  });
});
