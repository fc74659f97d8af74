import { length } from '@turf/turf';
import { describe, expect, it } from 'vitest';
import { createCoast } from '../answer/create-coast.ts';
import { geodesicBetween } from '../earth/geodesic.ts';
import { unitedStatesIndex } from '../testing/natural-earth.ts';
import { coastAnswerToGeoJson } from './coast-answer-geojson.ts';

const coast = createCoast(unitedStatesIndex());

describe('coastAnswerToGeoJson', () => {
  it('returns the address, the coast point, the geodesic between them and the circle of accuracy', () => {
    const answer = coast.nearest({ latitude: 39.74, longitude: -104.99 });
    const { type, features } = coastAnswerToGeoJson(answer);
    expect(type).toBe('FeatureCollection');
    expect(features.map((feature) => [feature.properties?.['role'], feature.geometry.type])).toEqual([
      ['address', 'Point'],
      ['coast', 'Point'],
      ['line', 'LineString'],
      ['accuracy', 'Polygon'],
    ]);
    const [, at, line, circle] = features;
    expect(at).toMatchObject({ geometry: { coordinates: [answer.coast.longitude, answer.coast.latitude] } });
    expect(length(line!, { units: 'meters' }) / answer.distanceMeters).toBeCloseTo(1, 2);
    const ring = (circle!.geometry as { coordinates: number[][][] }).coordinates[0]!;
    expect(ring).toHaveLength(73);
    expect(ring[0]).toEqual(ring.at(-1));
    for (const [longitude, latitude] of ring) {
      const { distanceMeters } = geodesicBetween(answer.coast.latitude, answer.coast.longitude, latitude!, longitude!);
      expect(distanceMeters).toBeCloseTo(3000, 3);
    }
  });

  it('cuts the line at 180° and omits empty features', () => {
    const across = coastAnswerToGeoJson({
      ...coast.nearest({ latitude: 52, longitude: 179.5 }),
      point: { latitude: 52, longitude: -179.5 },
      coast: { latitude: 52, longitude: 179.5 },
      distanceMeters: 68_000,
    });
    const line = across.features[2]!.geometry as { type: string; coordinates: number[][][] };
    expect(line.type).toBe('MultiLineString');
    const [west, east] = line.coordinates;
    expect([west!.at(-1)![0], east![0]![0]]).toEqual([-180, 180]);
    expect(west!.at(-1)![1]).toBe(east![0]![1]);
    for (const part of line.coordinates) {
      for (let at = 1; at < part.length; at++) expect(Math.abs(part[at]![0]! - part[at - 1]![0]!)).toBeLessThan(1);
    }
    const here = coastAnswerToGeoJson({
      ...coast.nearest({ latitude: 52, longitude: 179.5 }),
      distanceMeters: 0,
      accuracyMeters: 0,
    });
    expect(here.features).toHaveLength(2);
  });
});
