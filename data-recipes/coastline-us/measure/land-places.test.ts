import { isOnLand } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { expect, it } from 'vitest';
import { testVolume } from '../../../test/support/test-volume.ts';
import { zipPlaces } from './land-places.ts';

it('is land at every ZIP point a kilometer inside two outlines', async () => {
  const coast = loadCoastlineUs();
  // The nightly run takes all of them.
  const every = Math.max(1, Math.round(3 / testVolume(1)));
  const places = (await zipPlaces(coast, every)).filter(({ outlineMeters }) => outlineMeters >= 1_000);
  const sides = places.map((place) => isOnLand(coast.nearest(place)));
  const share = (side: boolean | null) => sides.filter((each) => each === side).length / places.length;
  expect(places.length).toBeGreaterThan(6_000 / every);
  expect(share(false)).toBeLessThan(0.000_5);
  expect(share(null)).toBeLessThan(0.02);
});
