import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${packageFolder}README.md`, 'utf8');
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]!);

it.each([
  ['the beginning', 0, 'underwrite distance\nbayou_mutual in fl\n'],
  ['keeping what is compiled', 1, ''],
  ['a database', 2, '0\n'],
])('the example of %s runs as printed', (_, index, printed) => {
  const flags = [
    '--conditions=@leeward/source',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module-typescript',
  ];
  const run = spawnSync(process.execPath, flags, { cwd: packageFolder, input: blocks[index]!, encoding: 'utf8' });
  expect(run.stderr).toBe('');
  expect(run.stdout).toBe(printed);
  expect(blocks).toHaveLength(3);
});
