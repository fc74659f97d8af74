import { describe, expect, it } from 'vitest';
import { createCoast } from '../answer/create-coast.ts';
import { measureFootprint } from '../footprint/measure-footprint.ts';
import { createPointIndex } from '../points/point-index.ts';
import { buildCoastIndex } from '../search/coast-index.ts';
import { metersToBorder } from '../shoreline/coverage.ts';
import { type PointInput, toPoint } from './point-input.ts';

const point = { latitude: 25.5, longitude: -80.25 };
const coordinates = [-80.25, 25.5];
const geometry = { type: 'Point', coordinates } as const;

const FORMS: readonly PointInput[] = [
  point,
  coordinates,
  [-80.25, 25.5, 3],
  geometry,
  { type: 'Feature', geometry, properties: { id: 1 } } as PointInput,
];

describe('a point', () => {
  const box = { west: -85, south: 20, east: -75, north: 30 };
  const coast = createCoast(
    buildCoastIndex({
      name: 'straight',
      version: '1',
      attribution: 'made up',
      layerNames: ['tidal'],
      shoreNames: ['shore'],
      water: 'right',
      accuracy: { radiusMeters: [10], method: 'made up' },
      coverage: [box],
      positions: Float64Array.of(-80, 25, -80, 26),
      lineStarts: Uint32Array.of(0, 2),
      layers: new Uint16Array(2).fill(1),
      shores: new Uint8Array(2),
    }),
  );

  it.each(FORMS)('may be %j in every function', (form) => {
    expect(toPoint(form)).toMatchObject(point);
    expect(coast.nearest(form)).toEqual(coast.nearest(point));
    expect(coast.nearestByEach(form, ['tidal'])).toEqual([coast.nearest(point)]);
    expect(coast.nearestSeveral(form, 2)).toEqual(coast.nearestSeveral(point, 2));
    expect(coast.within(form, 30_000)).toBe('yes');
    expect(coast.nearestMany([form])).toEqual(coast.nearestMany([point]));
    const index = createPointIndex(Float64Array.of(-80, 25, -81, 26));
    expect(index.nearest(form)).toEqual(index.nearest(point));
    expect(index.within(form, 1e6)).toHaveLength(2);
    expect(metersToBorder([box], form)).toBe(metersToBorder([box], point));
    const disc = (center: PointInput) =>
      measureFootprint((each) => coast.nearest(each), { kind: 'disc', center, radiusMeters: 10 } as never).maxMeters;
    expect(disc(form)).toBe(disc(point));
  });

  it('is rejected with the keys that it has and those that are expected', () => {
    const circular: Record<string, unknown> = { type: 'Point' };
    circular['coordinates'] = [circular];
    const expected = 'give { latitude, longitude }, [longitude, latitude], or a GeoJSON Point or Feature of one';
    const wrong: readonly [unknown, string][] = [
      [{ lat: 25, lng: -80 }, `an object with the keys lat, lng; ${expected}: rename lat and lng`],
      [{ lat: 25, lon: -80 }, 'rename lat and lon'],
      [{ latitude: 25 }, `an object with the keys latitude; ${expected}`],
      [{}, `an object without keys; ${expected}`],
      [undefined, `the point is undefined; ${expected}`],
      [null, `the point is null; ${expected}`],
      ['25,-80', `the point is "25,-80"; ${expected}`],
      [[], 'the position of the point is []'],
      [[-80], 'the position of the point is [-80]'],
      [['-80', '25'], 'the position of the point is ["-80","25"]'],
      [new Array(1e6).fill(0), 'the position of the point is a list of 1000000'],
      [{ type: 'Point' }, 'the position of the point is undefined'],
      [{ type: 'Point', coordinates: [] }, 'the position of the point is []'],
      [{ type: 'Point', coordinates: [new Array(1e6).fill(0)] }, 'the position of the point is a list of 1'],
      [circular, 'the position of the point is a list of 1'],
      [{ type: 'Feature', geometry: null }, `the point is null; ${expected}`],
      [{ type: 'Feature', geometry: { type: 'Feature', geometry } }, 'the point is a GeoJSON Feature'],
      [{ type: 'Polygon', coordinates: [[coordinates]] }, 'the point is a GeoJSON Polygon'],
      [{ type: 'FeatureCollection', features: [] }, 'pass one of its features'],
      [{ latitude: Number.NaN, longitude: 0 }, 'latitude NaN, longitude 0 is not a place on the earth'],
      [[-80, 90.5], 'latitude 90.5, longitude -80 is not a place on the earth'],
      [
        [25.5, -100],
        'latitude -100, longitude 25.5 is not a place on the earth (-90 … 90, -180 … 180): they seem to be swapped',
      ],
      [{ latitude: '25', longitude: '-80' }, 'latitude "25", longitude "-80"'],
    ];
    for (const [input, message] of wrong) {
      for (const query of [toPoint, coast.nearest.bind(coast), (each: PointInput) => coast.within(each, 1)]) {
        expect(() => query(input as PointInput), message).toThrow(
          expect.objectContaining({ code: 'invalid_point', message: expect.stringContaining(message) as string }),
        );
      }
    }
  });

  it('outside the coverage is rejected, with a hint if its axes are swapped', () => {
    expect(() => coast.nearest([25.5, -80.25])).toThrow(
      'latitude -80.25, longitude 25.5 is beyond the coverage of straight 1: they seem to be swapped',
    );
    for (const latitude of [90, -90]) {
      expect(() => coast.nearest({ latitude, longitude: 0 })).toThrow(
        expect.objectContaining({ code: 'outside_coverage' }),
      );
    }
  });
});
