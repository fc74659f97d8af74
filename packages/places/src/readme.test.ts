import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${packageFolder}/README.md`, 'utf8');
const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1]!);

// Within the package, so that it can import itself by its name.
mkdirSync(`${packageFolder}/.leeward`, { recursive: true });
const folder = mkdtempSync(`${packageFolder}/.leeward/readme-`);
afterAll(() => rmSync(folder, { recursive: true }));

describe('the README', () => {
  it('has its examples', () => {
    expect(blocks).toHaveLength(5);
  });

  it.each(blocks.map((block, index) => [index, block] as const))(
    'example %i prints what its comments say',
    async (index, block) => {
      const file = `${folder}/example-${index}.ts`;
      writeFileSync(file, block);
      const flags = ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'];
      const { stdout } = await run(process.execPath, [...flags, file], { cwd: folder });
      const expected = [...block.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1]);
      expect(stdout.trimEnd().split('\n')).toEqual(expected);
    },
  );
});
