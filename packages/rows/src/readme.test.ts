import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readmeExamples, runExamples } from '../../../test/support/readme-examples.ts';

it('runs the example of the README over a file with a bad row', async () => {
  const packageFolder = join(import.meta.dirname, '..');
  const folder = mkdtempSync(join(tmpdir(), 'leeward-rows-'));
  try {
    writeFileSync(join(folder, 'policies.csv'), 'id;state\n1;fl\n2;"tx\n3;la\n');
    const [example] = readmeExamples(packageFolder);
    const { printed, errors } = await runExamples(packageFolder, [example!.code], folder);
    expect(printed[0]).toContain("2 [ '1', 'fl' ]\n4 [ '3', 'la' ]");
    expect(errors).toContain('Line 3 cannot be read');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
