import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const packageFolder = resolve(import.meta.dirname, '..');
const example = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(packageFolder, 'README.md'), 'utf8'))![1]!;

it('runs the example of the README over a book with a bad row', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-books-'));
  try {
    writeFileSync(
      join(folder, 'policies.csv'),
      'state,policy_type,total_claims\ntx,HO-3,1\ntexas,ho3,5\ntx,ho3,many\n',
    );
    // The file is sought where the program runs; the packages where they stand.
    const program = `process.chdir(${JSON.stringify(folder)});\n${example}`;
    const flags = [
      '--conditions=@leeward/source',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module-typescript',
    ];
    const run = spawnSync(process.execPath, flags, { cwd: packageFolder, input: program, encoding: 'utf8' });
    expect(run.stdout).toMatch(/^1 eligible\n2 ineligible\n3 \[\s+'total_claims is "many"; [^\n]+\n?\s*\]\n1\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
