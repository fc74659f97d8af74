import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres } from '@leeward/database/testing';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { hasPythonModules, python } from './support/engines.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import { workspace } from './support/running-leeward.ts';

const server = await findPostgres();
const url = 'url' in server ? server.url : undefined;
const isRequired = process.env['LEEWARD_REQUIRE_SERVICES'] === '1';
const schema = `leeward_guide_${process.pid}`;

/** The code blocks of a guide in one language. */
function blockOf(guide: string, language: string): string | undefined {
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(guide)?.[1];
}

describe.skipIf(!hasPythonModules('duckdb', 'chdb', 'psycopg'))('guides of rules as SQL', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it.each(['duckdb', 'postgresql', 'clickhouse'])('%s prints what it shows', async (name) => {
    if (name === 'postgresql' && url === undefined && !isRequired) return;
    const folder = mkdtempSync(join(tmpdir(), 'leeward-guide-'));
    folders.push(folder);
    const guide = readFileSync(join(workspace, `docs/guides/${name}.md`), 'utf8');
    const commands = blockOf(guide, 'sh')!.replaceAll('\\\n', ' ').trim().split('\n');
    const words = commands
      .find((line) => line.startsWith('leeward '))!
      .split(/\s+/)
      .slice(1);
    const compiled = await runLeewardHere(words, { folder }).ended;
    expect(compiled.errors).toBe('');
    const book = blockOf(guide, 'csv');
    if (book !== undefined) writeFileSync(join(folder, 'homes.csv'), book);
    const client = name === 'postgresql' ? new pg.Client({ connectionString: url }) : undefined;
    await client?.connect();
    await client?.query(`CREATE SCHEMA ${schema}`);
    try {
      const environment = { ...process.env, DATABASE_URL: `${url}?options=-csearch_path%3D${schema}` };
      const code = blockOf(guide, 'python')!;
      const done = spawnSync(python, ['-c', code], { cwd: folder, encoding: 'utf8', env: environment });
      expect(done.stderr).toBe('');
      expect(done.stdout).toBe(blockOf(guide, 'text'));
    } finally {
      await client?.query(`DROP SCHEMA ${schema} CASCADE`);
      await client?.end();
    }
  });
});
