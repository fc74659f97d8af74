import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { ByteReader } from '../byte-reader.ts';
import { countyByFips, states } from '../counties/index.ts';
import { checkPoint } from '../point/check-point.ts';
import { type Point, sphericalDistanceMeters } from '../point/point.ts';
import { loadZipGazetteer } from './load-zip-gazetteer.ts';
import type { ZipGazetteer, ZipPoint } from './zip-gazetteer.ts';

/** Also in the Census Bureau's data; written by the recipe. */
function readSecondPositions(): readonly (Point & { readonly zip: string })[] {
  const reader = new ByteReader(inflateRawSync(readFileSync(new URL('./second-positions.bin', import.meta.url))));
  const size = reader.unsigned();
  const column = () => {
    let sum = 0;
    return Array.from({ length: size }, () => {
      sum += reader.signed();
      return sum;
    });
  };
  const [zips, latitudes, longitudes] = [column(), column(), column()];
  return zips.map((zip, row) => ({
    zip: String(zip).padStart(5, '0'),
    latitude: latitudes[row]! / 1000,
    longitude: longitudes[row]! / 1000,
  }));
}

let gazetteer: ZipGazetteer;
let all: readonly ZipPoint[];
beforeAll(async () => {
  gazetteer = await loadZipGazetteer();
  all = Array.from({ length: 100_000 }, (_, zip) => gazetteer.find(String(zip).padStart(5, '0'))).filter(
    (point) => point !== undefined,
  );
});

describe('the table of ZIP codes', () => {
  it('has 41,126 rows, each in a state, on the globe, with a radius, most with city and county', () => {
    expect(gazetteer.size).toBe(41_126);
    expect(all).toHaveLength(41_126);
    const codes = new Set(states.map((state) => state.code));
    const wrong = all.filter(
      ({ state, latitude, errorRadiusMeters, countyFips }) =>
        !codes.has(state) ||
        !(Math.abs(latitude) < 72) ||
        !(errorRadiusMeters >= 2_000 && errorRadiusMeters <= 120_500) ||
        (countyFips !== undefined && countyByFips(countyFips)?.state !== state),
    );
    expect(wrong).toEqual([]);
    const unnamed = all.filter((point) => point.city === undefined || point.countyFips === undefined);
    expect(new Set(unnamed.map((point) => point.state))).toEqual(new Set(['as', 'gu', 'mp', 'pr', 'vi']));
  });

  it.each([
    ['33139', 'Miami Beach', 'fl', '12086', 25.78, -80.15],
    ['02138', 'Cambridge', 'ma', '25017', 42.38, -71.13],
    ['10001', 'New York', 'ny', '36061', 40.75, -74.0],
    ['99503', 'Anchorage', 'ak', '02020', 61.19, -149.89],
    ['70112', 'New Orleans', 'la', '22071', 29.96, -90.08],
    ['06103', 'Hartford', 'ct', '09110', 41.77, -72.68],
    ['00901', 'San Juan', 'pr', undefined, 18.47, -66.11],
  ])('knows %s', (zip, city, state, countyFips, latitude, longitude) => {
    const point = gazetteer.find(zip)!;
    expect(point).toMatchObject({ zip, city, state, countyFips });
    expect(sphericalDistanceMeters(point, { latitude, longitude })).toBeLessThan(2_500);
  });

  it('is in the United States by the check of coordinates', () => {
    const odd = all.filter((point) => checkPoint(point) !== undefined);
    // GeoNames puts these into a lake or the sea; and Wake Island.
    const inWater = ['44181', '44188', '44190', '44191', '44194', '44195', '44197', '44198', '60011', '93199', '96898'];
    expect(odd.map(({ zip }) => zip)).toEqual(inWater);
    expect(odd.map(({ positionFrom }) => positionFrom)).toEqual(inWater.map(() => 'geonames'));
  });

  it('has radii that cover at least 95 % of the second source in each state', () => {
    const byState = Map.groupBy(readSecondPositions(), ({ zip }) => gazetteer.find(zip)!.state);
    expect(byState.size).toBe(51);
    for (const [state, seconds] of byState) {
      const covered = seconds.filter((second) => {
        const point = gazetteer.find(second.zip)!;
        return sphericalDistanceMeters(point, second) <= point.errorRadiusMeters;
      });
      expect([state, covered.length / seconds.length >= 0.95]).toEqual([state, true]);
    }
    expect([...byState.values()].reduce((sum, seconds) => sum + seconds.length, 0)).toBe(33_642);
  });
});

describe('the gazetteer', () => {
  it('returns nothing for an invalid ZIP code', () => {
    for (const text of ['', '00000', '3313', '331399', '33139-1234', ' 33139', '__proto__', '٣٣١٣٩']) {
      expect(gazetteer.find(text)).toBeUndefined();
    }
  });

  it('finds cities by any spelling, in their state only', () => {
    for (const text of ['Miami Beach', 'MIAMI BEACH', 'Miami Bch.', 'miamibeach']) {
      expect(gazetteer.findCity('fl', text).map((point) => point.zip)).toContain('33139');
    }
    expect(gazetteer.findCity('mn', 'St. Paul')).toEqual(gazetteer.findCity('Minnesota', 'saint paul'));
    expect(gazetteer.findCity('mn', 'St. Paul').length).toBeGreaterThan(20);
    expect(gazetteer.findCity('tx', 'Miami Beach')).toEqual([]);
    expect(gazetteer.findCity('zz', 'Miami Beach')).toEqual([]);
    expect(gazetteer.findCity('fl', '')).toEqual([]);
    expect(gazetteer.placesNamed('Galveston').map(({ state }) => state)).toEqual(['tx', 'in']);
    expect(gazetteer.placesNamed('')).toEqual([]);
  });

  it('finds the same nearest points as a full scan', () => {
    const points = [
      { latitude: 25.79, longitude: -80.13 },
      { latitude: 44.9, longitude: -110.5 },
      { latitude: 64.8, longitude: -147.7 },
      { latitude: 51.9, longitude: 179.9 },
      { latitude: -14.3, longitude: -170.7 },
      { latitude: 0, longitude: 0 },
    ];
    for (const point of points) {
      const near = gazetteer.nearest(point, 5).map(({ distanceMeters }) => Math.round(distanceMeters));
      const expected = all
        .map((zipPoint) => sphericalDistanceMeters(point, zipPoint))
        .sort((a, b) => a - b)
        .slice(0, 5);
      for (const [index, distance] of expected.entries()) expect(Math.abs(near[index]! - distance)).toBeLessThan(20);
    }
    expect(gazetteer.nearest({ latitude: 0, longitude: 0 }, 5, 100_000)).toEqual([]);
  });
});
