import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const packageFolder = resolve(import.meta.dirname, '..');
const example = /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(packageFolder, 'README.md'), 'utf8'))![1]!;

it('runs the example of the README over a file with a bad row', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-rows-'));
  try {
    writeFileSync(join(folder, 'policies.csv'), 'id;state\n1;fl\n2;"tx\n3;la\n');
    // The file is sought where the program runs; the package where it stands.
    const program = `process.chdir(${JSON.stringify(folder)});\n${example}`;
    const flags = [
      '--conditions=@leeward/source',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module-typescript',
    ];
    const run = spawnSync(process.execPath, flags, { cwd: packageFolder, input: program, encoding: 'utf8' });
    expect(run.status).toBe(0);
    expect(run.stdout).toContain("2 [ '1', 'fl' ]\n4 [ '3', 'la' ]");
    expect(run.stderr).toContain('Line 3 cannot be read');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
