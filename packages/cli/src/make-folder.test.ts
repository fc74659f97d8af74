import { mkdtempDisposableSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, nameDataFolder } from './make-folder.ts';

it('makes what is missing, for its owner alone', () => {
  using at = mkdtempDisposableSync(join(tmpdir(), 'leeward-folder-'));
  const path = join(at.path, 'a', 'b');
  makeFolder(path, nameDataFolder);
  makeFolder(path, nameDataFolder);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('says which setting is wrong where it cannot', () => {
  using at = mkdtempDisposableSync(join(tmpdir(), 'leeward-folder-'));
  const file = join(at.path, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file, nameDataFolder)).toThrow(/is no folder: name another one with LEEWARD_DATA_DIR/);
  expect(() => makeFolder(join(file, 'x'), nameDataFolder)).toThrow(/cannot be made|no folder/);
});

it.skipIf(process.platform !== 'linux')('does not try for ever where there is no place for folders', () => {
  expect(() => makeFolder('/proc/leeward/data', nameDataFolder)).toThrow('cannot be made (ENOENT)');
});
