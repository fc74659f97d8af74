import { expect, it } from 'vitest';
import { runProgram } from './test-programs/run-program.ts';

it('loads neither pg nor SQLite until a database of that kind is opened', async () => {
  const loaded = JSON.parse(await runProgram('list-imports', [])) as { atImport: string[]; afterSqlite: string[] };
  expect(loaded.atImport).toContain('kysely');
  expect(loaded.atImport).not.toContain('pg');
  expect(loaded.atImport).not.toContain('node:sqlite');
  expect(loaded.afterSqlite).toContain('node:sqlite');
  expect(loaded.afterSqlite).not.toContain('pg');
});
