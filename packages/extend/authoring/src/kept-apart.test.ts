import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Every source file that a file imports, itself included. */
function importedBy(entry: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(entry.href)) return seen;
  seen.add(entry.href);
  for (const [, path] of readFileSync(entry, 'utf8').matchAll(/from '(\.{1,2}\/[^']+\.ts)'/g)) {
    importedBy(new URL(path!, entry), seen);
  }
  return seen;
}

it('what authors need stays out of what runs', () => {
  const running = importedBy(new URL('../index.ts', import.meta.url));
  expect(running.size).toBeGreaterThan(50);
  expect([...running].filter((path) => path.includes('/authoring/'))).toEqual([]);
  const authoring = importedBy(new URL('./index.ts', import.meta.url));
  expect([...authoring].some((path) => path.endsWith('/authoring/analyse.ts'))).toBe(true);
});
