import { buildCoastIndex, createCoast } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { writeShapefile } from '../testing/shapefile-fixture.ts';
import { buildNationalShoreline } from './build-national-shoreline.ts';
import { nhdShoreline } from './nhd-map.ts';

const map = nhdShoreline({ shore: 'Gulf', tidalStreams: ['Saint Johns River'] });

describe('the National Hydrography Dataset', () => {
  it('recognizes features by type or code, in any case of the attribute names', () => {
    const shore = { role: 'shore', layers: ['tidal'], shore: 'Gulf' };
    expect(map({ FTYPE: 566, FCODE: 56600 })).toEqual({ ...shore, polygons: 'land' });
    expect(map({ FType: '312' })).toEqual({ ...shore, polygons: 'water' });
    for (const code of [49300, 36400, 31200]) expect(map({ fcode: code })).toEqual({ ...shore, polygons: 'water' });
    expect(map({ FTYPE: 445 })).toEqual({ role: 'open water' });
    expect(map({ FTYPE: 460, GNIS_Name: 'Saint Johns River' })).toEqual({ ...shore, polygons: 'water' });
    expect(map({ FTYPE: 390, GNIS_NAME: 'Lake Erie' })).toMatchObject({ layers: ['great_lakes'] });
  });

  it('returns a reason for each ignored feature', () => {
    for (const attributes of [{ FTYPE: 460, GNIS_NAME: 'Suwannee River' }, { FTYPE: 390 }, { FTYPE: 'x' }, {}, null]) {
      expect(map(attributes)).toMatchObject({
        role: 'ignored',
        reason: expect.stringContaining('not known to be tidal'),
      });
    }
  });

  it('makes a bay a shore without its border to the open sea', async () => {
    const box = (west: number, east: number) => [
      [
        [west, 29],
        [west, 30],
        [east, 30],
        [east, 29],
        [west, 29],
      ] as const,
    ];
    const { shp, dbf } = writeShapefile('polygon', [
      { parts: box(-81, -80.5), attributes: { FTYPE: 312, FCODE: 31200, GNIS_NAME: 'A Bay' } },
      { parts: box(-80.5, -80), attributes: { FTYPE: 445, FCODE: 44500, GNIS_NAME: '' } },
    ]);
    const { shoreline } = await buildNationalShoreline([{ name: 'NHDArea.shp', bytes: shp, attributes: dbf, map }], {
      name: 'nhd',
      accuracyMeters: 20,
      maxSegmentMeters: false,
    });
    const coast = createCoast(buildCoastIndex(shoreline));
    expect(coast.nearest({ latitude: 29.5, longitude: -80.5 }).distanceMeters).toBeGreaterThan(40_000);
    expect(coast.nearest({ latitude: 29.5, longitude: -81.01 }).side).toBe('land');
    expect(coast.nearest({ latitude: 29.5, longitude: -80.99 }).side).toBe('water');
  });
});
