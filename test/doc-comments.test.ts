import { expect, it } from 'vitest';
import { publicExports } from '../scripts/docs/doc-comments.ts';
import { workspace } from './support/running-leeward.ts';

const exported = publicExports(workspace);

it('public exports are found through what re-exports them', () => {
  expect(exported.length).toBeGreaterThan(900);
  expect(
    exported.find(({ specifier, name }) => specifier === '@leeward/engine' && name === 'createCatalog')?.place,
  ).toMatch(/^packages\/engine\/src\/catalog\/.*\.ts:\d+$/);
});

it('a doc comment stands over every public export', () => {
  const bare = exported.filter(({ isDocumented, place }) => !isDocumented && !place.includes('.generated.ts'));
  expect(bare.map(({ specifier, name, place }) => `${specifier} ${name} (${place})`)).toEqual([]);
});
