import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, nameDataFolder } from './make-folder.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

it('creates missing folders, readable by their owner only', () => {
  using at = temporaryFolder();
  const path = join(at.path, 'a', 'b');
  makeFolder(path, nameDataFolder);
  makeFolder(path, nameDataFolder);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('names the setting of a folder that cannot be created', () => {
  using at = temporaryFolder();
  const file = join(at.path, 'file');
  writeFileSync(file, '');
  expect(() => makeFolder(file, nameDataFolder)).toThrow(/is not a folder: name another one with LEEWARD_DATA_DIR/);
  expect(() => makeFolder(join(file, 'x'), nameDataFolder)).toThrow(/cannot be made|no folder/);
});

it.skipIf(process.platform !== 'linux')('gives up if no folder can be created', () => {
  expect(() => makeFolder('/proc/leeward/data', nameDataFolder)).toThrow('cannot be made (ENOENT)');
});
