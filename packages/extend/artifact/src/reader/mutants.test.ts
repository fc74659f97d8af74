import { createCatalog } from '@leeward/engine';
import { expect, it } from 'vitest';
import { fixtureEntries } from '../../../../../test/support/engine/fixture-catalog.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { compileArtifact } from '../compile/compile-artifact.ts';
import { plantMutants } from '../testing/plant-mutants.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 46);
const carriers = ['osprey_sound', 'tinpenny_dwelling', 'gulf_rim_wind'];

it('finds all changed values of the tables by the vectors', async () => {
  const entries = fixtureEntries().filter(({ name }) => carriers.some((key) => name!.startsWith(`${key}/`)));
  const { bytes } = await compileArtifact(createCatalog(entries), { from: '2026-01-01', to: '2026-12-31' });
  const { planted, escaped } = await plantMutants(bytes, { homes: testVolume(400), mutants: testVolume(16), seed });
  expect(escaped).toEqual([]);
  expect(Object.keys(planted)).toEqual(expect.arrayContaining(['bound', 'bit', 'date', 'spelling', 'offer']));
});
