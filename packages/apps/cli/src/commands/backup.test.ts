import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

it('leeward backup and restore bring organizations back, and never overwrite a database', async () => {
  using folder = temporaryFolder();
  const leeward = (words: string, data = 'data') =>
    runWords(words.split(' '), { environment: { LEEWARD_DATA_DIR: join(folder.path, data) }, folder: folder.path });
  expect((await leeward('organization create Suncoast')).code).toBe(0);
  expect(await leeward('backup monday.sqlite')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Backed up to .*monday.sqlite: [\d,]+ bytes, checked.\n.*LEEWARD_FIELDS_KEY/),
  });
  expect(await leeward('backup monday.sqlite')).toMatchObject({ code: 1, errors: expect.stringContaining('exists') });
  expect((await leeward('organization create Harbor')).code).toBe(0);

  expect(await leeward('restore monday.sqlite')).toMatchObject({
    code: 1,
    errors: expect.stringContaining('--move-old-to'),
  });
  expect((await leeward('organization list')).output).toContain('Harbor');
  expect(await leeward('restore monday.sqlite --move-old-to old.sqlite')).toMatchObject({ code: 0, errors: '' });
  const restored = (await leeward('organization list')).output;
  expect([restored.includes('Suncoast'), restored.includes('Harbor')]).toEqual([true, false]);
  expect(existsSync(join(folder.path, 'old.sqlite'))).toBe(true);

  expect(JSON.parse((await leeward('restore monday.sqlite --json', 'other')).output)).toMatchObject({
    file: join(folder.path, 'other/leeward.sqlite'),
  });
  expect((await leeward('organization list', 'other')).output).toContain('Suncoast');
});

it('leeward backup of a PostgreSQL database names the command to use', async () => {
  const environment = { LEEWARD_DATABASE_URL: 'postgres://pg@127.0.0.1/leeward' };
  for (const words of [
    ['backup', 'x.dump'],
    ['restore', 'x.dump'],
  ]) {
    expect(await runWords(words, { environment })).toMatchObject({
      code: 1,
      errors: expect.stringMatching(words[0] === 'backup' ? /pg_dump --format=custom/ : /pg_restore --no-owner/),
    });
  }
});
