import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { workspace } from './support/running-leeward.ts';

const folder = join(workspace, '.leeward', `pages-${process.pid}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the named examples of a page. @returns the test among them. */
function examplesOf(page: string): { readonly code: string; readonly test: string } {
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(workspace, 'docs', page), 'utf8');
  const files = [...text.matchAll(/^```ts\n\/\/ (\S+\.ts)\n(.*?)^```$/gms)].map(([, name, code]) => {
    const path = join(folder, name!);
    writeFileSync(path, code!);
    return { path, code: code! };
  });
  expect(files).toHaveLength(2);
  return { code: files[0]!.code, test: files[1]!.path };
}

const queue = examplesOf('queue-backends.md');
describe('the queue of the page', async () => {
  await import(pathToFileURL(queue.test).href);
  it('has at most 80 lines', () => expect(queue.code.trimEnd().split('\n').length).toBeLessThanOrEqual(80));
});

const adapter = examplesOf('carrier-adapters.md');
describe('the adapter of the page', async () => {
  await import(pathToFileURL(adapter.test).href);
});
