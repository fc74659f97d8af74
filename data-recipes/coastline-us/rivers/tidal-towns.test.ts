import { METERS_PER_MILE } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { expect, it } from 'vitest';
import { TIDAL_TOWNS } from './tidal-towns.ts';

it('reaches every tidal waterfront within a mile by rivers and gauges, not by the shores alone', () => {
  expect(TIDAL_TOWNS.length).toBeGreaterThanOrEqual(60);
  const beyond = (tidalWaters: boolean) => {
    const coast = loadCoastlineUs({ tidalWaters });
    return TIDAL_TOWNS.filter((town) => coast.nearest(town).minMeters > METERS_PER_MILE).map(({ name }) => name);
  };
  expect(beyond(true)).toEqual([]);
  expect(beyond(false).length).toBeGreaterThan(20);
});
