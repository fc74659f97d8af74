import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawPicture } from '../scripts/architecture/draw-picture.ts';
import { floorPlans } from '../scripts/architecture/floor-plans.ts';
import {
  arrowsBack,
  arrowsOf,
  circlesOf,
  packageArrows,
  readSources,
  roomOf,
  type SourceFile,
  sourceFile,
} from '../scripts/architecture/import-graph.ts';
import { workspace } from './support/running-leeward.ts';

const files = readSources();
const packages = [...Map.groupBy(files, (file) => file.package)];

/** Returns import cycles of files and of folders, and imports that point to later folders. */
function faultsOf(name: string, sources: readonly SourceFile[]): string[] {
  const arrows = arrowsOf(sources);
  const rooms = arrows
    .map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) }))
    .filter(({ from, to }) => from !== to);
  return [
    ...circlesOf(arrows).map((circle) => `circle of files: ${circle.join(', ')}`),
    ...circlesOf(rooms).map((circle) => `circle of folders: ${circle.join(', ')}`),
    ...arrowsBack(arrows, floorPlans[name] ?? []),
  ];
}

describe('imports, of types too', () => {
  it('are read', () => expect(files.length).toBeGreaterThan(600));

  it.each(packages)('in %s lead one way', (name, sources) => {
    expect(faultsOf(name, sources)).toEqual([]);
  });

  it('of packages lead one way', () => expect(circlesOf(packageArrows(files))).toEqual([]));

  it.each(Object.entries(floorPlans))('lists only existing folders in the layers of %s', (name, floors) => {
    const rooms = new Set(files.filter((file) => file.package === name).map(({ path }) => roomOf(path)));
    expect(floors.filter((floor) => !rooms.has(floor))).toEqual([]);
  });
});

describe('a planted import', () => {
  const plant = (name: string, path: string, text: string) =>
    faultsOf(name, [...files.filter((file) => file.package === name), sourceFile(name, path, text)]);

  it.each([
    ['back up the floor plan', 'earth/planted.ts', `import type { Coast } from '../answer/coast.ts';`, 'is above'],
    ['of a folder in no plan', 'planted/one.ts', `export * from '../earth/point.ts';`, 'in no floor plan'],
    ['round about in one folder', 'earth/planted.ts', `import type { A } from './planted.ts';`, 'circle of files'],
    ['of a type, in line', 'earth/planted.ts', `let a: import('../answer/coast.ts').Coast;`, 'is above'],
    ['when it is needed', 'earth/planted.ts', `const a = await import('../answer/coast.ts');`, 'is above'],
  ])('%s is seen', (_, path, text, said) => {
    expect(plant('coast', path, text).join()).toContain(said);
  });

  it('detects a cycle between packages', () => {
    const planted = sourceFile('terms', 'planted.ts', `import type { Catalog } from '@leeward/engine';`);
    expect(circlesOf(packageArrows([...files, planted])).join()).toContain('engine');
  });
});

it('the picture shows what the sources import (npm run picture)', () => {
  expect(readFileSync(join(workspace, 'docs/architecture.svg'), 'utf8')).toBe(drawPicture(files));
});
