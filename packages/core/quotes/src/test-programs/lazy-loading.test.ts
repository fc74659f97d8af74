import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { nodeFlags } from '../../../../../test/support/node-flags.ts';

it('loads no optional peer before a backend that needs it is created', () => {
  const program = fileURLToPath(new URL('./list-imports.program.ts', import.meta.url));
  const run = spawnSync(process.execPath, [...nodeFlags, program], { encoding: 'utf8' });
  const seen = JSON.parse(run.stdout) as Record<string, string[]>;
  for (const [path, loaded] of Object.entries(seen)) {
    for (const peer of ['bullmq', 'ioredis', 'pg-boss', 'pg', 'node:sqlite', 'vitest'])
      expect(loaded, path).not.toContain(peer);
  }
  expect(seen['../index.ts']).toContain('zod');
  expect(seen['../index.ts']).not.toContain('p-queue');
  expect(seen['../queues/p-queue.ts']).toContain('p-queue');
});
