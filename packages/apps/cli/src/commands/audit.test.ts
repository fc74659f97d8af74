import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

it('exports the audit log, verifies it offline, and names a changed or missing entry', async () => {
  using folder = temporaryFolder();
  const environment = { LEEWARD_DATA_DIR: join(folder.path, 'data') };
  const leeward = (words: string) => runWords(words.split(' '), { environment, folder: folder.path });
  expect((await leeward('audit verify')).output).toMatch(/^0 entries of 0 chains verified/);
  const { organization_id: id } = JSON.parse((await leeward('organization create Agency --json')).output);
  for (const name of ['A', 'B', 'C']) await leeward(`team create ${name} --organization ${id}`);
  expect((await leeward('audit verify')).output).toMatch(/^4 entries of 1 chains verified/);

  const { output } = await leeward('audit export');
  await leeward('audit export --out log.ndjson');
  const file = join(folder.path, 'log.ndjson');
  expect(readFileSync(file, 'utf8')).toBe(output);
  expect(await leeward('audit verify log.ndjson')).toMatchObject({ code: 0 });
  const lines = output.split('\n').slice(0, -1);
  const verified = async (changed: readonly string[]) => {
    writeFileSync(file, `${changed.join('\n')}\n`);
    return leeward('audit verify log.ndjson');
  };
  expect((await verified(lines.with(3, lines[3]!.replace('"A"', '"X"')))).output).toContain('Entry 2 (');
  expect((await verified(lines.toSpliced(3, 1))).output).toContain('Entry 2 is missing');
  expect(await verified(lines.slice(0, -1))).toMatchObject({
    code: 1,
    output: expect.stringContaining('Entry 4 is missing'),
  });
  expect(await verified(['{}'])).toMatchObject({ code: 1, errors: expect.stringContaining('is not an export') });

  expect(await leeward('audit verify --since 1d')).toMatchObject({ code: 0 });
  expect((await leeward('audit verify --since soon')).errors).toContain('--since is "soon"');
  using database = new DatabaseSync(join(folder.path, 'data', 'leeward.sqlite'));
  database.exec('delete from accounts_audit where sequence = 4');
  expect(await leeward(`audit verify --organization ${id}`)).toMatchObject({
    code: 1,
    output: expect.stringContaining('Entry 4 is missing'),
  });
  database.exec('delete from accounts_audit_chains');
  expect((await leeward('audit verify')).output).toContain('end of the chain is missing');
});
