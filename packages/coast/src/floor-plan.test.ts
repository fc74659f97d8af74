import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The way of a question, from the ground up: a folder imports from those before it, never from those behind. */
const FLOORS = ['coast-error', 'earth', 'shoreline', 'file', 'search', 'tiles', 'answer', 'points', 'geojson', 'index'];

interface Source {
  /** Where it lies under `src`. */
  readonly path: string;
  readonly text: string;
}

function floorOf(path: string): number {
  return FLOORS.indexOf(path.replace(/\.ts$/, '').split('/')[0]!);
}

/** Imports that lead to a higher floor, or to none. */
function arrowsBack(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']*)'/g)]
      .map(([, specifier]) => join(path, '..', specifier!))
      .filter((target) => !(floorOf(target) >= 0 && floorOf(target) <= floorOf(path)))
      .map((target) => `${path} → ${target}`),
  );
}

describe('the floors of coast', () => {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('testing'))
    .map((path) => ({ path, text: readFileSync(join(import.meta.dirname, path), 'utf8') }));

  it('hold every file, and no import leads up', () => {
    expect(sources.length).toBeGreaterThan(40);
    expect(sources.filter(({ path }) => floorOf(path) < 0)).toEqual([]);
    expect(arrowsBack(sources)).toEqual([]);
  });

  it('are checked: an arrow back is seen, of types too', () => {
    expect(
      arrowsBack([{ path: 'earth/geodesic.ts', text: `import type { Coast } from '../answer/coast.ts';` }]),
    ).toEqual(['earth/geodesic.ts → answer/coast.ts']);
    expect(arrowsBack([{ path: 'search/run-tree.ts', text: `export * from '../utils/more.ts';` }])).toEqual([
      'search/run-tree.ts → utils/more.ts',
    ]);
  });
});
