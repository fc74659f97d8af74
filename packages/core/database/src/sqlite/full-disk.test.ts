import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { nodeFlags } from '../../../../../test/support/node-flags.ts';
import { testEngines } from '../testing/index.ts';

it('a file that cannot grow is not writable, and is again when it can', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-full-'));
  try {
    const program = fileURLToPath(new URL('../test-programs/fill-disk.program.ts', import.meta.url));
    const flags = nodeFlags.join(' ');
    // Limits files of this process to 400 KiB.
    const command = `trap '' XFSZ; ulimit -S -f 400; exec "${process.execPath}" ${flags} "${program}" "sqlite:${join(folder, 'a.db')}"`;
    const run = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(JSON.parse(run.stdout)).toEqual({
      before: 'writable',
      write: 'unavailable and unwritable',
      full: 'unwritable',
      ping: 'answers',
      after: 'writable',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each(await testEngines())('a database in order is writable, on $title', async (engine) => {
  if (engine.skip !== undefined) return;
  await using place = await engine.createPlace();
  const database = await place.open();
  await database.checkWritable();
  await database.checkWritable();
});
