/**
 * Homes near the coast that other public shorelines place on the other side of 1,000 ft, 1 mi or 5 mi.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/measure/flips.ts
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { buildCoastIndex, type Coast, createCoast } from '@leeward/coast';
import { readShoreline } from '@leeward/coast-builder';
import { compareCoasts, seededHomes } from '@leeward/coast-builder/compare';
import { loadCoastlineUs } from '@leeward/coastline-us';

const ours = loadCoastlineUs();
const homes = seededHomes(ours, { count: 2_000, seed: 2026 });
const others: Record<string, Coast> = {
  'GSHHG alone': loadCoastlineUs({ sources: ['gshhg'] }),
  'us-atlas 10m': await landOf('us-atlas/nation-10m.json', 'nation'),
  'Natural Earth 10m (world-atlas)': await landOf('world-atlas/land-10m.json', 'land'),
};
console.log('| against ours | median, m | 95 %, m | flips at 1,000 ft | 1 mi | 5 mi | flagged by our interval |');
console.log('|---|---|---|---|---|---|---|');
for (const [name, other] of Object.entries(others)) {
  const { medianMeters, p95Meters, flips } = compareCoasts(ours, other, homes);
  const flipped = flips.reduce((sum, flip) => sum + flip.flips, 0);
  const flagged = flips.reduce((sum, flip) => sum + flip.flaggedByFirst, 0);
  console.log(
    `| ${name} | ${medianMeters.toFixed(0)} | ${p95Meters.toFixed(0)} | ${flips.map((flip) => flip.flips).join(' | ')} | ${flagged} of ${flipped} |`,
  );
}

async function landOf(module: string, object: string): Promise<Coast> {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(module));
  const { shoreline } = await readShoreline([{ name: module, bytes, object }], {
    name: module,
    maxSegmentMeters: false,
  });
  return createCoast(buildCoastIndex(shoreline));
}
