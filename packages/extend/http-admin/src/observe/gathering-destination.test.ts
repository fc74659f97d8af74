import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { nodeFlags } from '../../../../../test/support/node-flags.ts';

const flags = [...nodeFlags, '--input-type=module-typescript'];
const logger = fileURLToPath(new URL('./logger.ts', import.meta.url));
const program = (code: string) => [
  ...flags,
  '--eval',
  `import { createLogger } from ${JSON.stringify(logger)};\nconst log = createLogger();\n${code}`,
];

it.each([
  ['ends by itself', ''],
  ['is told to exit', 'process.exit(0);'],
])('loses no line of a process that %s', (_, end) => {
  const lines = execFileSync(
    process.execPath,
    program(`for (let n = 0; n < 5000; n++) log.info({ n }, 'é');\n${end}`),
    {
      encoding: 'utf8',
      maxBuffer: 1e8,
    },
  )
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual(Array.from({ length: 5000 }, (_, n) => n));
});

it('writes after a short time without further lines', async () => {
  const child = spawn(process.execPath, program(`log.info('up'); setInterval(() => {}, 1000);`));
  const [line] = await new Promise<string[]>((resolve) =>
    child.stdout.once('data', (text) => resolve(String(text).split('\n'))),
  );
  child.kill();
  expect(JSON.parse(line!)).toMatchObject({ msg: 'up' });
});
