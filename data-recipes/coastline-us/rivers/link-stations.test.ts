import { expect, it } from 'vitest';
import { createRandom } from '../../../test/support/random.ts';
import { type Place, stretchesOf } from './link-stations.ts';
import { metersBetween } from './plane.ts';
import { LINK_PARTS_METERS, MAX_LINK_METERS } from './tidal-rules.ts';

it('keeps a link only where it is nearer to its gauge than to a shore', () => {
  const random = createRandom(45);
  const placeNear = (): Place => [-80 + random() * 0.06, 32 + random() * 0.06];
  let kept = 0;
  let cut = 0;
  for (let round = 0; round < 500; round++) {
    const [gauge, known] = [placeNear(), placeNear()];
    const shores = [known, placeNear(), placeNear()];
    const metersToShore = (place: Place): number =>
      Math.min(...shores.map((shore) => metersBetween(...place, ...shore)));
    const stretches = stretchesOf(gauge, known, metersToShore);
    const meters = metersBetween(...gauge, ...known);
    stretches.forEach(({ from, to, part }, at) => {
      expect(from).toEqual(stretches[at - 1]?.to ?? gauge);
      const toGauge = metersBetween(...to, ...gauge);
      expect(toGauge).toBeLessThan(metersToShore(to) + 1e-6);
      expect(toGauge).toBeLessThan(meters / 2 + 1e-6);
      expect(toGauge).toBeLessThanOrEqual(LINK_PARTS_METERS[part]! + 1);
      expect(toGauge).toBeGreaterThan((LINK_PARTS_METERS[part - 1] ?? 0) - 1);
      kept++;
    });
    const end = stretches.at(-1)?.to ?? gauge;
    if (meters <= MAX_LINK_METERS && metersBetween(...gauge, ...end) < meters / 2 - 250) cut++;
    if (meters > MAX_LINK_METERS) expect(stretches).toEqual([]);
  }
  expect(kept).toBeGreaterThan(100);
  expect(cut).toBeGreaterThan(10);
});
