import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readmeExamples, runExamples } from '../../../test/support/readme-examples.ts';

it('runs the example of the README over a book with a bad row', async () => {
  const packageFolder = join(import.meta.dirname, '..');
  const folder = mkdtempSync(join(tmpdir(), 'leeward-books-'));
  try {
    writeFileSync(
      join(folder, 'policies.csv'),
      'state,policy_type,total_claims\ntx,HO-3,1\ntexas,ho3,5\ntx,ho3,many\n',
    );
    const [example] = readmeExamples(packageFolder);
    const { printed } = await runExamples(packageFolder, [example!.code], folder);
    expect(printed[0]).toMatch(/^1 eligible\n2 ineligible\n3 \[\s+'total_claims is "many"; [^\n]+\n?\s*\]\n1\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
