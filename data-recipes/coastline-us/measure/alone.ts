/**
 * Error of one source alone, by layer: against the other at seeded homes, and for GSHHG's tidal shore and Great Lakes at the corners of
 * the Census outline (us-atlas), which are on the shore.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/measure/alone.ts
 */
import { compareCoasts, seededHomes } from '@leeward/coast-builder/compare';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { readAtlas } from '../atlas.ts';

const gshhg = loadCoastlineUs({ sources: ['gshhg'] });
const osm = loadCoastlineUs({ sources: ['osm'] });
const homes = seededHomes(loadCoastlineUs(), { count: 5_000, seed: 11 });
for (const definition of ['tidal', 'ocean_narrow', 'ocean', 'ocean_wide']) {
  const { medianMeters, p95Meters } = compareCoasts(gshhg, osm, homes, { definition });
  console.log(
    `${definition}: GSHHG and OSM differ by ${medianMeters.toFixed(0)} m (median), ${p95Meters.toFixed(0)} m (95 %)`,
  );
}

const { positions } = readAtlas().unitedStates;
const corners = new Map<string, { longitude: number; latitude: number }>();
for (let i = 0; i < positions.length; i += 2)
  corners.set(`${positions[i]},${positions[i + 1]}`, { longitude: positions[i]!, latitude: positions[i + 1]! });
for (const definition of ['tidal', 'great_lakes']) {
  // A corner farther from the shore is on a border between states.
  const reach = definition === 'tidal' ? 3_000 : 3_500;
  const distances: number[] = [];
  for (const corner of corners.values()) {
    // us-atlas displaces Hawaii by 400 m.
    if (corner.longitude < -154 && corner.latitude < 30) continue;
    if (corner.longitude > 160 && corner.latitude < 48) continue;
    const { distanceMeters } = gshhg.nearest(corner, definition);
    if (distanceMeters <= reach) distances.push(distanceMeters);
  }
  distances.sort((a, b) => a - b);
  const quantile = (share: number): string => distances[Math.floor(share * (distances.length - 1))]!.toFixed(0);
  console.log(
    `${definition}: ${distances.length} corners, GSHHG ${quantile(0.5)} m (median), ${quantile(0.95)} m (95 %)`,
  );
}
