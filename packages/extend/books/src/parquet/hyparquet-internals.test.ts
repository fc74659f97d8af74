import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as internals from './hyparquet-internals.ts';

const versionOf = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;

it('knows the private modules of the installed hyparquet', () => {
  const manifest = new URL('../../package.json', import.meta.url);
  const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: Record<string, string> };
  const folder = import.meta.resolve('hyparquet').replace(/src\/[^/]+$/, '');
  // Before raising the version, compare the signatures of these functions in both.
  expect(dependencies['hyparquet']).toBe('1.31.5');
  expect(versionOf(new URL('package.json', folder).pathname)).toBe(dependencies['hyparquet']);
  const { DEFAULT_PARSERS, ...functions } = internals;
  expect(Object.entries(functions).map(([name, each]) => `${name}/${each.length}`)).toEqual([
    'assembleNested/3',
    'convert/2',
    'decompressPage/4',
    'deltaBinaryUnpack/3',
    'parquetHeader/1',
    'readPage/6',
  ]);
  expect(Object.keys(DEFAULT_PARSERS)).toContain('stringFromBytes');
});
