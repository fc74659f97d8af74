import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { kernels, writeKernel } from '../scripts/build-kernel.ts';

it.each(kernels)('has the bytes that the source in $source compiles to', async (kernel) => {
  const file = join(import.meta.dirname, '../packages/extend/artifact', kernel.target);
  expect(readFileSync(file, 'utf8') === (await writeKernel(kernel)), 'run `npm run build:kernels`').toBe(true);
});
