import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${packageFolder}README.md`, 'utf8');
/** Each example, with the text block behind it where there is one. */
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms)].map((match) => ({
  code: match[1]!,
  printed: match[2],
}));

describe('the README', () => {
  it('has its examples', () => {
    expect(examples).toHaveLength(11);
  });

  it.each(examples.map((example, index) => ({ index, ...example })))(
    'example $index prints what it says',
    ({ code, printed }) => {
      const flags = [
        '--conditions=@leeward/source',
        '--disable-warning=ExperimentalWarning',
        '--input-type=module-typescript',
      ];
      const run = spawnSync(process.execPath, flags, { cwd: packageFolder, input: code, encoding: 'utf8' });
      const comments = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => `${match[1]}\n`);
      expect(run.stderr).toBe('');
      expect(run.stdout).toBe(printed ?? comments.join(''));
    },
  );
});
