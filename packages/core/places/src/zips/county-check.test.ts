import { expect, it } from 'vitest';
import { compareCounty } from './compare-county.ts';
import { countyCheckOf } from './county-check.ts';
import { loadZipGazetteer } from './load-zip-gazetteer.ts';

it('is sure of most homes near the ZIP points of their county, and agrees with the comparison', async () => {
  const gazetteer = await loadZipGazetteer();
  const check = countyCheckOf(gazetteer);
  const counties = ['12086', '12087', '48201', '36061', '09110', '36041', '06075', '02270', '99999'];
  let asked = 0;
  let sure = 0;
  for (const county of counties) {
    const points = [...gazetteer.ofCounty(county), { latitude: 25.79, longitude: -80.13 }];
    for (const { latitude, longitude } of points) {
      for (const [north, east] of [
        [0, 0],
        [0.02, -0.03],
        [-0.2, 0.1],
        [0.9, 0.9],
      ] as const) {
        const point = { latitude: latitude + north, longitude: longitude + east };
        asked += 1;
        if (!check(point.latitude, point.longitude, Number(county))) continue;
        sure += 1;
        expect(compareCounty(gazetteer, point, county).verdict).toBe('agrees');
      }
    }
  }
  expect(sure).toBeGreaterThan(asked / 4);
  expect(sure).toBeLessThan(asked);
});
