import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { runWords } from '../packages/cli/src/testing/run-words.ts';
import { runExamples } from './support/readme-examples.ts';
import { workspace } from './support/running-leeward.ts';

const _run = promisify(execFile);

/** Pages whose TypeScript is run as it stands; what a line prints is written behind it: `//=> 200`. */
const pages = ['README.md', 'packages/http/README.md', 'packages/cli/README.md'];

function blocksOf(page: string): string[] {
  const text = readFileSync(join(workspace, page), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
}

describe.each(pages)('%s', (page) => {
  const blocks = blocksOf(page);
  let printed: readonly string[];
  beforeAll(async () => {
    ({ printed } = await runExamples(join(workspace, 'packages/cli'), blocks, workspace));
  });

  it.runIf(blocks.length > 0).each(blocks.map((code, index) => [index + 1, code] as const))(
    'block %i does what it says',
    (number, code) => {
      const promised = [...code.matchAll(/\/\/=> (.*)$/gm)].map((match) => match[1]);
      expect(promised.length).toBeGreaterThan(0);
      const lines = printed[number - 1]!.trimEnd().split('\n');
      expect(lines.filter((line) => promised.includes(line))).toEqual(promised);
    },
  );
});

describe('the first screen', () => {
  it('shows lines of a table that the command prints', async () => {
    const text = readFileSync(join(workspace, 'README.md'), 'utf8');
    const [, file = ''] = /npx leeward underwrite (\S+)/.exec(text) ?? [];
    const table = /```text\n(.*?)```/s.exec(text)?.[1]?.trim().split('\n') ?? [];
    const { output } = await runWords(['underwrite', file], { folder: workspace });
    expect(table.length).toBeGreaterThan(6);
    for (const line of table) expect(output.split('\n')).toContain(line);
  });

  it('shows what the command says of the nearest shore', async () => {
    const text = readFileSync(join(workspace, 'README.md'), 'utf8');
    const [, latitude = '', longitude = ''] = /npx leeward coast near (\S+) (\S+)/.exec(text) ?? [];
    const shown = /```text\n(The coast is .*?)```/s.exec(text)?.[1] ?? '';
    const { output } = await runWords(['coast', 'near', latitude, longitude], { folder: workspace });
    expect(shown.split('\n').length).toBeGreaterThan(3);
    expect(output).toContain(shown);
  });
});
