import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'leeward-readme-'));
const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);

describe('the README', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has examples', () => {
    expect(examples.length).toBeGreaterThanOrEqual(3);
  });

  it.each(examples.map((code, number) => [number + 1, code] as const))(
    'example %i prints what it says',
    async (number, code) => {
      const file = join(folder, `example-${number}.ts`);
      writeFileSync(
        file,
        code.replace(
          /'@leeward\/coast(\/\w+)?'/g,
          (_, subpath = '') => `'${pathToFileURL(join(import.meta.dirname, subpath, 'index.ts'))}'`,
        ),
      );
      const log = vi.spyOn(console, 'log').mockImplementation(() => {});
      try {
        await import(pathToFileURL(file).href);
        const printed = log.mock.calls.map((call) => call.join(' '));
        expect(printed).toEqual([...code.matchAll(/^\/\/ → (.*)$/gm)].map(([, text]) => text));
      } finally {
        log.mockRestore();
      }
    },
  );
});
