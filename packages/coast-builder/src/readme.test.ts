import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..');
const readme = readFileSync(join(folder, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]!);

describe('the examples of the README', () => {
  it('are there', () => {
    expect(examples.length).toBe(2);
  });

  it.each(examples.map((example, index) => [index + 1, example] as const))(
    'number %i runs and prints what it says',
    (_, example) => {
      const output = execFileSync(
        process.execPath,
        [
          '--conditions=@leeward/source',
          '--disable-warning=ExperimentalWarning',
          '--input-type=module-typescript',
          '-e',
          example,
        ],
        { cwd: folder, encoding: 'utf8' },
      );
      // A comment after console.log is what it prints.
      const promised = [...example.matchAll(/console\.log\(.*?\);? \/\/ (.*)/g)].map((match) => match[1]);
      expect(output.trim().split('\n')).toEqual(promised);
    },
  );
});
